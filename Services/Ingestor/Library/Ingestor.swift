import Backoff
import Logging
import MQTT
import Postgres
package import ServiceKit
import ServiceLifecycle
import Store
import Synchronization

/// Stores what devices publish, as long as the process lives.
///
/// Any number of Ingestors may run: one works and the others stand by, or, where the broker can share a subscription
/// without losing any message or their order, each works on a seat of its own.
package struct Ingestor: Service, CustomStringConvertible {
    private let configuration: IngestorConfiguration
    private let database: PostgresConfiguration
    private let pool: PostgresPool
    private let lane: Lane
    private let logger: Logger
    private let metrics: IngestorMetrics
    private let upkeeper: Upkeeper
    private let clockWatch: ClockWatch
    private let heartbeat: Heartbeat
    private let subscribed: ReadinessFlag
    private let prepared: ReadinessFlag
    /// One for the lane, one for looking up and draining, one for the upkeep.
    private static let connections = 3

    /// - Throws: `PostgresError` or `MQTTError` if a URL cannot be used.
    package init(_ configuration: IngestorConfiguration, _ facilities: Facilities) throws {
        self.configuration = configuration
        logger = facilities.logger
        metrics = IngestorMetrics(facilities.metrics)
        database = try PostgresConfiguration(
            url: configuration.database.url, readPassword: configuration.database.readPassword,
            // Unique, so that a successor can end all connections of one that froze.
            applicationName: "aqua-ingestor \(UInt32.random(in: 0 ... .max))")
        let pool = PostgresPool(database, size: Self.connections)
        facilities.metrics.addSchemaVersion(Schema.migrations.count)
        facilities.metrics.addDatabaseConnection { pool.openCount > 0 }
        facilities.metrics.addDatabasePool(
            limit: Self.connections, open: { pool.openCount }, inUse: { pool.inUseCount },
            waiting: { pool.waitingCount })
        self.pool = pool
        upkeeper = Upkeeper(
            pool: pool, retention: configuration.retention, logger: logger, metrics: UpkeepMetrics(facilities.metrics),
            clock: facilities.clock)
        clockWatch = ClockWatch(pool: pool, logger: logger, metrics: facilities.metrics)
        lane = Lane(
            writer: BatchWriter(pool: pool, logger: logger, metrics: metrics), metrics: metrics,
            clock: facilities.clock, clockState: clockWatch.state, logger: logger)
        // A lane turns every 5 s, and without a database every attempt to get one back beats.
        heartbeat = facilities.health.heartbeat("ingestor", within: .seconds(30))
        subscribed = facilities.health.readinessFlag("broker")
        prepared = facilities.health.readinessFlag("database")
    }

    package var description: String { "ingestor" }

    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            defer { group.cancelAll() }
            do {
                try await cancelWhenGracefulShutdown { try await prepare() }
            } catch is CancellationError where Task.isShuttingDownGracefully {
                return
            }
            group.addTask { try await PartitionKeeper(pool: pool, logger: logger).run() }
            group.addTask { try await clockWatch.run() }
            group.addTask { try await adoptEmptySeats() }
            try await sit()
        }
    }

    /// Makes sure of schema and partitions before anything is read.
    private func prepare() async throws {
        try await withRetries("preparing", logger: logger, isRetriable: Self.isRetriable) {
            heartbeat.beat()
            let connection = try await connect()
            try await Schema.require(on: connection)
            _ = try await connection.execute(MakePartitions())
            await connection.close()
            try await clockWatch.note()
        }
        prepared.set(true)
    }

    private func connect() async throws -> PostgresConnection {
        do {
            return try await PostgresConnection.connect(database)
        } catch let error as PostgresError where error.code == .connectionFailed {
            throw NoConnection(error)
        }
    }

    /// Takes a seat, works there, and takes one again whenever something fails.
    private func sit() async throws {
        let failures = Failures(logger)
        var watch = SeatWatch(longestStep: .seconds(3))
        var isStandingBy = false
        while !Task.isShuttingDownGracefully {
            do {
                let seat = try await Seat.take(
                    database, isShared: configuration.sharesSubscription, watch: &watch)
                isStandingBy = false
                try await work(on: seat, failures)
            } catch is NoSeat {
                if !isStandingBy { logger.info("Standing by: another Ingestor works") }
                isStandingBy = true
                failures.end()
                // Ready to take over; whoever restarts services one after another may go on.
                subscribed.set(true)
                heartbeat.beat()
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
            } catch {
                try Task.checkCancellation()
                if Task.isShuttingDownGracefully {
                    logger.info("Stopped with messages that the broker will send again", [.reason: "\(error)"])
                    return
                }
                guard Self.isRetriable(error) else { throw error }
                heartbeat.beat()
                try? await cancelWhenGracefulShutdown { [delay = failures.add(error)] in
                    try await Task.sleep(for: delay)
                }
            }
        }
    }

    private func work(on seat: Seat, _ failures: Failures) async throws {
        metrics.seatHeld.set(1)
        defer { metrics.seatHeld.set(0) }
        do {
            // From the first moment: a broker to which a whole fleet returns takes long to answer.
            try await seat.whileHeld {
                let consumer = try await MQTTConsumer.connect(session(seat.sessionID))
                let filters = configuration.sharesSubscription ? Topic.sharedFilters : Topic.filters
                try await consumer.subscribe(
                    filters.map { MQTTSubscription($0) }, maximum: Lane.batchMessages, bytes: Lane.batchBytes)
                failures.end()
                try await ingest(consumer, on: seat)
            }
        } catch {
            await seat.leave()
            throw error
        }
        await seat.leave()
    }

    private func ingest(_ consumer: MQTTConsumer, on seat: Seat) async throws {
        defer {
            subscribed.set(false)
            metrics.brokerConnected.set(0)
        }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await drainFormerSession(of: seat)
                    try await lane.run(
                        consumer,
                        onConsent: {
                            logger.info("Listening", [.seat: "\(seat.number)"])
                            subscribed.set(true)
                            metrics.brokerConnected.set(1)
                        }, onTurn: { heartbeat.beat() })
                }
                // Here, so that nobody rolls up while an Ingestor of an earlier version works, which does not tell what
                // came late.
                group.addTask { try await upkeeper.run() }
                defer { group.cancelAll() }
                try await group.next()
            }
            try await consumer.disconnect()
        } catch {
            // Not a word to the broker: whatever is not committed has to come again.
            await consumer.abandon()
            throw error
        }
    }

    private func session(_ id: String) throws -> MQTTConfiguration {
        let broker = configuration.broker
        return MQTTConfiguration.durable(
            endpoint: MQTTEndpoint(host: broker.host, port: UInt16(broker.port), isSecure: broker.usesTLS),
            clientID: id,
            credentials: MQTTCredentials(user: broker.user, password: broker.password.renewed().revealed),
            certificateAuthorityFile: broker.authorityFile, batch: UInt16(Lane.batchMessages))
    }

    /// Looks for seats whose Ingestor does not come back, or is frozen: the broker goes on handing them messages that nobody reads.
    private func adoptEmptySeats() async throws {
        let interval = min(configuration.seatGrace, .seconds(15))
        var watch = SeatWatch(longestStep: interval + .seconds(3))
        while true {
            try await Task.sleep(for: interval)
            do {
                let seats = try await watch.look { try await pool.execute(ListSeats()) }
                for row in seats where row.seat != Seat.only {
                    guard let holder = watch.frozenHolder(of: row) else { continue }
                    _ = try await pool.execute(EvictHolder(holder, on: row.seat))
                }
                let empty = seats.filter {
                    ($0.seat != Seat.only || configuration.sharesSubscription) && $0.sessionOpen && !$0.isHeld
                        && watch.stillness(of: $0.seat) >= configuration.seatGrace
                }
                for row in empty {
                    guard let seat = try await Seat.take(abandoned: row.seat, database) else { continue }
                    try await drain(seat)
                }
            } catch {
                try Task.checkCancellation()
                logger.warning("An empty seat could not be drained", [.error: "\(error)"])
            }
        }
    }

    /// Reads what the broker kept for a seat, then ends its session.
    private func drain(_ seat: Seat) async throws {
        do {
            let isEmpty = Mutex(false)
            try await seat.whileHeld {
                try await drainFormerSession(of: seat)
                let isDrained = try await drain(MQTTConsumer.connect(session(seat.sessionID)))
                isEmpty.withLock { $0 = isDrained }
            }
            guard isEmpty.withLock({ $0 }) else { return await seat.leave() }
            try await seat.leaveForGood()
            metrics.adoptedSeats.increment()
            logger.info("Drained an empty seat", [.seat: "\(seat.number)"])
        } catch {
            await seat.leave()
            throw error
        }
    }

    /// Empties and ends the session that an Ingestor of an earlier version may have left, or have used in between. By then the
    /// seat's own session is subscribed, so nothing is missed; what both have counts once by its time.
    private func drainFormerSession(of seat: Seat) async throws {
        let consumer = try await MQTTConsumer.connect(session(seat.formerSessionID))
        guard await consumer.sessionPresent else { return try await consumer.disconnect(endSession: true) }
        if try await drain(consumer) { logger.info("Drained a former session", [.seat: "\(seat.number)"]) }
    }

    /// Reads all that a session holds and ends it.
    /// - Returns: false when the service was asked to stop before.
    private func drain(_ consumer: MQTTConsumer) async throws -> Bool {
        do {
            try await consumer.unsubscribe(
                Topic.filters + Topic.sharedFilters, maximum: Lane.batchMessages, bytes: Lane.batchBytes)
            try await lane.drain(consumer, until: .seconds(2)) { heartbeat.beat() }
            guard !Task.isShuttingDownGracefully else {
                await consumer.abandon()
                return false
            }
            try await consumer.disconnect(endSession: true)
            return true
        } catch {
            await consumer.abandon()
            throw error
        }
    }

    static func isRetriable(_ error: any Error) -> Bool {
        switch error {
        case let error as PostgresError: error.isRetriable || error.code == .closed
        case let error as MQTTError:
            // A proxy in front of a broker that restarts hangs up in the middle of the handshake. A password that is being
            // exchanged is wrong until both sides have it; its file is read anew each time.
            error.isRetriable || error.code == .closed || error.code == .tls || error.code.isRefusedPassword
        default: error is CancellationError || error is NoConnection
        }
    }
}

/// How the work on a seat fails: what was said of it, and how long to wait next.
private final class Failures: Sendable {
    private let state: Mutex<(backoff: Backoff, outage: OutageLog)>

    init(_ logger: Logger) {
        state = Mutex((.reconnecting, OutageLog(subject: "ingesting", logger: logger)))
    }

    /// - Returns: How long to wait.
    func add(_ error: any Error) -> Duration {
        state.withLock { state in
            state.outage.failed(error)
            return state.backoff.next()
        }
    }

    /// They are over: it works again, or another Ingestor does.
    func end() {
        state.withLock { state in
            state.outage.succeeded()
            state.backoff = .reconnecting
        }
    }
}

extension MQTTError.Code {
    /// Mosquitto's plugin says "not authorized" to a wrong password.
    fileprivate var isRefusedPassword: Bool {
        self == .connectionRefused(.badCredentials) || self == .connectionRefused(.notAuthorized)
    }
}

/// Why the database does not let us in, in the words of libpq: they name host, role and cause, and no secret.
private struct NoConnection: Error, CustomStringConvertible {
    let description: String

    init(_ error: PostgresError) {
        description = "\(error): \(error.message)"
    }
}
