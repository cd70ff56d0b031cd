package import ServiceKit
package import WaterQuality

/// An engine's configuration from its environment.
package struct RulesConfiguration: Sendable {
    package var database: DatabaseSettings
    package var policy: AlertPolicy
    /// The interval at which the engine looks at the queue without a notification. Only tests change it.
    package var interval = Duration.seconds(1)

    package init(database: DatabaseSettings, policy: AlertPolicy = AlertPolicy()) {
        self.database = database
        self.policy = policy
    }

    package init(reader: ConfigurationReader) {
        database = reader.serviceDatabase()
        let usual = AlertPolicy()
        policy = AlertPolicy(
            throttle: reader.duration(.throttle, default: usual.throttle),
            recoveryDelay: reader.duration(.recoveryDelay, default: usual.recoveryDelay),
            silenceAfter: reader.duration(
                .silenceAfter, default: usual.silenceAfter, within: AlertPolicy.silenceBounds),
            holdWithin: reader.duration(.hold, default: AlertPolicy.usualHold, within: AlertPolicy.holdBounds),
            mostAnHour: Self.mostAnHour(reader))
    }

    /// 0 stands for no bound.
    private static func mostAnHour(_ reader: ConfigurationReader) -> Int? {
        let most = reader.optional(.alertsAnHour) { Int($0).flatMap { (0...10_000).contains($0) ? $0 : nil } }
        return most == 0 ? nil : most ?? AlertPolicy.usualMost
    }
}
