import HTTPTypes
import People
import Postgres
import PublicHTTP
import PushTargets
import Routes
import Secrets
import Store
import WaterQuality

/// Routes for somebody who was given the link of an invitation.
enum InvitationRoutes {
    static let all = [look, accept]

    private static let token = Input<WatchInvitation>.linkToken()

    private static let look = Route<Caller>(
        .post, "/invitations/look", id: "lookAtInvitation", tag: SharingRoutes.tag, access: .anyone,
        "Look at an invitation", text: "Shows what it offers, and not by whom.",
        inputs: [token], answers: .json(.ok, .offer), problems: [.invitationUnknown], limit: .credentials
    ) { caller, inputs in
        let hash = inputs[token].hash
        return try await caller.withInvitationGuess {
            try await caller.scope.anonymousTransaction { transaction in
                guard let offer = try transaction.execute(LookAtInvitation(tokenHash: hash)).first else {
                    throw Problem(.invitationUnknown)
                }
                return .value(offer)
            }
        }
    }

    private static let name = Input.optionalField(
        "name", .deviceName, "What the person calls the device; the owner's name for it unless given.")

    private static let accept = Route<Caller>(
        .post, "/invitations/accept", id: "acceptInvitation", tag: SharingRoutes.tag, access: .write,
        "Accept an invitation",
        text: """
            The person watches the device from then on, with the limits and rules that they had before, or else those \
            that the owner has now, as their own. The owner sees the \
            person's name.
            """,
        inputs: [token, name, Input<String?>.idempotencyKey],
        answers: .json(.created, .device, headers: [.eTag, .location]),
        problems: [
            .invitationUnknown, .invitationUsed, .invitationExpired, .deviceAlreadyYours, .alreadyWatching,
            .tooManyWatchers,
        ], limit: .credentials,
        creates: { caller, inputs, encoding in
            let (hash, name) = (inputs[token].hash, inputs[name]?.text)
            return try await caller.withInvitationGuess {
                try await caller.scope.creation(encoding) { transaction, account in
                    let joined = try transaction.execute(JoinDevice(tokenHash: hash, account: account, name: name))[0]
                    if let problem = joined.outcome.problem { throw Problem(problem) }
                    guard let key = joined.device, let device = try transaction.execute(FindJoinedDevice(key)).first
                    else {
                        throw Problem(.invitationUnknown)
                    }
                    return device.created()
                }
            }
        })
}

extension JoinDevice.Outcome {
    fileprivate var problem: ProblemType? {
        switch self {
        case .joined: nil
        case .unknown: .invitationUnknown
        case .used: .invitationUsed
        case .expired: .invitationExpired
        case .own: .deviceAlreadyYours
        case .watching: .alreadyWatching
        case .full: .tooManyWatchers
        }
    }
}

extension Caller {
    /// Runs `body`, unless too many unknown invitations were tried from this address.
    func withInvitationGuess<T: Sendable>(_ body: () async throws -> T) async throws -> T {
        let network = scope.address.network.description
        let guess = Guess(subject: network, origin: network)
        let limit = scope.services.invitations
        if let wait = limit.admit(guess) { throw Problem(.tooManyRequests, retryAfter: wait) }
        do {
            let value = try await body()
            limit.succeed(guess)
            return value
        } catch let problem as Problem where problem.type == .invitationUnknown {
            throw problem
        } catch {
            limit.succeed(guess)
            throw error
        }
    }
}
