import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// The route that changes the limits of several parameters at once.
enum ManyParametersRoutes {
    static let all = [change]

    private static let changes = Input.field(
        "changes", .list(of: Format<LimitChange>.limitChange, count: 1...Parameter.count),
        "The limits of each parameter, each once: what is left out of one stays as it is.")

    private static let change = Route<Caller>(
        .patch, "/devices/{device}/parameters", id: "changeParameters", tag: ParameterRoutes.tag, access: .write,
        "Change the limits of several parameters",
        text: """
            All of them or none, and from the next reading on: a limit that cannot be set refuses the whole. Critical limits stay, and refuse \
            a limit that would reach them. If-Match takes the ETag of the list of parameters.
            """,
        inputs: [DeviceInputs.device, Input<EntityTagCondition>.ifMatch, changes],
        answers: .json(.ok, .list(of: .parameter), headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let (id, wished) = (inputs[DeviceInputs.device], inputs[changes])
        let condition = inputs[Input<EntityTagCondition>.ifMatch]
        guard Set(wished.map(\.parameter)).count == wished.count else { throw Problem(changes, .repeated) }
        return try await caller.scope.transaction { transaction, account in
            let owned = try transaction.lockDevice(id, of: account)
            try condition.requireMatch(try transaction.parameters(of: owned.device, account).tag)
            var wishes: [(WatchKey, ReadSetting.Row, ReadSetting.Row)] = []
            for (index, wish) in wished.enumerated() {
                let key = WatchKey(device: owned.device, parameter: wish.parameter, account: account)
                guard let current = try transaction.execute(ReadSetting(key)).first else { throw Problem(.notFound) }
                let range = current.range(of: wish.parameter)
                do throws(RangeChange.Fault) {
                    let next = current.with(try wish.change.applied(to: range))
                    wishes.append((key, current, next))
                } catch {
                    let refusal = wish.change.refusal(error, of: range)
                    throw Problem(changes, refusal.fault.inside(refusal.member.nameAmongMany).inside("\(index)"))
                }
            }
            for (key, current, next) in wishes { _ = try transaction.replaceSetting(key, current, by: next) }
            return try transaction.parameters(of: owned.device, account).answer
        }
    }
}

extension RangeChange.Member {
    /// The member of a change of limits at which a fault is told: a critical limit stands beside a limit, and is no member of it.
    fileprivate var nameAmongMany: String {
        switch self {
        case .unit: "unit"
        case .minimum, .criticalMinimum: "minimum"
        case .maximum, .criticalMaximum, .setting, .periods: "maximum"
        }
    }
}
