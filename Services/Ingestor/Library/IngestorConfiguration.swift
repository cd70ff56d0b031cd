package import ServiceKit
package import Words

/// An Ingestor's settings, from its environment.
package struct IngestorConfiguration: Sendable {
    package var database: DatabaseSettings
    package var broker: BrokerSettings
    /// Whether several Ingestors share the messages. Only for brokers that keep shared subscriptions over a restart and
    /// the messages of one device in order; Mosquitto does neither.
    package var sharesSubscription: Bool
    package var retention: RetentionSettings
    /// The server for devices without MQTT; nil where there is none.
    package var deviceHTTP: DeviceHTTPConfiguration?
    /// Home Assistant's broker; nil where it is not told.
    package var homeAssistant: BrokerSettings?
    /// Others' public stations; nil where sites show none.
    package var stations: StationSettings?
    /// The installation's own name (`AQUA_BRAND_NAME`), which Home Assistant shows as the devices' maker.
    package var brand = Brand.product
    /// How long the session of an empty seat is left to the Ingestor that held it.
    package var seatGrace = Duration.seconds(60)

    package init(
        database: DatabaseSettings, broker: BrokerSettings, sharesSubscription: Bool = false,
        retention: RetentionSettings = RetentionSettings(), deviceHTTP: DeviceHTTPConfiguration? = nil
    ) {
        self.database = database
        self.broker = broker
        self.sharesSubscription = sharesSubscription
        self.retention = retention
        self.deviceHTTP = deviceHTTP
    }

    package init(reader: ConfigurationReader) {
        self.init(
            database: reader.serviceDatabase(), broker: reader.broker(), sharesSubscription: reader.flag(.mqttShare),
            retention: reader.retention(), deviceHTTP: reader.deviceHTTP())
        homeAssistant = reader.homeAssistant()
        stations = reader.stations()
        brand = reader.brandByName()
    }
}
