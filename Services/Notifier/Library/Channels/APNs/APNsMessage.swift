import Crypto
import Instants
import Messaging
import Store
import WaterQuality

/// An alert as Apple's push service takes it. Apple keeps one message for a phone that is off, and may change their order: each says all
/// that there is to say.
struct APNsMessage: Sendable {
    let body: [UInt8]
    /// All but the authorization.
    let headers: [(name: String, value: String)]

    init(_ message: AppMessage, topic: String, allowsCritical: Bool) throws {
        let rendered = message.rendered
        let level = Self.level(rendered.urgency, allowsCritical: allowsCritical)
        body = try message.body { words, lines in
            let aps: JSONObject = [
                "alert": ["title": words.title, "body": words.body] as JSONObject,
                "interruption-level": level.rawValue,
                "sound": Self.sound(level),
                // Messages about one device stand together.
                "thread-id": rendered.alerts.count == 1 ? rendered.alert.device : nil,
                // For which the app has buttons.
                "category": message.answer.map { $0.subject == .care ? "care" : "alarm" },
                // The app's extension is woken, and says that the message has arrived.
                "mutable-content": 1,
            ]
            return try (["aps": aps, "aqua": message.data(lines: lines)] as JSONObject).bytes()
        }
        headers = [
            ("content-type", "application/json"),
            ("user-agent", "AquaMonitor"),
            ("apns-topic", topic),
            ("apns-push-type", "alert"),
            ("apns-priority", rendered.isPrompt ? "10" : "5"),
            ("apns-expiration", "\(rendered.expiresAt.microseconds / 1_000_000)"),
            ("apns-collapse-id", message.tag),
            ("apns-id", Self.id(of: rendered.id)),
        ]
    }

    private enum Level: String {
        case passive, active, critical
        case timeSensitive = "time-sensitive"
    }

    private static func level(_ urgency: AlertUrgency, allowsCritical: Bool) -> Level {
        switch urgency {
        case .critical: allowsCritical ? .critical : .timeSensitive
        case .pressing: .timeSensitive
        case .calm: .active
        case .quiet: .passive
        }
    }

    private static func sound(_ level: Level) -> (any Encodable)? {
        switch level {
        case .critical: ["critical": 1, "name": "default", "volume": 1] as JSONObject
        case .timeSensitive, .active: "default"
        case .passive: nil
        }
    }

    /// The delivery's id as a UUID (version 8): the same in every attempt.
    private static func id(of delivery: String) -> String {
        var bytes = Array(SHA256.hash(data: Array(delivery.utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    }
}
