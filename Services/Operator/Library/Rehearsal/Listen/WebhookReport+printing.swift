import Instants
import Secrets
import WaterQuality

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

    /// To a tenth.
    fileprivate var millisecondsText: String { "\((milliseconds * 10).rounded() / 10)" }
}

extension String {
    /// Without control characters: what came over the network must not write on the terminal as it likes.
    fileprivate var oneLine: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
