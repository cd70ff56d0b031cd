import Backoff
import Logging
import ServiceKit
import ServiceLifecycle
import Synchronization
import Testing

/// Repeated attempts that end when the service is asked to stop.
@Suite struct ShutdownRetryTests {
    private struct Refused: Error {}

    /// A service that keeps trying, and asks its group to stop at a certain attempt.
    private struct Trier: Service {
        let attempts = Attempts()
        let stopsAt: Int
        var succeeds = false
        var pause = Duration.seconds(3_600)
        let log: CapturedLog

        final class Attempts: Sendable {
            let count = Atomic(0)
            let result = Mutex<String?>("none yet")
            let stop = Mutex<(@Sendable () async -> Void)?>(nil)
        }

        func run() async throws {
            let result = try await keepTryingUntilShutdown(
                "database", backoff: Backoff(base: pause, cap: pause, jitter: .half),
                logger: log.logger()
            ) { _ in
                if attempts.count.add(1, ordering: .relaxed).newValue == stopsAt {
                    await attempts.stop.withLock(\.self)?()
                    // Waits for the group's request, which comes in its own time.
                    if succeeds { try await gracefulShutdown() }
                }
                guard succeeds, attempts.count.load(ordering: .relaxed) == stopsAt else { throw Refused() }
                return "done"
            }
            attempts.result.withLock { $0 = result }
            try await gracefulShutdown()
        }
    }

    private func run(_ trier: Trier) async throws {
        let group = ServiceGroup(services: [trier], logger: trier.log.logger())
        trier.attempts.stop.withLock { $0 = { await group.triggerGracefulShutdown() } }
        try await group.run()
    }

    /// The pause would last for at least half an hour.
    @Test(.timeLimit(.minutes(5))) func thePauseEndsAndNoAttemptFollows() async throws {
        let trier = Trier(stopsAt: 1, log: CapturedLog())
        try await run(trier)
        #expect(trier.attempts.count.load(ordering: .relaxed) == 1)
        #expect(trier.attempts.result.withLock(\.self) == nil)
    }

    @Test(.timeLimit(.minutes(5))) func anAttemptThatSucceedsAllTheSameCounts() async throws {
        let trier = Trier(stopsAt: 1, succeeds: true, log: CapturedLog())
        try await run(trier)
        #expect(trier.attempts.result.withLock(\.self) == "done")
    }

    /// The attempt returns because the service stops, not because the server is back.
    @Test(.timeLimit(.minutes(5))) func stoppingInAnOutageIsNoRecovery() async throws {
        let trier = Trier(stopsAt: 2, succeeds: true, pause: .milliseconds(1), log: CapturedLog())
        try await run(trier)
        let messages = try trier.log.messages()
        #expect(messages.contains("Failed and is tried again") && !messages.contains("Works again"))
    }
}
