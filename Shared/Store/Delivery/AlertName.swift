package import WaterQuality

/// What an alert and its deliveries are called outside of the database: by receivers, in logs and reports.
package struct AlertName: Hashable, Sendable {
    package let text: String

    /// - Parameter uid: nil for an alert that was decided before alerts had one. It keeps the name that it was told by.
    package init(_ uid: Alert.UID?, slot: Slot, alert: Alert.ID) {
        text = uid.map { "\($0)" } ?? "\(slot.rawValue)_\(alert.rawValue)"
    }

    /// The same in every attempt and for everybody: a receiver's `webhook-id` and our logs' `delivery.id`. Holds no dot.
    package func delivery(to endpoint: Endpoint.ID) -> String { "alert_\(text)_\(endpoint)" }
}
