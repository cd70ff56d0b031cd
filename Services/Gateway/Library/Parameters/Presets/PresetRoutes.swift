import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality
import Words

/// Routes of presets, limits for what people keep: a starting point when a device is linked, and later.
enum PresetRoutes {
    static let all = ([list, apply, applyToMany] + OwnPresetRoutes.all).forProjects()

    private static let list = Route<Caller>(
        .get, "/presets", id: "listPresets", tag: ParameterRoutes.tag, access: .read,
        "List limits for what people keep",
        text: """
            Starting points: one's own first, then those of projects, then those that come with the service. A parameter that a preset does not \
            name keeps its limits. Of one's own and of projects \(OwnPreset.most) at most.
            """,
        answers: .json(.ok, .list(of: ShownPreset.output))
    ) { caller, _ in
        let own = try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            try transaction.ownPresets()
        }
        let language = caller.scope.language
        return .value(own.map(ShownPreset.init) + Preset.allCases.map { ShownPreset($0, language) })
    }

    private static let preset = Input.field("preset", .preset, "What lives in the water, or the id of a preset.")

    private static let apply = Route<Caller>(
        .post, "/devices/{device}/parameters/preset", id: "applyPreset", tag: ParameterRoutes.tag, access: .write,
        "Take over the limits of a preset",
        text: """
            All of them at once; they hold from the next reading on. Colours and order stay. Of a preset that comes with the service units and \
            delays stay, too, and critical limits and limits at other times go, as they belong to the former limits; one of one's own brings all of \
            these. If-Match takes the ETag of the list of parameters.
            """,
        inputs: [DeviceInputs.device, Input<EntityTagCondition>.ifMatch, preset],
        answers: .json(.ok, .list(of: .parameter), headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (id, choice) = (inputs[DeviceInputs.device], inputs[preset])
        let condition = inputs[Input<EntityTagCondition>.ifMatch]
        return try await caller.scope.transaction { transaction, account in
            let owned = try transaction.lockDevice(id, of: account)
            try condition.requireMatch(try transaction.parameters(of: owned.device, account).tag)
            guard let limits = try transaction.limits(of: choice) else { throw Problem(preset, .unknownPreset) }
            _ = try transaction.execute(TakeLimits(limits, on: [owned.device], of: account))
            return try transaction.parameters(of: owned.device, account).answer
        }
    }

    private static let devices = Input.field(
        "devices", Format<[Device.HardwareID]>.list(of: .hardwareID, count: 1...100), "The devices, each once.")

    private static let applyToMany = Route<Caller>(
        .post, "/parameters/preset", id: "applyPresetToMany", tag: ParameterRoutes.tag, access: .write,
        "Take over the limits of a preset on many devices",
        text: "As on one, on all of them or none. Members who have a project's limits have these, too.",
        inputs: [preset, devices],
        answers: .json(.ok, ChangedLimits.output), problems: [.viewersOnlyLook]
    ) { caller, inputs in
        let (choice, ids) = (inputs[preset], inputs[devices])
        guard Set(ids).count == ids.count else { throw Problem(devices, .repeated) }
        return try await caller.scope.transaction { transaction, account in
            let found = try transaction.execute(FindPersonDevices(ids))
            guard found.count == ids.count else { throw Problem(devices, .notOwnDevice) }
            guard let limits = try transaction.limits(of: choice) else { throw Problem(preset, .unknownPreset) }
            let changed = try transaction.execute(TakeLimits(limits, on: found, of: account))[0]
            return .value(ChangedLimits(devices: ids.count, changed: Int(changed)))
        }
    }
}

extension PostgresTransaction {
    /// The limits of a preset; nil: whoever acts may use no such preset.
    func limits(of choice: PresetChoice) throws -> LimitsDocument? {
        switch choice {
        case .known(let preset): LimitsDocument(preset)
        case .own(let id): try ownPresets(id).first.map { LimitsDocument($0.ranges) }
        }
    }
}

extension Fault {
    static let unknownPreset = Fault("unknown-preset")
}
