import Instants
import Operator
import Secrets
import WaterQuality

/// The report of one webhook. It shows the body only if the signature is valid.
struct WebhookReport: Hashable, Sendable {
    let webhookID: String?
    /// When the request was received.
    let arrival: Timestamp
    let verdict: WebhookSecret.Verdict
    /// Whether a webhook of this id came before.
    var isRepeated = false
    /// The status of our answer.
    var answer = 200
    /// Text in place of the latency for a reading that was old when it was received; nil for the latency from its receipt.
    var ofOldReading: String?
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

    /// The answer to an endpoint challenge; nil for every other message.
    var nonce: String? {
        guard type == "endpoint.challenge", let nonce = data?["challenge"]?.text,
            nonce.utf8.allSatisfy(Self.isOfNonce)
        else { return nil }
        return nonce
    }

    /// The letters of base64url, which need no escape in JSON.
    private static func isOfNonce(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// The time from the reading, by the device's own clock, to here; nil without such a time, and for readings that were
    /// already old when they were received.
    var latency: Duration? {
        guard let event = time("event_time") else { return nil }
        // A reading without a device time has its time of receipt as event time.
        let underWay = (time("received_at") ?? arrival) - event
        return underWay > .zero && underWay < Self.fresh ? arrival - event : nil
    }

    /// Whether the reading was old when it was received.
    private var isOfOldReading: Bool {
        guard let event = time("event_time"), let receipt = time("received_at") else { return false }
        return receipt - event >= Self.fresh
    }

    /// The time from the receipt of the reading to here.
    var receivedLatency: Duration? { time("received_at").map { arrival - $0 } }

    /// A reading that took longer than this from the device to the Ingestor was sent after an outage, or is a replay.
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

extension WebhookReport: Report {
    /// One line: when, what, how fast.
    var text: String {
        guard verdict == .valid else {
            return "\(arrival)  refused with \(answer): \(verdict.reason)\(webhookID.map { " (\($0))" } ?? "")".oneLine
        }
        var parts = ["\(arrival)"]
        if isRepeated { parts.append("repeated (\(webhookID ?? ""))") }
        let saying = [title, message].compactMap(\.self).joined(separator: ": ")
        parts.append(saying.isEmpty ? type ?? "a webhook without a type" : saying)
        if !isRepeated, let latency = latencyText { parts.append(latency) }
        if answer != 200 { parts.append("answered \(answer)") }
        return parts.joined(separator: "  ").oneLine
    }

    private var latencyText: String? {
        if let ofOldReading, isOfOldReading { return ofOldReading }
        let received = receivedLatency.map { "\($0.millisecondsText) ms from receipt" }
        if let latency { return "latency \(latency.millisecondsText) ms" + (received.map { " (\($0))" } ?? "") }
        return received.map { "latency \($0)" }
    }

    func encode(to encoder: any Encoder) throws {
        func string(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
        func milliseconds(_ duration: Duration?) -> JSONValue { duration.map { .number($0.milliseconds) } ?? .null }
        let members: [String: JSONValue] = [
            "webhook_id": string(webhookID),
            "time": .string(arrival.iso8601),
            "type": string(type),
            "title": string(title),
            "text": string(message),
            "latency_ms": milliseconds(latency),
            "received_latency_ms": milliseconds(receivedLatency),
            "verified": .bool(verdict == .valid),
            "refused": verdict == .valid ? .null : .string(verdict.reason),
            "repeated": .bool(isRepeated),
            "answered": .integer(Int64(answer)),
            "data": data ?? .null,
        ]
        try JSONValue.object(members).encode(to: encoder)
    }
}

extension Duration {
    fileprivate var milliseconds: Double { Double(wholeMicroseconds) / 1000 }

    /// In milliseconds, rounded to a tenth.
    fileprivate var millisecondsText: String { "\((milliseconds * 10).rounded() / 10)" }
}

extension String {
    /// The text without control characters, so that input from the network cannot control the terminal.
    fileprivate var oneLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
