package import ServiceKit

/// What an Ingestor is told by its environment.
package struct IngestorConfiguration: Sendable {
    package var database: DatabaseSettings
    package var broker: BrokerSettings
    /// How long the session of an empty seat is left to whoever sat there.
    package var seatGrace = Duration.seconds(60)

    package init(database: DatabaseSettings, broker: BrokerSettings) {
        self.database = database
        self.broker = broker
    }

    package init(reader: ConfigurationReader) {
        self.init(database: reader.database(), broker: reader.broker())
    }
}
