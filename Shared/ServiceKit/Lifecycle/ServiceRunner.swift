package import Logging
package import ServiceLifecycle
import UnixSignals

/// Runs services until a signal or an error ends the process.
package enum ServiceRunner {
    /// How long services have to finish after SIGTERM or SIGINT before they are cancelled.
    package static let gracePeriod = Duration.seconds(8)
    /// How long after the signal the process ends, whatever still runs; container runtimes kill after 10 s.
    package static let forcedAfter = Duration.seconds(10)

    /// Runs all services and returns the process's exit code: 0 after a requested stop, 1 after an error.
    ///
    /// SIGTERM and SIGINT stop the services one after another, the last one first. A service that throws, or returns
    /// unasked, stops the others in the same way; its error is logged once, here.
    /// - Parameters:
    ///   - health: Reports not ready from the moment that the stop begins.
    ///   - forceExit: Ends the process if the services do not; tests replace it.
    package static func run<C: Clock>(
        services: [any Service], health: Health, logger: Logger, clock: C = ContinuousClock(),
        forceExit: @escaping @Sendable () -> Void = { forceProcessExit() }
    ) async -> Int32 where C.Duration == Duration {
        let deadline = StopDeadline(
            health: health, limit: forcedAfter, clock: clock, logger: logger, forceExit: forceExit)
        defer { deadline.cancel() }
        let group = ServiceGroup(configuration: groupConfiguration(services + [deadline], logger: logger))
        do {
            try await group.run()
            logger.info("Stopped")
            return 0
        } catch {
            logger.error("Stopped by an error", [.error: "\(error)"])
            return 1
        }
    }

    private static func groupConfiguration(_ services: [any Service], logger: Logger) -> ServiceGroupConfiguration {
        // The group repeats each error at its own levels; ours is the one line.
        var quiet = logger
        quiet.logLevel = .critical
        var configuration = ServiceGroupConfiguration(
            services: services.map {
                .init(
                    service: $0, successTerminationBehavior: .cancelGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup)
            },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: quiet)
        configuration.maximumGracefulShutdownDuration = gracePeriod
        return configuration
    }
}
