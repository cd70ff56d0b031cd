package import Instants
import Messaging
import Secrets
import ServiceKit
package import Store
import WaterQuality

/// An alert in the words and units of the person who is told: all that a channel needs to send it.
package struct RenderedAlert: Sendable {
    /// The same in every attempt, so that a receiver can tell a repeat; holds no dot.
    package var id: String
    /// The same for an alarm, its reminders and its recovery: each replaces the one before it.
    package var collapseKey: String
    package var alert: StoredAlert
    package var title: String
    package var body: String
    package var expiresAt: Timestamp
    /// The database's token by which whoever has the message answers the alarm; nil where there is nothing to answer.
    package var answerToken: String?

    init(_ delivery: LeasedDelivery) {
        alert = delivery.alert
        id = alert.name.delivery(to: delivery.key.endpoint)
        collapseKey = [alert.device, alert.content.subject?.name, alert.kind.rawValue].compactMap(\.self)
            .joined(separator: "/")
        let message = alert.message
        title = message.title
        body = message.body
        expiresAt = delivery.expiresAt
        answerToken = delivery.answerToken
    }

    /// The links by which whoever has the message answers the alarm.
    func answerLinks(origin: PublicOrigin, sealedWith key: SecretKey) -> AnswerLinks? {
        guard let answerToken, let token = try? SealedLink.answer.text(of: answerToken, sealedWith: key) else {
            return nil
        }
        return AnswerLinks(
            page: "\(origin.text)/answer#\(token)", posted: "\(origin.text)/api/v1/answers", token: token)
    }
}
