package import Instants
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

    init(_ delivery: LeasedDelivery) {
        alert = delivery.alert
        id = alert.name.delivery(to: delivery.key.endpoint)
        collapseKey = [alert.device, alert.content.subject?.name, alert.kind.rawValue].compactMap(\.self)
            .joined(separator: "/")
        let message = alert.message
        title = message.title
        body = message.body
        expiresAt = delivery.expiresAt
    }
}
