import Backoff
import Logging
import Postgres
import PublicHTTP
import ServiceKit
import ServiceLifecycle

/// Takes readings over HTTP from devices that do not speak MQTT, and tells them the time.
///
/// Every Ingestor runs one, even a standby: a device waits for each answer, so its readings come in order whoever
/// stores them.
struct DeviceServer: Sendable {
    private let server: GuardedServer<DeviceRequestHandler>
    private let intake = Intake()
    private let lane: Lane
    /// Connections for looking up keys.
    private let pool: PostgresPool
    private let certificate: RenewableCertificate?
    private let certificateRound: Duration
    private let listening: ReadinessFlag
    private let facilities: Facilities

    init(
        _ configuration: DeviceHTTPConfiguration, _ database: PostgresConfiguration, _ lane: Lane,
        _ facilities: Facilities
    ) {
        let settings = configuration.settings
        self.lane = lane
        self.facilities = facilities
        certificate = configuration.certificate
        certificateRound = settings.certificateRound
        pool = PostgresPool(database, size: 1, maximumWaiting: settings.mostRunning)
        let keys = DeviceKeyring(pool, settings.guesses, limit: settings.lookUpLimit)
        let metrics = DeviceHTTPMetrics(facilities.metrics)
        facilities.metrics.observe(configuration.certificate)
        let limits = ConnectionLimits(
            total: settings.mostConnections, perNetwork: settings.mostConnectionsPerNetwork,
            handshakes: certificate == nil ? nil : settings.handshakes)
        metrics.add(facilities.metrics, limits, most: settings.mostConnections, intake, keys)
        server = GuardedServer(
            address: configuration.address, variable: .deviceHTTPListen,
            responder: DeviceRequestHandler(
                keys: keys, intake: intake, configuration, metrics: metrics, clock: lane.clock,
                logger: facilities.logger),
            rules: ConnectionRules(
                timeouts: settings.timeouts, limits: limits, proxies: configuration.proxies,
                largestBody: PostedPayloads.largestBody),
            certificate: certificate, failedHandshakes: metrics.failedHandshakes, logger: facilities.logger)
        listening = facilities.health.readinessFlag("device server")
    }

    /// Serves until the service is asked to stop and every accepted request has its answer.
    /// - Throws: `ServiceKitError` if the address cannot be listened on, or an error that ends a lane for good.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            // Registries forget doubts after an hour, even when no request comes.
            group.addTask { try await every(.seconds(60)) { intake.wake() } }
            if let certificate {
                group.addTask {
                    try await certificate.watch(certificateRound, facilities.clock, facilities.logger)
                }
            }
            defer { group.cancelAll() }
            try await serve()
        }
    }

    private func serve() async throws {
        try await whileAllRun { group in
            group.addTask {
                // The lane runs until the last request has its answer.
                defer { intake.stop() }
                try await server.run { address in
                    facilities.logger.info("Serving devices", [.address: "\(address)"])
                    listening.set(true)
                }
            }
            group.addTask {
                defer { intake.stop() }
                try await store()
            }
        }
    }

    private func store() async throws {
        try await keepTryingUntilShutdown(
            "ingesting over HTTP", logger: facilities.logger, isRetriable: Ingestor.isRetriable
        ) { _ in
            do {
                try await lane.serve(intake)
            } catch  where Task.isShuttingDownGracefully && !Task.isCancelled {
                facilities.logger.info("Stopped with readings that devices will send again", [.reason: "\(error)"])
            }
        }
    }
}
