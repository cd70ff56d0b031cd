import Instants
import Messaging
import ServiceKit
import Store
import WaterQuality
import WebPush
import Words

/// An alert as browsers show it: a declarative notification, which Safari shows by itself and which others hand to the web app's
/// service worker.
struct WebPushMessage: Sendable {
    /// Not yet encrypted.
    let text: [UInt8]
    /// All but the authorization.
    let headers: [(name: String, value: String)]

    /// - Parameter answer: The links by which the alarm is answered.
    init(_ rendered: RenderedAlert, origin: PublicOrigin, answer: AnswerLinks?, at time: Timestamp) throws {
        let topic = CollapseTopic.text(of: rendered.collapseKey)
        // Push services carry little.
        text = try rendered.body(within: EncryptedMessage.longestText) { words, lines in
            try Self.text(rendered, words, lines: lines, tag: topic, origin: origin, answer: answer)
        }
        headers = [
            ("content-type", "application/octet-stream"),
            ("content-encoding", "aes128gcm"),
            ("user-agent", "AquaMonitor"),
            ("ttl", "\(Self.secondsLeft(of: rendered, at: time))"),
            ("topic", topic),
            ("urgency", rendered.isPrompt ? "high" : "normal"),
        ]
    }

    private static func text(
        _ rendered: RenderedAlert, _ words: Notice.Message, lines: Int, tag: String, origin: PublicOrigin,
        answer: AnswerLinks?
    ) throws -> [UInt8] {
        let alert = rendered.alert
        // For the web app, which shows and opens the alert; a promise to it.
        let data: JSONObject =
            [
                "alert": alert.name.text, "device": alert.device, "parameter": alert.content.subject?.name,
                "kind": alert.kind.rawValue, "purpose": alert.purpose.rawValue, "answer": answer?.token,
                "answers": answer?.subject == .care ? "/care-answers" : nil,
                "receipt": rendered.receiptToken,
            ] + group(rendered, lines: lines)
        // The members that browsers read (Push API, "declarative push message"); its names are not ours to choose.
        // Where the browser shows them; the web app's worker answers at once, a browser without one opens the page that asks.
        let actions = answer.map { answer in
            answer.subject.answers.map { said -> JSONObject in
                ["action": said, "title": alert.language.text("answer.\(said)"), "navigate": answer.page]
            }
        }
        let notification: JSONObject = [
            "title": words.title, "body": words.body, "navigate": "\(origin.text)\(rendered.path)",
            "lang": alert.language.rawValue,
            // None of our languages is written from right to left.
            "dir": "ltr",
            "silent": rendered.isSilent,
            // A notification replaces the one with the same tag.
            "tag": tag,
            // Whether the phone buzzes as well when it replaces one.
            "renotify": rendered.isPrompt,
            // In milliseconds.
            "timestamp": alert.decidedAt.microseconds / 1000,
            "data": data,
            "actions": actions,
        ]
        return try (["web_push": 8030, "notification": notification] as JSONObject).bytes()
    }

    /// The lines of a message about several alerts, with their tags: a later message about one of them takes its line away.
    private static func group(_ rendered: RenderedAlert, lines: Int) -> JSONObject {
        guard rendered.alerts.count > 1 else { return [:] }
        return [
            "alerts": rendered.alerts.prefix(lines).map(\.name.text),
            "covers": rendered.lines(most: lines).map { line -> JSONObject in
                ["tag": CollapseTopic.text(of: line.collapseKey), "line": line.text]
            },
            "more": max(0, rendered.alerts.count - lines),
        ]
    }

    /// How long a push service keeps it for a phone that is off. Never 0, which Windows refuses.
    private static func secondsLeft(of alert: RenderedAlert, at time: Timestamp) -> Int64 {
        max(1, (alert.expiresAt - time).components.seconds)
    }
}
