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

    /// The most bytes of a device's name in the title, so that what is wrong with it is not cut off.
    private static let longestName = 96

    /// - Parameter answer: The links by which the alarm is answered.
    init(_ rendered: RenderedAlert, origin: PublicOrigin, answer: AnswerLinks?, at time: Timestamp) throws {
        let topic = CollapseTopic.text(of: rendered.collapseKey)
        // Push services carry little: of several alerts as many have a line as there is room for.
        var lines = NoticeGroup.mostLines
        var text = try Self.text(rendered, lines: lines, tag: topic, origin: origin, answer: answer)
        while text.count > EncryptedMessage.longestText, lines > 1, rendered.alerts.count > 1 {
            lines -= 1
            text = try Self.text(rendered, lines: lines, tag: topic, origin: origin, answer: answer)
        }
        self.text = text
        headers = [
            ("content-type", "application/octet-stream"),
            ("content-encoding", "aes128gcm"),
            ("user-agent", "AquaMonitor"),
            ("ttl", "\(Self.secondsLeft(of: rendered, at: time))"),
            ("topic", topic),
            // An all-clear may wait until the phone is awake anyway, and what is told regularly, too.
            ("urgency", rendered.isOver || rendered.isQuiet ? "normal" : "high"),
        ]
    }

    private static func text(
        _ rendered: RenderedAlert, lines: Int, tag: String, origin: PublicOrigin, answer: AnswerLinks?
    ) throws -> [UInt8] {
        let alert = rendered.alert
        let words = rendered.words(longestName: Self.longestName, most: lines)
        // For the web app, which shows and opens the alert; a promise to it.
        let data: JSONObject =
            [
                "alert": alert.name.text, "device": alert.device, "parameter": alert.content.subject?.name,
                "kind": alert.kind.rawValue, "purpose": alert.purpose.rawValue, "answer": answer?.token,
                "receipt": rendered.receiptToken,
            ] + group(rendered, lines: lines)
        // The members that browsers read (Push API, "declarative push message"); its names are not ours to choose.
        // Where the browser shows them; the web app's worker answers at once, a browser without one opens the page that asks.
        let actions = answer.map { answer in
            AnswerLinks.answers.map { said -> JSONObject in
                ["action": said, "title": alert.language.text("answer.\(said)"), "navigate": answer.page]
            }
        }
        let notification: JSONObject = [
            "title": words.title, "body": words.body, "navigate": "\(origin.text)\(rendered.path)",
            "lang": alert.language.rawValue,
            // None of our languages is written from right to left.
            "dir": "ltr",
            "silent": rendered.isQuiet,
            // A notification replaces the one with the same tag.
            "tag": tag,
            // Whether the phone buzzes as well when it replaces one.
            "renotify": !rendered.isOver && !rendered.isQuiet,
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

extension String {
    /// At most so many bytes of UTF-8, whole characters, with an ellipsis where any are missing.
    func cut(toBytes most: Int) -> String {
        guard utf8.count > most else { return self }
        var kept = ""
        var room = most - "…".utf8.count
        for character in self {
            room -= character.utf8.count
            guard room >= 0 else { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
