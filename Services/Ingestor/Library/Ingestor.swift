import DatabaseHealth
import Logging
import MQTT
import Postgres
package import ServiceKit
import ServiceLifecycle
import Store
import Words

/// Stores what devices publish, for as long as the process lives.
///
/// Any number of Ingestors may run: one works and the others stand by, or, where the broker can share a subscription
/// without losing any message or their order, each works on a seat of its own.
package struct Ingestor: Service, CustomStringConvertible {
    private let database: PostgresConfiguration
    private let pool: PostgresPool
    private let seating: Seating
    private let adopter: SeatAdopter
    private let deviceServer: DeviceServer?
    private let stations: StationPoller?
    private let homeAssistant: HomeAssistant?
    private let clockWatch: ClockWatch
    private let deletionWatch: DeletionWatch
    private let brand: Brand
    private let logger: Logger
    private let heartbeat: Heartbeat
    private let prepared = ReadinessFlag()
    private let commits: CommitWatch
    /// One for the lane, one for looking up and draining, one for the upkeep.
    private static let connections = 3

    /// - Throws: `PostgresError` or `MQTTError` if a URL cannot be used.
    package init(_ configuration: IngestorConfiguration, _ facilities: Facilities) throws {
        logger = facilities.logger
        brand = configuration.brand
        let metrics = IngestorMetrics(facilities.metrics)
        database = try PostgresConfiguration(
            configuration.database, service: "aqua-ingestor",
            // Unique, so that a successor can end all connections of one that froze.
            applicationName: "aqua-ingestor \(UInt32.random(in: 0 ... .max))")
        commits = CommitWatch(database, facilities)
        let outage = OutageLog(subject: "database connections", logger: logger)
        // One more for the lane of devices over HTTP, and one for that of others' stations.
        let connections =
            Self.connections + (configuration.deviceHTTP == nil ? 0 : 1) + (configuration.stations == nil ? 0 : 1)
        let pool = PostgresPool(
            database, size: connections, onConnectFailure: { outage.failed(because: $0.explanation) },
            onReconnect: outage.succeeded)
        facilities.metrics.addSchemaVersion(Schema.version)
        facilities.metrics.addDatabaseConnection { pool.openCount > 0 }
        facilities.metrics.addDatabasePool(
            limit: connections, open: { pool.openCount }, inUse: { pool.inUseCount },
            waiting: { pool.waitingCount })
        self.pool = pool
        clockWatch = ClockWatch(pool: pool, logger: logger, metrics: facilities.metrics, own: facilities.clock)
        deletionWatch = DeletionWatch(database, logger: logger)
        // A lane turns every 5 s or waits for the database's answer; without a database every attempt to reconnect beats.
        heartbeat = facilities.health.heartbeat("ingestor", within: .seconds(30))
        let clock = clockWatch.clock.wall
        homeAssistant = configuration.homeAssistant.map { HomeAssistant($0, facilities, clock: clock) }
        let displays = Displays(
            database, sharesSubscription: configuration.sharesSubscription, problems: homeAssistant?.problems,
            facilities)
        let lane = Lane(
            writer: BatchWriter(pool: pool, logger: logger, metrics: metrics), metrics: metrics,
            clock: clock, clockState: clockWatch.state, deletions: deletionWatch.log,
            logger: logger,
            home: homeAssistant?.board, shown: displays.board)
        let sessions = BrokerSessions(broker: configuration.broker, lane: lane, heartbeat: heartbeat, logger: logger)
        seating = Seating(
            database: database, sharesSubscription: configuration.sharesSubscription, sessions: sessions, lane: lane,
            upkeeper: Upkeeper(
                pool: pool, retention: configuration.retention, logger: logger,
                metrics: UpkeepMetrics(facilities.metrics), clock: facilities.clock),
            displays: displays, metrics: metrics, heartbeat: heartbeat,
            subscribed: facilities.health.readinessFlag("broker"),
            logger: logger)
        adopter = SeatAdopter(
            database: database, pool: pool, sharesSubscription: configuration.sharesSubscription,
            grace: configuration.seatGrace, sessions: sessions, metrics: metrics, logger: logger)
        stations = configuration.stations.map { StationPoller($0, pool: pool, lane: lane, facilities) }
        deviceServer = configuration.deviceHTTP.map { [database] in DeviceServer($0, database, lane, facilities) }
        facilities.health.addReadiness("database") { [prepared] in prepared.isReady && pool.openCount > 0 }
    }

    package var description: String { "ingestor" }

    package func run() async throws { try await Brand.$current.withValue(brand) { try await store() } }

    private func store() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask { try await commits.run() }
            defer { group.cancelAll() }
            do {
                try await cancelWhenGracefulShutdown { try await prepare() }
            } catch is CancellationError where Task.isShuttingDownGracefully {
                return
            }
            group.addTask { try await PartitionKeeper(pool: pool, logger: logger).run() }
            group.addTask { try await clockWatch.run() }
            group.addTask { try await deletionWatch.run() }
            group.addTask { try await adopter.run() }
            if let homeAssistant { group.addTask { try await homeAssistant.run() } }
            try await ingest()
        }
    }

    /// Returns when the service is asked to stop and all messages taken are stored.
    private func ingest() async throws {
        try await whileAllRun { group in
            group.addTask { try await seating.run() }
            if let deviceServer { group.addTask { try await deviceServer.run() } }
            if let stations { group.addTask { try await stations.run() } }
        }
    }

    /// Requires the schema and makes partitions before anything is read.
    private func prepare() async throws {
        try await keepTrying("preparing", logger: logger, isRetriable: Self.isRetriable) { _ in
            heartbeat.beat()
            try await heartbeat.whileAwaitingDatabase {
                try await PostgresConnection.with(database) { connection in
                    try await Schema.require(on: connection)
                    _ = try await connection.execute(MakePartitions())
                }
                try await clockWatch.note()
            }
        }
        prepared.set(true)
    }

    static func isRetriable(_ error: any Error) -> Bool {
        switch error {
        case let error as PostgresError: error.isRetriable || error.code == .closed
        case let error as SchemaMismatch: error.isRetriable
        case let error as MQTTError:
            // A proxy in front of a restarting broker hangs up in the middle of the handshake. A password that is being
            // replaced is wrong until both sides have it; its file is read anew each time.
            error.isRetriable || error.code == .closed || error.code == .tls || error.code.isRefusedPassword
        default: error is CancellationError
        }
    }
}

extension MQTTError.Code {
    /// Mosquitto's plugin answers a wrong password with "not authorized".
    fileprivate var isRefusedPassword: Bool {
        self == .connectionRefused(.badCredentials) || self == .connectionRefused(.notAuthorized)
    }
}
