import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// The route of a project's limits of many devices at once.
enum ProjectLimitRoutes {
    static let all = [change]

    private static let parameter = Input.path("parameter", .choice(Parameter.Name.self), "The name of the parameter.")
    private static let devices = Input.optionalField(
        "devices", Format<[Device.HardwareID]>.list(of: .hardwareID, count: 1...1000),
        "The devices, each once; all of the project's unless given.")
    private static let unit = Input.optionalField(
        "unit", .choice(Unit.self), "The unit of the limits given here, in which the project's values are shown.")
    private static let minimum = Input.change("minimum", limit, "As for one device; missing: as it is.")
    private static let maximum = Input.change("maximum", limit, "As for one device; missing: as it is.")
    private static let criticalMinimum = Input.change("criticalMinimum", limit, "As for one device; missing: as it is.")
    private static let criticalMaximum = Input.change("criticalMaximum", limit, "As for one device; missing: as it is.")
    private static let limit = Format.decimal(-1_000_000...1_000_000).example(24)

    private static let change = Route<Caller>(
        .put, "/projects/{project}/parameters/{parameter}", id: "changeProjectLimits", tag: ProjectRoutes.tag,
        access: .write, "Change a project's limits of many devices",
        text: """
            All of them or none, and from the next reading on. Members who have the project's limits have these, too; a limit that one of the devices \
            cannot have refuses the whole.
            """,
        inputs: [
            ProjectInputs.project, parameter, devices, unit, minimum, maximum, criticalMinimum, criticalMaximum,
            PeriodInput.periods,
        ],
        answers: .json(.ok, ChangedLimits.output),
        problems: [.notFound, .administratorsOnly]
    ) { caller, inputs in
        let (project, parameter) = (inputs[ProjectInputs.project], inputs[parameter].parameter)
        let wished = inputs[devices].map { Set($0.map(\.text)) }
        if let wished, wished.count != inputs[devices]?.count { throw Problem(devices, .repeated) }
        let change = RangeChange(
            minimum: inputs[minimum].limit, maximum: inputs[maximum].limit,
            criticalMinimum: inputs[criticalMinimum].limit, criticalMaximum: inputs[criticalMaximum].limit,
            unit: inputs[unit])
        let periods = inputs[PeriodInput.periods]
        return try await caller.scope.acting(for: project).transaction { transaction, account in
            let wanted = try transaction.with(periods, change, of: account)
            let all = try transaction.execute(LockOwnSettings(account: account, parameter: parameter))
            let meant = all.filter { wished?.contains($0.hardwareID) ?? true }
            guard meant.count == wished?.count ?? meant.count else { throw Problem(devices, .notOwnDevice) }
            var next: [LockOwnSettings.Row] = []
            for row in meant {
                let range = try wanted.applied(
                    to: row.setting.range(of: parameter), minimum: minimum, maximum: maximum, unit: unit,
                    criticalMinimum: criticalMinimum, criticalMaximum: criticalMaximum)
                var changed = row
                changed.setting = row.setting.with(range)
                if changed.setting != row.setting { next.append(changed) }
            }
            if !next.isEmpty {
                _ = try transaction.perform(
                    EndSettings(account: account, parameter: parameter, devices: next.map(\.device)))
                _ = try transaction.perform(AddLimits(account: account, parameter: parameter, settings: next))
            }
            return .value(ChangedLimits(devices: meant.count, changed: next.count))
        }
    }
}
