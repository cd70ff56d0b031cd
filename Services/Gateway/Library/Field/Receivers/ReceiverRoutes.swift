import HTTPTypes
import Postgres
import Routes
import Secrets
import Store
import WaterQuality

/// Routes by which the owner of a tank or a site has a project receive its samples, and by which both see that and end it.
enum ReceiverRoutes {
    static let all = [list, add, senders, end].forProjects()

    private static let list = Route<Caller>(
        .get, "/devices/{device}/sample-receivers", id: "listSampleReceivers", tag: FieldSampleRoutes.tag,
        access: .read,
        "List who receives the samples of a device or place",
        text:
            "Whoever sees the device or place sees who receives its samples from now on. A sample names who received it.",
        inputs: [DeviceInputs.device], answers: .json(.ok, .list(of: .sampleSending)), problems: [.notFound]
    ) { caller, inputs in
        let id = inputs[DeviceInputs.device]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let device = try transaction.personDevice(id).key
            return .value(try transaction.execute(ListReceivers(of: device)))
        }
    }

    private static let token = Input<ProjectInvitationToken?>.optionalLinkToken()
    private static let project = Input.optionalField(
        "project", .projectID,
        "In place of a link: a project that receives samples of another device or place of the same owner.")

    private static let add = Route<Caller>(
        .post, "/devices/{device}/sample-receivers", id: "addSampleReceiver", tag: FieldSampleRoutes.tag,
        access: .fresh,
        "Have a project receive the samples of a device or place",
        text: """
            By its owner, who was sent a link of the project's for senders (inviteMember). The project reads each version of a sample that is finished \
            from now on, with its words, track and position, and with the name and position of the place; no photos. It is told when a sample is \
            withdrawn. A device or place has \(Sending.mostReceivers) receivers, and a project receives of \(Sending.mostSenders).
            """,
        inputs: [DeviceInputs.device, token, project], answers: .json(.created, .sampleSending, alternatives: [.ok]),
        problems: [
            .notFound, .ownerOnly, .invitationUnknown, .invitationUsed, .invitationExpired, .ownSamples,
            .tooManyReceivers,
        ], limit: .credentials
    ) { caller, inputs in
        let (id, token, project) = (inputs[DeviceInputs.device], inputs[token], inputs[project])
        guard token != nil else { return try await add(id, token, project, caller.scope) }
        return try await caller.withInvitationGuess { try await add(id, token, project, caller.scope) }
    }

    private static func add(
        _ id: Device.HardwareID, _ token: ProjectInvitationToken?, _ project: Account.ID?, _ scope: Scope
    ) async throws -> Answer<Sending> {
        try await scope.transaction { transaction, _ in
            let device = try transaction.ownDevice(id)
            guard (token == nil) != (project == nil) else { throw Problem(Self.token, .tokenOrProject) }
            let made = try transaction.execute(ReceiveFrom(device: device, tokenHash: token?.hash, project: project))[0]
            if let problem = made.outcome.problem(byLink: token != nil) { throw Problem(problem) }
            let all = try transaction.execute(ListReceivers(of: device))
            guard let sending = all.first(where: { $0.id == made.sending }) else { throw Problem(.notFound) }
            return .value(sending, status: made.outcome == .made ? .created : .ok)
        }
    }

    private static let senders = Route<Caller>(
        .get, "/field-samples/senders", id: "listSampleSenders", tag: FieldSampleRoutes.tag, access: .receiveSamples,
        "List of whom a project receives samples",
        text: "The devices and places whose owners agreed. A person receives none.",
        answers: .json(.ok, .list(of: .sampleSending))
    ) { caller, _ in
        try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            .value(try transaction.execute(ListSenders()))
        }
    }

    private static let sending = Input<SendingID>.path(
        "sending", .id, "The id of a receiver of a device's or place's samples.")

    private static let end = Route<Caller>(
        .delete, "/sample-receivers/{sending}", id: "endSampleReceiver", tag: FieldSampleRoutes.tag, access: .write,
        "Let a project receive no more samples of a device or place",
        text: """
            By the owner, or for the project that receives. Nothing is sent from now on; what was sent stays with the project, which is still told when one \
            of those samples is withdrawn, reviewed, or a name in it is forgotten.
            """,
        inputs: [sending], answers: .nothing, problems: [.notFound, .ownerOnly]
    ) { caller, inputs in
        let end = EndReceiving(inputs[sending])
        return try await caller.scope.transaction { transaction, _ in
            switch try transaction.execute(end)[0] {
            case .done: return .nothing
            case .notTheirs: throw Problem(.ownerOnly)
            case .unknown: throw Problem(.notFound)
            }
        }
    }
}

extension ReceiveFrom.Outcome {
    /// - Parameter byLink: Whether a link was taken up; a project that was named is unknown otherwise.
    fileprivate func problem(byLink: Bool) -> ProblemType? {
        switch self {
        case .made, .already: nil
        case .device: .notFound
        case .notTheirs: .ownerOnly
        case .unknown: byLink ? .invitationUnknown : .notFound
        case .used: .invitationUsed
        case .expired: .invitationExpired
        case .own: .ownSamples
        case .full: .tooManyReceivers
        }
    }
}

extension ProblemType {
    fileprivate static let ownSamples = ProblemType("own-samples", .conflict)
    fileprivate static let tooManyReceivers = ProblemType("too-many-receivers", .conflict)
}

extension Fault {
    fileprivate static let tokenOrProject = Fault("token-or-project")
}
