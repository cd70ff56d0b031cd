import Backoff
import DatabaseHealth
import Logging
import MQTT
import Postgres
import ServiceKit
import ServiceLifecycle
import Store

/// Work on a seat: takes one, reads its session as long as the seat is held, and takes one again whenever something fails.
struct Seating: Sendable {
    let database: PostgresConfiguration
    let sharesSubscription: Bool
    let sessions: BrokerSessions
    let lane: Lane
    let upkeeper: Upkeeper
    let displays: Displays
    let metrics: IngestorMetrics
    let heartbeat: Heartbeat
    let subscribed: ReadinessFlag
    let logger: Logger

    /// Returns when the service is asked to stop.
    func run() async throws {
        var watch = SeatWatch(longestStep: .seconds(3))
        try await keepTryingUntilShutdown("ingesting", logger: logger, isRetriable: Ingestor.isRetriable) { outage in
            do {
                try await takeSeat(&watch, outage)
            } catch  where Task.isShuttingDownGracefully && !Task.isCancelled {
                logger.info("Stopped with messages that the broker will send again", [.reason: "\(error)"])
            }
        }
    }

    /// Works on a seat, and stands by while none is free.
    private func takeSeat(_ watch: inout SeatWatch, _ outage: Outage) async throws {
        var isStandingBy = false
        while !Task.isShuttingDownGracefully {
            heartbeat.beat()
            do {
                return try await Seat.with(
                    database, isShared: sharesSubscription, watch: &watch, heartbeat: heartbeat
                ) { seat in
                    try await work(on: seat, outage)
                }
            } catch is NoSeat {
                if !isStandingBy { logger.info("Standing by: another Ingestor works") }
                isStandingBy = true
                outage.end()
                // A standby is ready, so that a rolling restart can go on.
                subscribed.set(true)
                try? await cancelWhenGracefulShutdown { try await Task.sleep(for: .seconds(1)) }
            } catch {
                subscribed.set(false)
                throw error
            }
        }
    }

    private func work(on seat: Seat, _ outage: Outage) async throws {
        metrics.seatHeld.set(1)
        defer { metrics.seatHeld.set(0) }
        try await MQTTConsumer.with(firstOf: sessions.configurations(seat.sessionID)) { consumer in
            try await consumer.subscribe(
                Topic.subscriptions(isShared: sharesSubscription), maximum: Lane.batchMessages, bytes: Lane.batchBytes)
            outage.end()
            try await ingest(consumer, on: seat)
            try await consumer.disconnect()
        }
    }

    private func ingest(_ consumer: MQTTConsumer, on seat: Seat) async throws {
        defer {
            subscribed.set(false)
            metrics.brokerConnected.set(0)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await heartbeat.whileAwaitingDatabase { try await read(consumer, on: seat) }
            }
            // Only while a seat is held: an Ingestor of an earlier version that holds one does not mark late samples.
            group.addTask { try await upkeeper.run() }
            // At the broker that is read, so that what devices show is where devices are.
            group.addTask { [endpoint = consumer.endpoint] in
                try await displays.run { sessions.passing("display", at: endpoint) }
            }
            let earlier = sessions.earlier(than: consumer.endpoint)
            if !earlier.isEmpty { group.addTask { try await sessions.awaitAnswer(of: earlier) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func read(_ consumer: MQTTConsumer, on seat: Seat) async throws {
        try await sessions.drainFormer(of: seat, at: consumer.endpoint)
        try await lane.run(
            consumer, level: seat.level,
            onConsent: { refused in
                logger.info("Listening", [.seat: "\(seat.number)", .address: "\(consumer.endpoint)"])
                if !refused.isEmpty {
                    logger.warning(
                        "The broker refuses topics of other firmware: run deploy/broker/init and start it again",
                        [.error: "\(refused.joined(separator: " "))"])
                }
                subscribed.set(true)
                metrics.brokerConnected.set(1)
            }, onTurn: { heartbeat.beat() })
    }
}
