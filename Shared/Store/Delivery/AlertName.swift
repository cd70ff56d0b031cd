package import WaterQuality

/// The name of an alert and its deliveries outside the database: to receivers, in logs and reports.
package struct AlertName: Hashable, Sendable {
    package let text: String

    /// - Parameter uid: The alert's UID; `nil` for an alert decided before alerts had one. Such an alert keeps its
    ///   earlier name.
    package init(_ uid: Alert.UID?, slot: Slot, alert: Alert.ID) {
        text = uid.map { "\($0)" } ?? "\(slot.rawValue)_\(alert.rawValue)"
    }

    /// The name of the alert's delivery to an endpoint: a receiver's `webhook-id` and our logs' `delivery.id`. It is
    /// the same in every attempt and contains no dot.
    package func delivery(to endpoint: Endpoint.ID) -> String { "alert_\(text)_\(endpoint)" }
}
