import HTTPTypes
import Instants
import Postgres
import PushTargets
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality
import Webhooks

/// Routes of a person's endpoints.
enum EndpointRoutes {
    static let tag = API<Caller>.Tag(
        "Endpoints",
        "Where the person is alerted: browsers (Web Push), apps (APNs and FCM), services that bring messages to phones, into chats and mailboxes, and webhooks, signed as "
            + "Standard Webhooks describes.")

    static let all =
        [list, show, add, change, rotate, remove, test] + DeliveryRoutes.all + FormRoutes.all + CodedRoutes.all
        + BrowserRoutes.all + AppRoutes.all + MessagingRoutes.all + StopRoutes.all

    private static let listed = Output<[ShownEndpoint]>.object(
        "Endpoints", "The person's endpoints.",
        [.member("items", .list(of: ShownEndpoint.output), "In the order of their numbers.") { $0 }])

    private static let sent = Output<String>.object(
        "TestAlert", "A test alert on its way.",
        [.member("alert", .text, "The alert's id.", example: .string(Alert.exampleID)) { $0 }])

    private static let list = Route<Caller>(
        .get, "/endpoints", id: "listEndpoints", tag: tag.name, access: .read, "List the endpoints",
        text: "Each with how it fares.",
        answers: .json(.ok, listed),
        handle: { caller, _ in
            .value(
                try await caller.scope.transaction { transaction, account in
                    try transaction.execute(ListEndpoints(of: account)).map(ShownEndpoint.init)
                })
        })

    private static let show = Route<Caller>(
        .get, "/endpoints/{endpoint}", id: "showEndpoint", tag: tag.name, access: .read, "Show an endpoint",
        inputs: [EndpointInputs.endpoint], answers: .json(.ok, ShownEndpoint.output),
        problems: [.notFound],
        handle: { caller, inputs in
            .value(
                try await caller.scope.transaction { transaction, account in
                    try transaction.endpoint(inputs[EndpointInputs.endpoint], of: account)
                })
        })

    private static let add = Route<Caller>(
        .post, "/endpoints", id: "addEndpoint", tag: tag.name, access: .fresh, "Register a webhook",
        text: "The receiver is sent a signed message of the type endpoint.challenge, and must answer within 10 seconds "
            + "with a status of 2xx and {\"challenge\": ...}, the text that the message held. Only then is it registered. "
            + "An address of the person's own that is registered already gets a new secret, and keeps its form unless another is asked for.",
        inputs: [
            EndpointInputs.url, EndpointInputs.secret, FormInputs.registeredForm, FormInputs.template,
            FormInputs.templateType, Input<String?>.idempotencyKey,
        ],
        answers: .json(.created, RegisteredEndpoint.output, headers: [.location]),
        problems: [
            .endpointTaken, .tooManyEndpoints, .endpointUnreachable, .endpointUnanswered, .endpointUnproven,
            .tooManyChallenges, .sessionEnded,
        ],
        limit: .heavy,
        creates: { caller, inputs, encoding in
            let registration = EndpointRegistration(
                scope: caller.scope, session: caller.session, url: inputs[EndpointInputs.url],
                secret: inputs[EndpointInputs.secret] ?? .generate(), form: try WebhookForm.registered(inputs))
            return try await registration.run(encoding)
        })

    private static let rotate = Route<Caller>(
        .post, "/endpoints/{endpoint}/secret", id: "rotateEndpointSecret", tag: tag.name, access: .fresh,
        "Give a webhook a new secret",
        text: "For a while messages are signed with the former secret as well, so that the receiver refuses nothing. A "
            + "browser has no secret of ours and is not found here.",
        inputs: [EndpointInputs.endpoint, EndpointInputs.overlap, Input<String?>.idempotencyKey],
        answers: .json(.ok, RegisteredEndpoint.output), problems: [.notFound],
        creates: { caller, inputs, encoding in
            try await rotateSecret(
                of: inputs[EndpointInputs.endpoint], overlap: .seconds(3600 * inputs[EndpointInputs.overlap]),
                caller.scope, encoding)
        })

    private static let change = Route<Caller>(
        .patch, "/endpoints/{endpoint}", id: "changeEndpoint", tag: tag.name, access: .write,
        "Say what an endpoint is told, and when",
        text: "Machines listen behind webhooks, which are told everything at once at all hours. "
            + "An endpoint that is to hear of nothing but what is critical takes a session in which the password was given lately.",
        inputs: [EndpointInputs.endpoint, EndpointInputs.heedsQuietHours, EndpointInputs.onlyUrgent],
        answers: .json(.ok, ShownEndpoint.output), problems: [.notFound, .alwaysRings, .passwordNeeded],
        handle: { caller, inputs in
            let endpoint = inputs[EndpointInputs.endpoint]
            let ringsAlways = inputs[EndpointInputs.heedsQuietHours].map { !$0 }
            let onlyUrgent = inputs[EndpointInputs.onlyUrgent]
            return .value(
                try await caller.scope.transaction { transaction, account in
                    let present = try transaction.endpoint(endpoint, of: account).row
                    guard present.channel.known != .webhook else { throw Problem(.alwaysRings) }
                    if onlyUrgent == true, !present.onlyUrgent { try caller.scope.requireProof(in: transaction) }
                    _ = try transaction.execute(
                        ChangeEndpoint(endpoint, of: account, ringsAlways: ringsAlways, onlyUrgent: onlyUrgent))
                    return try transaction.endpoint(endpoint, of: account)
                })
        })

    private static let remove = Route<Caller>(
        .delete, "/endpoints/{endpoint}", id: "removeEndpoint", tag: tag.name, access: .fresh, "Remove an endpoint",
        text: "What is on its way there is not sent any more.",
        inputs: [EndpointInputs.endpoint], answers: .nothing, problems: [.notFound],
        handle: { caller, inputs in
            try await caller.scope.transaction { transaction, account in
                let removal = RemovePersonEndpoint(inputs[EndpointInputs.endpoint], of: account)
                guard try transaction.execute(removal).first != nil else { throw Problem(.notFound) }
            }
            return .nothing
        })

    private static let test = Route<Caller>(
        .post, "/test-alerts", id: "sendTestAlert", tag: tag.name, access: .write, "Send a test alert",
        text: "To one endpoint, or to all that are in use. What became of it is told by the alert itself, at Location. "
            + "At most ten in ten minutes.",
        inputs: [EndpointInputs.tested, Input<String?>.idempotencyKey],
        answers: .json(.accepted, sent, headers: [.location]),
        problems: [.notFound, .noEndpoint, .tooManyTests],
        creates: { caller, inputs, encoding in
            let uid = Alert.UID.random(at: caller.scope.services.clock.now())
            let endpoint = inputs[EndpointInputs.tested]
            return try await caller.scope.creation(encoding) { transaction, account in
                let statement = AddTestAlert(account: account, uid: uid, endpoint: endpoint, most: mostTests)
                switch try transaction.execute(statement).first?.outcome {
                case .added: break
                case .nowhere: throw try transaction.reason(endpoint, account)
                case .tooMany: throw Problem(.tooManyTests, retryAfter: .seconds(60))
                case nil: throw Problem(.internalError)
                }
                return .value("\(uid)", headers: [.location: "\(GatewayAPI.base)/alerts/\(uid)"])
            }
        })

    /// Most test alerts in ten minutes.
    private static let mostTests: Int32 = 10

    private static func rotateSecret(
        of endpoint: Endpoint.ID, overlap: Duration, _ scope: Scope, _ encoding: AnswerEncoding<RegisteredEndpoint>
    ) async throws -> Answer<RegisteredEndpoint> {
        let keys = scope.services.secretKeys.renewed()
        let secret = WebhookSecret.generate()
        return try await scope.creation(encoding) { transaction, account in
            guard let known = try transaction.execute(LockPersonEndpoint(endpoint, of: account)).first,
                known.channel.known == .webhook
            else { throw Problem(.notFound) }
            let sealed = try keys.rotate(
                SealedSecret(stored: known.secret), beside: known.target, to: secret.bytes,
                channel: known.channel.rawValue, number: endpoint.rawValue)
            _ = try transaction.execute(
                RotateEndpointSecret(
                    endpoint: endpoint, secret: sealed.secret.bytes, former: sealed.former.bytes, overlap: overlap))
            return .value(
                RegisteredEndpoint(endpoint: try transaction.endpoint(endpoint, of: account), secret: secret.text))
        }
    }
}

extension PostgresTransaction {
    /// - Throws: `Problem(.notFound)` for an endpoint that is not the person's.
    func endpoint(_ endpoint: Endpoint.ID, of account: Account.ID) throws -> ShownEndpoint {
        guard let row = try execute(ListEndpoints(of: account, only: endpoint)).first else {
            throw Problem(.notFound)
        }
        return ShownEndpoint(row: row)
    }

    /// The reason why a test goes nowhere: the endpoint named is not the person's, or none is in use.
    fileprivate func reason(_ endpoint: Endpoint.ID?, _ account: Account.ID) throws -> Problem {
        if let endpoint { _ = try self.endpoint(endpoint, of: account) }
        return Problem(.noEndpoint)
    }
}
