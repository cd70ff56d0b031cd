import Messaging
import ServiceKit
import Store
import WaterQuality
import WebPush
import Words

/// The parts of a message that are the same for all apps.
struct AppMessage: Sendable {
    let rendered: RenderedAlert
    /// The same for an alarm, its reminders and its recovery, each of which replaces the one before it: 32 characters.
    let tag: String
    /// Where the service is; nil where it has no public address, and nothing can be answered.
    let origin: PublicOrigin?
    /// The links by which the alarm is answered.
    let answer: AnswerLinks?

    /// The most bytes of a message's body that Apple and Google take.
    static let longest = 4096

    init(_ rendered: RenderedAlert, origin: PublicOrigin?, answer: AnswerLinks?) {
        self.rendered = rendered
        self.origin = origin
        self.answer = answer
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

    /// A body that Apple and Google take.
    /// - Parameter write: Makes a body of title and text, and of how many alerts they tell.
    func body(_ write: (Notice.Message, _ lines: Int) throws -> [UInt8]) throws -> [UInt8] {
        try rendered.body(within: Self.longest, write)
    }
}
