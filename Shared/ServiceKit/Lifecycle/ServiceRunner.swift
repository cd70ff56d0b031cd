package import Logging
package import ServiceLifecycle
import UnixSignals

/// Runs services until a signal or an error ends the process.
package enum ServiceRunner {
    /// How long after the signal the process ends, whatever still runs; container runtimes kill after 10 s.
    package static let forcedAfter = Duration.seconds(10)

    /// Runs all services and returns the process's exit code: 0 after a requested stop, 1 after an error.
    ///
    /// SIGTERM and SIGINT stop the services one after another, the last one first. A service that throws makes the
    /// others stop in the same way; one that returns unasked is an error too, and the others are cancelled. Errors are
    /// logged once, here, and nowhere else.
    /// - Parameters:
    ///   - health: Reports not ready from the moment that the stop begins.
    ///   - gracePeriod: How long the services have to finish, all together, before they are cancelled.
    ///   - forceExit: Ends the process if the services do not; tests replace it.
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
        // The group repeats each error at its own levels; ours is the one line.
        var quiet = logger
        quiet.logLevel = .critical
        return ServiceGroupConfiguration(
            services: services.map {
                // Named by type: the group would print the whole value, passwords included.
                .init(
                    service: $0, successTerminationBehavior: .cancelGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup, serviceName: "\(type(of: $0))")
            },
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: quiet)
    }
}
