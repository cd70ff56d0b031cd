import Messaging
import ServiceKit
import Store
import WaterQuality
import WebPush
import Words

/// The parts of a message that are the same for all apps.
struct AppMessage: Sendable {
    let rendered: RenderedAlert
    let urgency: AppUrgency
    /// The same for an alarm, its reminders and its recovery, each of which replaces the one before it: 32 characters.
    let tag: String
    /// Where the service is; nil where it has no public address, and nothing can be answered.
    let origin: PublicOrigin?
    /// The links by which the alarm is answered.
    let answer: AnswerLinks?

    /// The most bytes of a message's body that Apple and Google take.
    static let longest = 4096
    /// The most bytes of a device's name in the title, so that what is wrong with it is not cut off.
    private static let longestName = 96

    init(_ rendered: RenderedAlert, origin: PublicOrigin?, answer: AnswerLinks?) {
        self.rendered = rendered
        self.origin = origin
        self.answer = answer
        urgency = AppUrgency(rendered)
        tag = CollapseTopic.text(of: rendered.collapseKey)
    }

    /// What an app needs to know beside title and text. All of it is text, since Google takes nothing else.
    /// - Parameter lines: How many of several alerts the text tells.
    func data(lines: Int) -> JSONObject {
        let alert = rendered.alert
        let isOne = rendered.alerts.count == 1
        return [
            "alert": alert.name.text, "device": alert.device, "parameter": alert.content.subject?.name,
            "kind": alert.kind.rawValue, "purpose": alert.purpose.rawValue, "language": alert.language.rawValue,
            "alerts": isOne ? nil : rendered.alerts.prefix(lines).map(\.name.text).joined(separator: ","),
            "path": rendered.path, "link": origin.map { "\($0.text)\(rendered.path)" },
            "answer": answer?.token, "answers": answer?.posted,
            "receipt": origin == nil ? nil : rendered.receiptToken,
            "receipts": origin.map { "\($0.text)/api/v1/receipts" },
        ]
    }

    /// A body that is short enough: of several alerts as many have a line as there is room for, and at last the text is cut.
    /// - Parameter write: Makes a body of title and text, and of how many alerts they tell.
    func body(_ write: (Notice.Message, _ lines: Int) throws -> [UInt8]) throws -> [UInt8] {
        var lines = NoticeGroup.mostLines
        var words = rendered.words(longestName: Self.longestName, most: lines)
        while lines > 1, rendered.alerts.count > 1, try write(words, lines).count > Self.longest {
            lines -= 1
            words = rendered.words(longestName: Self.longestName, most: lines)
        }
        return try Self.body(of: words) { try write($0, lines) }
    }

    /// A body whose text, and then title, is cut until it is short enough.
    static func body(of words: Notice.Message, _ write: (Notice.Message) throws -> [UInt8]) throws -> [UInt8] {
        var words = words
        let parts: [WritableKeyPath<Notice.Message, String>] = [\.body, \.title]
        for part in parts {
            guard try write(words).count > longest else { break }
            let text = words[keyPath: part]
            // The longest that fits: how many bytes of the body one of the text is depends on what it says.
            var (fits, most) = (0, text.utf8.count)
            while fits < most {
                let tried = (fits + most + 1) / 2
                words[keyPath: part] = text.cut(toBytes: tried)
                if try write(words).count <= longest { fits = tried } else { most = tried - 1 }
            }
            words[keyPath: part] = text.cut(toBytes: fits)
        }
        return try write(words)
    }
}
