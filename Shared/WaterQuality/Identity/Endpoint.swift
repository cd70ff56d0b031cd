/// A destination of a person's alerts.
package enum Endpoint {
    package struct ID: RawRepresentable, Hashable, Comparable, Sendable, Encodable, CustomStringConvertible {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        package var description: String { "\(rawValue)" }

        package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
    }

    /// The channel of an endpoint. The raw values are stored.
    package enum Channel: String, CaseIterable, Sendable, Encodable {
        case webhook
        /// A browser, through its push service.
        case webPush
        /// An app on an Apple device, through Apple's push service.
        case apns
        /// An app on an Android device, through Firebase Cloud Messaging.
        case fcm
        /// Services that bring messages to phones, into chats and into mailboxes (`MessagingServices`).
        case email, ntfy, telegram, matrix, slack, gotify, pushover
        /// A telephone, by an account of the person's at a provider: each message costs, and wakes.
        case sms, call
    }

    /// The form of what a webhook is sent. The raw values are stored.
    package enum Form: String, CaseIterable, Sendable, Encodable {
        /// Our own, as Standard Webhooks describes.
        case standard
        /// CloudEvents 1.0, structured, in JSON.
        case cloudEvents
        /// The payload of Prometheus Alertmanager's webhooks, version 4.
        case alertmanager
        /// A text of the person's own.
        case template
    }
}
