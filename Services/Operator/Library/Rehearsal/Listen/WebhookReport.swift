import Instants
import Secrets
import WaterQuality

/// What is told of one webhook. Nothing of the body is, unless the signature is ours.
struct WebhookReport: Hashable, Sendable {
    let webhookID: String?
    /// When it was here.
    let arrival: Timestamp
    let verdict: WebhookSecret.Verdict
    /// This id came before.
    var isRepeated = false
    /// The status of our answer.
    var answer = 200
    private let body: JSONValue?

    init(_ webhook: IncomingWebhook, verdict: WebhookSecret.Verdict, body: JSONValue?, arrival: Timestamp) {
        webhookID = webhook.id
        self.arrival = arrival
        self.verdict = verdict
        self.body = verdict == .valid ? body : nil
    }

    var type: String? { body?["type"]?.text }
    var data: JSONValue? { body?["data"] }
    var title: String? { data?["title"]?.text }
    var message: String? { data?["text"]?.text }

    /// From the device's own clock to here; nil where there is none, and for old readings, whose age is not ours.
    var latency: Duration? {
        guard let event = time("event_time") else { return nil }
        // Without a device's clock the time of receipt stands for it.
        let underWay = (time("received_at") ?? arrival) - event
        return underWay > .zero && underWay < Self.fresh ? arrival - event : nil
    }

    /// From the receipt of the reading to here.
    var receivedLatency: Duration? { time("received_at").map { arrival - $0 } }

    /// A reading that needed longer from the device to the Ingestor was sent after an outage or is a replay.
    private static let fresh = Duration.seconds(60)

    private func time(_ name: String) -> Timestamp? { data?[name]?.text.flatMap { Timestamp($0) } }
}

extension WebhookSecret.Verdict {
    /// Why a webhook is refused.
    var reason: String {
        switch self {
        case .valid: "nothing is wrong"
        case .malformed: "webhook-id, webhook-timestamp or webhook-signature is missing or malformed"
        case .outOfTime: "its timestamp is not within five minutes of this clock"
        case .forged: "its signature is of none of our secrets"
        }
    }
}
