import Backoff

/// Listens on channels with a connection and a thread of its own, and reconnects by itself.
///
/// A notification is a hint: it makes a service look at its tables now instead of later. So equal notifications are
/// delivered once, too many become one, and after every (re)connect the consumer learns that it may have missed some.
package struct PostgresListener: Sendable {
    private let configuration: PostgresConfiguration
    private let channels: [String]
    private let payloadLimit: Int
    private let clock: any Clock<Duration>
    private let onConnectFailure: @Sendable (PostgresError) -> Void
    private let onReconnect: @Sendable () -> Void

    /// - Parameters:
    ///   - payloadLimit: The most different payloads kept for each channel until the consumer takes them.
    ///   - onConnectFailure: Called for each lost connection and each failed attempt to connect; attempts go on.
    ///   - onReconnect: Called when listening has begun again.
    package init(
        _ configuration: PostgresConfiguration, channels: [String], payloadLimit: Int = 64,
        clock: any Clock<Duration> = ContinuousClock(),
        onConnectFailure: @escaping @Sendable (PostgresError) -> Void = { _ in },
        onReconnect: @escaping @Sendable () -> Void = {}
    ) {
        self.configuration = configuration
        self.channels = channels
        self.payloadLimit = payloadLimit
        self.clock = clock
        self.onConnectFailure = onConnectFailure
        self.onReconnect = onReconnect
    }

    /// Listens for the length of `body`. The first event is `mayHaveMissed`, once listening has begun.
    package func withEvents<T: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (PostgresEvents) async throws -> T
    ) async throws -> T {
        let mailbox = EventMailbox(channels: channels, limit: payloadLimit)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { mailbox.finish() }
                try await keepListening(for: mailbox)
            }
            defer { group.cancelAll() }
            return try await body(PostgresEvents(mailbox: mailbox))
        }
    }

    private func keepListening(for mailbox: EventMailbox) async throws {
        try await keepConnecting(clock, onConnectFailure, onReconnect) { outage in
            let link = try ListenerLink(name: configuration.applicationName)
            try await link.open(configuration, channels: channels)
            outage.end()
            mailbox.post { $0.noteReconnect() }
            try await link.forward(to: mailbox)
        }
    }
}
