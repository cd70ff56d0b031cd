package import WaterQuality

/// All services that bring messages to people.
package enum MessagingServices {
    package static let all: [any MessagingService.Type] = [
        Email.self, Ntfy.self, Telegram.self, Matrix.self, SlackCompatible.self, Gotify.self, Pushover.self, Sms.self,
        Call.self,
    ]

    /// The services that an installation offers.
    /// - Parameter hasMail: Whether its operator named a mail server.
    package static func offered(hasMail: Bool) -> [any MessagingService.Type] {
        all.filter { hasMail || $0.channel != .email }
    }

    package static subscript(channel channel: Endpoint.Channel) -> (any MessagingService.Type)? {
        all.first { $0.channel == channel }
    }
}
