import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of presets that a person or a project makes.
enum OwnPresetRoutes {
    static let all = [create, show, change, delete]

    private static let preset = Input.path("preset", Format<OwnPresetID>.id, "The id of the preset.")
    private static let name = Input.field(
        "name", .visibleText(1...60, example: "Trout, first year"), "What it is called; one name, one preset.")
    private static let limits = Input.field(
        "limits", .list(of: Format<LimitChange>.wholeLimits, count: 1...Parameter.count),
        "The limits of each parameter that it names, each once. What is left out of one is none, or as at first.")

    private static let create = Route<Caller>(
        .post, "/presets", id: "createPreset", tag: ParameterRoutes.tag, access: .write, "Make a preset",
        text: """
            Limits under a name, which devices begin with or take over. No device has them by that. Members of a project use its presets for \
            limits of their own. 50 of a person, and of a project.
            """,
        inputs: [name, limits, Input<String?>.idempotencyKey],
        answers: .json(.created, OwnPreset.output, headers: [.eTag, .location]),
        problems: [.presetNamed, .tooManyPresets],
        creates: { caller, inputs, encoding in
            let (name, wished) = (inputs[name], inputs[limits])
            return try await caller.scope.creation(encoding) { transaction, account in
                let ranges = try transaction.ranges(wished, of: account, limits)
                let put = PutPreset(id: nil, version: nil, name: name, limits: LimitsDocument(ranges))
                let preset = try transaction.preset(after: put)
                return .value(
                    preset,
                    headers: [.eTag: preset.tag.description, .location: "\(GatewayAPI.base)/presets/\(preset.id)"])
            }
        })

    private static let show = Route<Caller>(
        .get, "/presets/{preset}", id: "showPreset", tag: ParameterRoutes.tag, access: .read, "Show a preset",
        text: "One of one's own, or of a project in which the person takes part.",
        inputs: [preset], answers: .json(.ok, OwnPreset.output, headers: [.eTag]), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[preset]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            try transaction.ownPreset(id).answer
        }
    }

    private static let change = Route<Caller>(
        .put, "/presets/{preset}", id: "changePreset", tag: ParameterRoutes.tag, access: .write, "Change a preset",
        text: "As a whole. No device changes: those that have taken it over keep what they have.",
        inputs: [preset, Input<EntityTagCondition>.ifMatch, name, limits],
        answers: .json(.ok, OwnPreset.output, headers: [.eTag]), problems: [.notFound, .presetNamed]
    ) { caller, inputs in
        let (id, name, wished) = (inputs[preset], inputs[name], inputs[limits])
        let condition = inputs[Input<EntityTagCondition>.ifMatch]
        return try await caller.scope.transaction { transaction, account in
            let current = try transaction.ownPreset(id)
            guard current.project == nil else { throw Problem(.notFound) }
            try condition.requireMatch(current.tag)
            let ranges = try transaction.ranges(wished, of: account, limits)
            return try transaction.preset(
                after: PutPreset(id: id, version: current.version, name: name, limits: LimitsDocument(ranges))
            ).answer
        }
    }

    private static let delete = Route<Caller>(
        .delete, "/presets/{preset}", id: "deletePreset", tag: ParameterRoutes.tag, access: .write, "Delete a preset",
        text: "Devices keep the limits that they took over.",
        inputs: [preset], answers: .nothing, problems: [.notFound]
    ) { caller, inputs in
        let drop = DropPreset(id: inputs[preset])
        return try await caller.scope.transaction { transaction, _ in
            guard try transaction.execute(drop)[0] else { throw Problem(.notFound) }
            return .nothing
        }
    }
}

extension OwnPreset {
    fileprivate var answer: Answer<OwnPreset> { .value(self, headers: [.eTag: tag.description]) }
}

extension PostgresTransaction {
    /// The ranges of wished limits, on which nothing stood before.
    /// - Parameter input: The input at which faults are told.
    fileprivate func ranges(
        _ wished: [LimitChange], of account: Account.ID, _ input: some InputDeclaration
    ) throws -> [PersonalRange] {
        guard Set(wished.map(\.parameter)).count == wished.count else { throw Problem(input, .repeated) }
        let zone = try execute(ReadTimeZone(of: account)).first ?? "UTC"
        var ranges: [PersonalRange] = []
        for (index, wish) in wished.enumerated() {
            let none = PersonalRange(
                parameter: wish.parameter, unit: wish.parameter.canonicalUnit, minimum: nil, maximum: nil)
            let change = wish.whole(zone: zone)
            do throws(RangeChange.Fault) {
                ranges.append(try change.applied(to: none))
            } catch {
                throw Problem(input, change.told(error, of: none).inside("\(index)"))
            }
        }
        return ranges
    }

    /// - Throws: `Problem`: why nothing was made or changed.
    fileprivate func preset(after put: PutPreset) throws -> OwnPreset {
        let (outcome, id) = try execute(put)[0]
        switch outcome {
        case .made, .changed: break
        case .stale: throw Problem(.preconditionFailed)
        case .unknown: throw Problem(.notFound)
        case .named: throw Problem(.presetNamed)
        case .full: throw Problem(.tooManyPresets)
        }
        guard let id else { throw Problem(.internalError) }
        return try ownPreset(id)
    }
}

extension ProblemType {
    fileprivate static let presetNamed = ProblemType("preset-named", .conflict)
    fileprivate static let tooManyPresets = ProblemType("too-many-presets", .conflict)
}
