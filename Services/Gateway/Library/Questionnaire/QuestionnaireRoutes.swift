import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of the questions about a tank, which end in limits that are proposed.
enum QuestionnaireRoutes {
    static let tag = ParameterRoutes.tag
    static let all = SpeciesRoutes.all + [show, answer].forProjects()

    private static let show = Route<Caller>(
        .get, "/devices/{device}/questionnaire", id: "showQuestionnaire", tag: tag, access: .read,
        "Show what is said of a tank, and which limits follow",
        text: """
            Limits are those of what is kept, narrowed by each species, beside the person's own; who shares the tank sees it with theirs. \
            Nothing of it holds by itself: take limits over by changing parameters.
            """,
        inputs: [DeviceInputs.device], answers: .json(.ok, ShownQuestionnaire.output, headers: [.eTag]),
        problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            let tank = try transaction.tank(of: id)
            return try transaction.questionnaire(
                try transaction.answers(of: tank.key), of: tank, account, caller.scope
            ).answer
        }
    }

    private static let answer = Route<Caller>(
        .put, "/devices/{device}/questionnaire", id: "putQuestionnaire", tag: tag, access: .write,
        "Answer the questions about a tank",
        text: """
            As its owner. The answers take the place of the former ones, of which 50 are kept, and change no limit: the answer proposes what \
            follows. The same again changes nothing.
            """,
        inputs: [DeviceInputs.device, Input<EntityTagCondition>.ifMatch] + QuestionnaireInputs.all,
        answers: .json(.ok, ShownQuestionnaire.output, headers: [.eTag]), problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        let condition = inputs[Input<EntityTagCondition>.ifMatch]
        let answers = try QuestionnaireInputs.answers(inputs)
        return try await caller.scope.transaction { transaction, account in
            let tank = try transaction.tank(of: id)
            guard tank.isOwners else { throw Problem(.ownerOnly) }
            let current = try transaction.answers(of: tank.key)
            if current.version == 0 || current.answers != answers {
                try condition.requireMatch(current.tag)
                let version = current.version == 0 ? nil : current.version
                switch try transaction.execute(
                    PutTankAnswers(
                        device: DeviceKey(slot: tank.key.slot, device: tank.device), version: version, answers: answers)
                ).first {
                case .created, .changed: break
                // The same may have come by another request in between.
                case .stale:
                    guard try transaction.answers(of: tank.key).answers == answers else {
                        throw Problem(.preconditionFailed)
                    }
                case .notTheirs: throw Problem(.ownerOnly)
                case .unknown, nil: throw Problem(.notFound)
                }
            }
            return try transaction.questionnaire(
                try transaction.answers(of: tank.key), of: tank, account, caller.scope
            ).answer
        }
    }
}

extension PostgresTransaction {
    fileprivate func questionnaire(
        _ stored: StoredAnswers, of tank: Tank, _ account: Account.ID, _ scope: Scope
    ) throws -> ShownQuestionnaire {
        let device = DeviceKey(slot: tank.key.slot, device: tank.device)
        return ShownQuestionnaire(
            stored, settings: try execute(ListSettings(of: device, by: account)), language: scope.language)
    }
}
