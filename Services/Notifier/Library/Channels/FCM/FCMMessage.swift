import Instants
import Messaging
import Store
import WaterQuality

/// An alert as Firebase Cloud Messaging takes it (HTTP v1).
///
/// All of it is data, which the app shows: Android hands data to the app at once, which says that it has arrived and puts the buttons
/// below it. A message that Android shows by itself wakes no app. Nothing is collapsed on the way: of one phone that is off Google would
/// keep four keys at most, and drop the alarms of the fifth tank. The app replaces what has the same `tag`.
struct FCMMessage: Sendable {
    let body: [UInt8]

    static let headers: [(name: String, value: String)] = [
        ("content-type", "application/json"), ("user-agent", "AquaMonitor"),
    ]

    /// The longest that Google keeps a message: four weeks.
    private static let longestLife: Int64 = 2_419_200

    /// - Parameter token: The app's own.
    init(_ message: AppMessage, to token: String, at time: Timestamp) throws {
        let rendered = message.rendered
        let seconds = min(max(1, (rendered.expiresAt - time).components.seconds), Self.longestLife)
        let android: JSONObject = [
            "priority": rendered.isPrompt ? "HIGH" : "NORMAL",
            "ttl": "\(seconds)s",
        ]
        body = try message.body { words, lines in
            let shown: JSONObject = [
                "title": words.title, "body": words.body, "tag": message.tag,
                "urgency": Self.urgency(rendered.urgency), "id": rendered.id,
                "time": "\(rendered.alert.decidedAt.microseconds / 1000)",
            ]
            let content: JSONObject = [
                "token": token, "data": shown + message.data(lines: lines), "android": android,
            ]
            return try (["message": content] as JSONObject).bytes()
        }
    }

    /// A word by which the app chooses among its channels of notifications.
    private static func urgency(_ urgency: AlertUrgency) -> String {
        switch urgency {
        case .critical: "critical"
        case .pressing: "alarm"
        case .calm: "end"
        case .quiet: "test"
        }
    }
}
