import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of the limits, units, colours and order that a person gives the parameters of a device.
enum ParameterRoutes {
    static let tag = "Parameters"
    static let all =
        (AllParametersRoutes.all + [list, show, change] + LimitStepsRoutes.all + ManyParametersRoutes.all + [
            reorder, reset,
        ])
        .forProjects()

    // MARK: Reading

    private static let list = Route<Caller>(
        .get, "/devices/{device}/parameters", id: "listParameters", tag: tag, access: .read,
        "List the parameters of a device", text: "In their order on the screen.",
        inputs: [DeviceInputs.device], answers: .json(.ok, .list(of: .parameter), headers: [.eTag]),
        problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, account in
            try transaction.parameters(of: try transaction.personDevice(id).key, account).answer
        }
    }

    private static let parameter = Input.path("parameter", .choice(Parameter.Name.self), "The name of the parameter.")

    private static let show = Route<Caller>(
        .get, "/devices/{device}/parameters/{parameter}", id: "showParameter", tag: tag, access: .read,
        "Show one parameter of a device", inputs: [DeviceInputs.device, parameter],
        answers: .json(.ok, .parameter, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (id, parameter) = (inputs[DeviceInputs.device], inputs[parameter].parameter)
        return try await caller.scope.transaction { transaction, account in
            let all = try transaction.parameters(of: try transaction.personDevice(id).key, account)
            guard let found = all.first(where: { $0.parameter == parameter }) else { throw Problem(.notFound) }
            return found.answer
        }
    }

    // MARK: Changing one

    private static let unit = Input.optionalField(
        "unit", .choice(Unit.self), "The unit of the limits given here, in which values are shown from now on.")
    private static let minimum = Input.change(
        "minimum", limit, "The least value that is in range; null: no minimum. It snaps to what the sensor tells apart."
    )
    private static let maximum = Input.change(
        "maximum", limit,
        "The greatest value that is in range; null: no maximum. It snaps to what the sensor tells apart.")
    private static let criticalMinimum = Input.change(
        "criticalMinimum", limit,
        "Below this value it alarms at once, past delay, snooze and throttle. Must be below the minimum; null: none.")
    private static let criticalMaximum = Input.change(
        "criticalMaximum", limit,
        "Above this value it alarms at once, past delay, snooze and throttle. Must be above the maximum; null: none.")
    // Wider than every sensor in every unit, so that a limit beyond the sensor is refused with the sensor's range.
    private static let limit = Format.decimal(-1_000_000...1_000_000).example(24)
    private static let colour = Input.optionalField(
        "colour",
        Format.reading("colour", example: "#7c3f00", count: 3...20, pattern: "^(#[0-9a-f]{6}|[a-z]{3,20})$") {
            text throws(Fault) in
            guard isColour(text) else { throw .pattern }
            return text
        }, "A CSS colour: #rrggbb in lower case, or a name.")

    private static let change = Route<Caller>(
        .patch, "/devices/{device}/parameters/{parameter}", id: "changeParameter", tag: tag, access: .write,
        "Change the limits, when they alarm, unit or colour",
        text:
            "Limits hold from the next reading on. The values that hold are shown, after they snapped to sensor steps.",
        inputs: [
            DeviceInputs.device, parameter, Input<EntityTagCondition>.ifMatch, unit, minimum, maximum, criticalMinimum,
            criticalMaximum,
        ] + SettingInput.all.map(\.declaration) + [PeriodInput.periods, colour],
        answers: .json(.ok, .parameter, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (id, parameter) = (inputs[DeviceInputs.device], inputs[parameter].parameter)
        let (condition, colour) = (inputs[Input<EntityTagCondition>.ifMatch], inputs[colour])
        let change = RangeChange(
            minimum: inputs[minimum].limit, maximum: inputs[maximum].limit,
            criticalMinimum: inputs[criticalMinimum].limit, criticalMaximum: inputs[criticalMaximum].limit,
            settings: WatchSetting.allCases.reduce(into: [:]) { $0[$1] = SettingInput.of($1).limit(in: inputs) },
            unit: inputs[unit])
        let periods = inputs[PeriodInput.periods]
        return try await caller.scope.transaction { transaction, account in
            let wanted = try transaction.with(periods, change, of: account)
            let owned = try transaction.lockDevice(id, of: account)
            let key = WatchKey(device: owned.device, parameter: parameter, account: account)
            guard let current = try transaction.execute(ReadSetting(key)).first else { throw Problem(.notFound) }
            try condition.requireMatch(PersonParameter(parameter: parameter, setting: current).tag)
            var next = current.with(
                try wanted.applied(
                    to: current.range(of: parameter), minimum: minimum, maximum: maximum, unit: unit,
                    criticalMinimum: criticalMinimum, criticalMaximum: criticalMaximum))
            if let colour { next.colour = colour }
            let stored = try transaction.replaceSetting(key, current, by: next)
            return try transaction.shown([PersonParameter(parameter: parameter, setting: stored)])[0].answer
        }
    }

    // MARK: Changing all

    private static let order = Input.field(
        "order",
        Format<[Parameter.Name]>.list(of: .choice(Parameter.Name.self), count: Parameter.count...Parameter.count).map {
            (names: [Parameter.Name]) throws(Fault) -> [Parameter] in
            guard Set(names).count == Parameter.allCases.count else { throw .repeated }
            return names.map(\.parameter)
        }.example(.array(Parameter.Name.allCases.map { .string($0.rawValue) })),
        "The names of all parameters, each once.")

    private static let reorder = Route<Caller>(
        .put, "/devices/{device}/parameters/order", id: "reorderParameters", tag: tag, access: .write,
        "Give the parameters another order", text: "If-Match takes the ETag of the list.",
        inputs: [DeviceInputs.device, Input<EntityTagCondition>.ifMatch, order],
        answers: .json(.ok, .list(of: .parameter), headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (id, order) = (inputs[DeviceInputs.device], inputs[order])
        let condition = inputs[Input<EntityTagCondition>.ifMatch]
        return try await caller.scope.transaction { transaction, account in
            let owned = try transaction.lockDevice(id, of: account)
            try condition.requireMatch(try transaction.parameters(of: owned.device, account).tag)
            for (position, parameter) in order.enumerated() {
                try transaction.change(WatchKey(device: owned.device, parameter: parameter, account: account)) {
                    $0.position = Int16(position)
                }
            }
            return try transaction.parameters(of: owned.device, account).answer
        }
    }

    private static let reset = Route<Caller>(
        .post, "/devices/{device}/parameters/reset", id: "resetParameters", tag: tag, access: .write,
        "Set all parameters as they were at first",
        text: "Limits, delays, units, colours and order of a newly linked device.",
        inputs: [DeviceInputs.device], answers: .json(.ok, .list(of: .parameter), headers: [.eTag]),
        problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction { transaction, account in
            let owned = try transaction.lockDevice(id, of: account)
            for defaults in [LinkDevice.Default].ofManual {
                let key = WatchKey(device: owned.device, parameter: defaults.parameter, account: account)
                try transaction.change(key) { setting in
                    setting.unit = defaults.unit
                    setting.minimum = defaults.minimum
                    setting.maximum = defaults.maximum
                    setting.colour = defaults.colour
                    setting.position = defaults.position
                    setting.criticalMinimum = nil
                    setting.criticalMaximum = nil
                    setting.settings = WatchSettings()
                    setting.periods = nil
                }
            }
            return try transaction.parameters(of: owned.device, account).answer
        }
    }
}

extension PersonParameter {
    fileprivate var answer: Answer<PersonParameter> { .value(self, headers: [.eTag: tag.description]) }
}

extension [PersonParameter] {
    /// The version of all parameters: each one's version, in the order of parameters.
    var tag: EntityTag {
        let versions = sorted { $0.parameter.rawValue < $1.parameter.rawValue }.map { "\($0.setting.version)" }
        return EntityTag("v" + versions.joined(separator: "-"))
    }

    var answer: Answer<[PersonParameter]> { .value(self, headers: [.eTag: tag.description]) }
}

extension PostgresTransaction {
    func parameters(of device: DeviceKey, _ account: Account.ID) throws -> [PersonParameter] {
        try shown(
            try execute(ListSettings(of: device, by: account)).map {
                PersonParameter(parameter: $0.parameter, setting: $0.setting)
            })
    }

    /// A change with periods, which begin and end by the clock of the account.
    func with(_ periods: [RangeChange.Period]?, _ change: RangeChange, of account: Account.ID) throws -> RangeChange {
        guard let periods, let zone = try execute(ReadTimeZone(of: account)).first else { return change }
        var change = change
        change.periods = RangeChange.Periods(periods, zone: zone)
        return change
    }

    /// Changes an existing setting.
    func change(_ key: WatchKey, _ change: (inout ReadSetting.Row) -> Void) throws {
        guard let current = try execute(ReadSetting(key)).first else { return }
        var next = current
        change(&next)
        _ = try replaceSetting(key, current, by: next)
    }
}

/// Checks the schema's constraint without a regular expression.
private func isColour(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    if bytes.first == UInt8(ascii: "#") {
        return bytes.count == 7
            && bytes.dropFirst().allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
    }
    return (3...20).contains(bytes.count) && bytes.allSatisfy { (0x61...0x7A).contains($0) }
}
