package import Instants
package import Logging

/// The facilities that every service gets, from `ServiceMain` or from a test.
package struct Facilities: Sendable {
    package let logger: Logger
    package let metrics: MetricsRegistry
    package let health: Health
    package let clock: WallClock

    package init(
        logger: Logger, metrics: MetricsRegistry = MetricsRegistry(), health: Health = Health(),
        clock: WallClock = .system
    ) {
        self.logger = logger
        self.metrics = metrics
        self.health = health
        self.clock = clock
    }
}
