import Glibc
import Logging
import ServiceLifecycle
import Synchronization

/// The last service of a group, and so the first to be stopped: it starts the countdown to the process's forced end.
/// The countdown also starts when the group is cancelled.
final class StopDeadline<C: Clock>: Service where C.Duration == Duration {
    private let health: Health
    private let limit: Duration
    private let clock: C
    private let logger: Logger
    private let forceExit: @Sendable () -> Void
    private let countdown = Mutex<Task<Void, Never>?>(nil)

    init(health: Health, limit: Duration, clock: C, logger: Logger, forceExit: @escaping @Sendable () -> Void) {
        self.health = health
        self.limit = limit
        self.clock = clock
        self.logger = logger
        self.forceExit = forceExit
    }

    func run() async throws {
        defer { beginCountdown() }
        try await gracefulShutdown()
    }

    private func beginCountdown() {
        health.beginStopping()
        logger.info("Stopping")
        // Unstructured, because the group stops its next service only after this one has returned.
        let task = Task { [clock, limit, logger, forceExit] in
            guard (try? await clock.sleep(for: limit)) != nil else { return }
            logger.critical("Services do not stop; ending the process")
            forceExit()
        }
        countdown.withLock { $0 = task }
    }

    func cancel() {
        countdown.withLock { $0?.cancel() }
    }
}

/// Ends the process without waiting for anything, with `EX_SOFTWARE`.
package func forceProcessExit() {
    _exit(70)
}
