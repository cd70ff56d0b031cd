package import Logging
package import ServiceLifecycle
import UnixSignals

/// Runs services until a signal or an error ends the process.
package enum ServiceRunner {
    /// The time from the signal to the forced end of the process; container runtimes kill after 10 s.
    package static let forcedAfter = Duration.seconds(10)

    /// Runs all services and returns the process's exit code: 0 after a requested stop, 1 after an error.
    ///
    /// SIGTERM and SIGINT stop the services one after another, the last one first. A service that throws makes the
    /// others stop in the same way; a service that returns unasked counts as an error, and the others are cancelled.
    /// Errors are logged once, here only.
    /// - Parameters:
    ///   - health: Reports not ready from the beginning of the stop.
    ///   - gracePeriod: The time for all services to finish before they are cancelled.
    ///   - forceExit: Ends the process if the services do not end; tests replace it.
    package static func run<C: Clock>(
        services: [any Service], health: Health, logger: Logger, clock: C = ContinuousClock(),
        gracePeriod: Duration = .seconds(8), forceExit: @escaping @Sendable () -> Void = { forceProcessExit() }
    ) async -> Int32 where C.Duration == Duration {
        let deadline = StopDeadline(
            health: health, limit: forcedAfter, clock: clock, logger: logger, forceExit: forceExit)
        defer { deadline.cancel() }
        var configuration = groupConfiguration(services + [deadline], logger: logger)
        configuration.maximumGracefulShutdownDuration = gracePeriod
        let group = ServiceGroup(configuration: configuration)
        do {
            try await group.run()
            logger.info("Stopped")
            return 0
        } catch is CancellationError {
            logger.error("Services did not stop in time and were cancelled")
            return 1
        } catch {
            logger.error("Stopped by an error", [.error: "\(error)"])
            return 1
        }
    }

    private static func groupConfiguration(_ services: [any Service], logger: Logger) -> ServiceGroupConfiguration {
        // Silences the group, which would repeat each error at its own levels.
        var quiet = logger
        quiet.logLevel = .critical
        return ServiceGroupConfiguration(
            services: services.map {
                // Named by type, because the group would print the whole value, passwords included.
                .init(
                    service: $0, successTerminationBehavior: .cancelGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: "\(type(of: $0))")
            },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: quiet)
    }
}
