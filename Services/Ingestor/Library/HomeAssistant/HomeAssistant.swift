import Backoff
import Instants
import Logging
import MQTT
import ServiceKit
import ServiceLifecycle

/// Tells Home Assistant of devices and their newest readings, through a broker that the operator names.
///
/// Home Assistant is told only what the lanes have just committed, and holds none of them up: while its broker is away
/// only the newest of each device is kept.
struct HomeAssistant: Sendable {
    private static let mostDevices = 1_000

    let broker: BrokerSettings
    let board: HomeBoard
    let problems: HomeProblems
    /// The clock of the receipts.
    let clock: WallClock
    let connected: Gauge
    let logger: Logger

    init(_ broker: BrokerSettings, _ facilities: Facilities, clock: WallClock) {
        self.broker = broker
        board = HomeBoard()
        problems = HomeProblems()
        self.clock = clock
        logger = facilities.logger
        connected = facilities.metrics.gauge(
            "aqua_ingestor_home_assistant_connected", "1 while Home Assistant's broker is connected.")
    }

    /// Publishes until the service is asked to stop.
    func run() async throws {
        try await keepTryingUntilShutdown("telling Home Assistant", logger: logger) { outage in
            try await MQTTConsumer.with(configuration()) { consumer in
                connected.set(1)
                defer { connected.set(0) }
                outage.end()
                logger.info("Telling Home Assistant")
                board.startAnew()
                problems.startAnew()
                try await tell(consumer)
                try await consumer.disconnect()
            }
        }
    }

    /// Publishes at most once a second for each device.
    private func tell(_ consumer: MQTTConsumer) async throws {
        while !Task.isShuttingDownGracefully {
            try await consumer.acknowledge(
                publishing: board.take(most: Self.mostDevices, now: clock.now())
                    + problems.take(most: Self.mostDevices))
            do {
                // Nothing is subscribed to: receiving only waits, and notices when the connection ends.
                _ = try await cancelWhenGracefulShutdown {
                    try await consumer.receive(maximum: 1, patience: .seconds(1))
                }
            } catch is CancellationError where Task.isShuttingDownGracefully && !Task.isCancelled {
                return
            }
        }
    }

    /// A session that ends with its connection, under a client id that no other Ingestor has.
    private func configuration() -> MQTTConfiguration {
        MQTTConfiguration(
            endpoint: MQTTEndpoint(host: broker.host, port: UInt16(broker.port), isSecure: broker.usesTLS),
            clientID: "aquamonitor-" + String(UInt64.random(in: 0 ... .max), radix: 16),
            credentials: MQTTCredentials(user: broker.user, password: broker.password.renewed().revealed),
            certificateAuthorityFile: broker.authorityFile)
    }
}

extension ConfigurationReader {
    /// `AQUA_HOME_ASSISTANT_URL`, `AQUA_HOME_ASSISTANT_USER`, `AQUA_HOME_ASSISTANT_PASSWORD_FILE` and
    /// `AQUA_HOME_ASSISTANT_CA_FILE`; nil unless the first is set.
    func homeAssistant() -> BrokerSettings? {
        guard optionalString(.homeAssistantURL) != nil else { return nil }
        return broker(
            url: .homeAssistantURL, user: .homeAssistantUser, passwordFile: .homeAssistantPasswordFile,
            authorityFile: .homeAssistantCAFile, minimumLength: 1, isOnly: true)
    }
}
