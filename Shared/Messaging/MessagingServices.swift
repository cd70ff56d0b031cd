package import WaterQuality

/// All services that bring messages to people.
package enum MessagingServices {
    package static let all: [any MessagingService.Type] = [
        Ntfy.self, Telegram.self, Matrix.self, SlackCompatible.self, Gotify.self, Pushover.self,
    ]

    package static subscript(channel channel: Endpoint.Channel) -> (any MessagingService.Type)? {
        all.first { $0.channel == channel }
    }
}
