import Instants
import PushClient
import PushTargets
import Secrets
import ServiceKit
import WaterQuality
import WebPush

/// The parts of sending to apps that are the same for all push services. Each service has its own: pauses and proof are its.
struct AppSending: Sendable {
    /// Where a person who taps a message is led, and where an app answers; nil where the installation has no public address.
    let origin: PublicOrigin?
    let keys: Renewable<SecretKeys>
    let client: PushClient
    let metrics: NotifierMetrics
    let pauses = OriginPauses()
    let proof = ServiceProof()

    func message(_ alert: RenderedAlert) -> AppMessage {
        AppMessage(
            alert, origin: origin,
            answer: origin.flatMap { alert.answerLinks(origin: $0, sealedWith: keys.current.newest) })
    }

    /// The token that the app registered.
    /// - Throws: That the secret cannot be opened.
    func token(of endpoint: Destination, on channel: Endpoint.Channel) throws -> String {
        String(decoding: try keys.openEndpoint(endpoint, on: channel).secret, as: UTF8.self)
    }

    /// - Throws: `AppObstacle`.
    func target(_ url: String) throws -> PushTarget {
        guard let target = try? client.policy.register(url) else { throw AppObstacle.notPermitted }
        return target
    }

    /// - Parameter authorization: By which the push service knows us.
    func post(
        _ body: [UInt8], headers: [(name: String, value: String)], to target: PushTarget, by authorization: String,
        for endpoint: Destination
    ) async -> PushReply {
        await client.exchange(
            body, headers: headers + [("authorization", authorization)], to: target,
            for: AskerID(rawValue: endpoint.account.rawValue))
    }

    /// Counts an answer, and keeps the pause that it asks for.
    /// - Parameter name: Of what rests.
    func note(
        _ counted: PushServiceAnswer, _ sign: OriginPauses.Sign, in reply: PushReply, from name: String,
        to endpoint: Destination, on service: PushService, at time: Timestamp
    ) {
        metrics.pushAnswers[service, counted].increment()
        if counted == .accepted { proof.give() }
        pauses.note(reply.answer, from: name, to: endpoint.account, saying: sign, receivedAt: time)
    }
}

/// Why nothing is sent to an app, in words for people.
enum AppObstacle: Error, CustomStringConvertible {
    /// The operator has not set this variable.
    case switchedOff(Variable)
    case notPermitted
    case malformed

    var description: String {
        switch self {
        case .switchedOff(let variable): "nothing is sent to this app: the notifier has no \(variable.rawValue)"
        case .notPermitted: "the push service's server is not permitted"
        case .malformed: "the stored token of the app is malformed"
        }
    }
}
