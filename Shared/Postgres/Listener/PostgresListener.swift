import Backoff

/// Listens on channels with a connection and a thread of its own, and reconnects by itself.
///
/// A notification is a hint: it makes a service look at its tables now instead of later. So equal ones are told once,
/// too many become one, and after every (re)connect the consumer hears that it may have missed some.
package struct PostgresListener: Sendable {
    private let configuration: PostgresConfiguration
    private let channels: [String]
    private let payloadLimit: Int
    private let clock: any Clock<Duration>
    private let onConnectFailure: @Sendable (PostgresError) -> Void

    /// - Parameters:
    ///   - payloadLimit: Different payloads kept per channel until the consumer takes them.
    ///   - onConnectFailure: Told of each lost connection and each failed attempt; attempts go on.
    package init(
        _ configuration: PostgresConfiguration, channels: [String], payloadLimit: Int = 64,
        clock: any Clock<Duration> = ContinuousClock(),
        onConnectFailure: @escaping @Sendable (PostgresError) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.channels = channels
        self.payloadLimit = payloadLimit
        self.clock = clock
        self.onConnectFailure = onConnectFailure
    }

    /// Listens for the length of `body`. The first event is `mayHaveMissed`, once listening has begun.
    package func withEvents<T: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (PostgresEvents) async throws -> T
    ) async throws -> T {
        let mailbox = EventMailbox(channels: channels, limit: payloadLimit)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await keepListening(for: mailbox)
                mailbox.finish()
            }
            defer { group.cancelAll() }
            return try await body(PostgresEvents(mailbox: mailbox))
        }
    }

    private func keepListening(for mailbox: EventMailbox) async {
        var backoff = Backoff.toDatabase
        while !Task.isCancelled {
            do {
                let link = try ListenerLink(name: configuration.applicationName)
                try await link.open(configuration, channels: channels)
                backoff.reset()
                mailbox.post { $0.noteReconnect() }
                try await link.forward(to: mailbox)
            } catch {
                if let error = error as? PostgresError { onConnectFailure(error) }
                // Only cancellation ends a sleep early, and the loop looks for that.
                try? await clock.sleep(for: backoff.next())
            }
        }
    }
}
