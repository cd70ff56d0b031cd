import Logging
import MQTT
import ServiceKit
import ServiceLifecycle

/// The Ingestor's sessions at the broker: opens them, and drains abandoned ones.
struct BrokerSessions: Sendable {
    let broker: BrokerSettings
    let lane: Lane
    let heartbeat: Heartbeat
    let logger: Logger

    func configuration(_ id: String) throws -> MQTTConfiguration {
        MQTTConfiguration.durable(
            endpoint: MQTTEndpoint(host: broker.host, port: UInt16(broker.port), isSecure: broker.usesTLS),
            clientID: id,
            credentials: MQTTCredentials(user: broker.user, password: broker.password.renewed().revealed),
            certificateAuthorityFile: broker.authorityFile, batch: UInt16(Lane.batchMessages))
    }

    /// Drains what an Ingestor of an earlier version may have left, or have used in between. By then the seat's own session is
    /// subscribed, so nothing is missed; what both have counts once by its time.
    func drainFormer(of seat: Seat) async throws {
        try await MQTTConsumer.with(configuration(seat.formerSessionID)) { consumer in
            guard await consumer.sessionPresent else { return try await consumer.disconnect(endSession: true) }
            if try await drain(consumer) == .ended {
                logger.info("Drained a former session", [.seat: "\(seat.number)"])
            }
        }
    }

    /// Reads all that the broker kept for a seat, and ends its session.
    /// - Returns: `kept` when the service was asked to stop before.
    func drain(_ seat: Seat) async throws -> Seat.SessionState {
        try await drainFormer(of: seat)
        return try await MQTTConsumer.with(configuration(seat.sessionID)) { try await drain($0) }
    }

    private func drain(_ consumer: MQTTConsumer) async throws -> Seat.SessionState {
        try await consumer.unsubscribe(
            Topic.allFilters, maximum: Lane.batchMessages, bytes: Lane.batchBytes)
        try await lane.drain(consumer, until: .seconds(2)) { heartbeat.beat() }
        if Task.isShuttingDownGracefully { return .kept }
        try await consumer.disconnect(endSession: true)
        return .ended
    }
}
