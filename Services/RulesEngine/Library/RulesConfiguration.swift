package import ServiceKit
package import WaterQuality

/// What an engine is told by its environment.
package struct RulesConfiguration: Sendable {
    package var database: DatabaseSettings
    package var policy: AlertPolicy
    /// How often to look without having been told; another than this is for tests.
    package var interval = Duration.seconds(1)

    package init(database: DatabaseSettings, policy: AlertPolicy = AlertPolicy()) {
        self.database = database
        self.policy = policy
    }

    package init(reader: ConfigurationReader) {
        database = reader.database()
        let usual = AlertPolicy()
        policy = AlertPolicy(
            throttle: reader.duration(.throttle, default: usual.throttle),
            recoveryDelay: reader.duration(.recoveryDelay, default: usual.recoveryDelay))
    }
}
