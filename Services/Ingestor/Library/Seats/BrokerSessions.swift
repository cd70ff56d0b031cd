import Backoff
import Logging
import MQTT
import ServiceKit
import ServiceLifecycle

/// The Ingestor's sessions at the broker: opens them, and drains abandoned ones.
///
/// Of several brokers the first that answers is read. While that is a later one of the list, the Ingestor returns to an
/// earlier one as soon as it is back: the messages that wait there are read to the end before the operator stops it.
struct BrokerSessions: Sendable {
    private static let lookForEarlier = Duration.seconds(5)

    let broker: BrokerSettings
    let lane: Lane
    let heartbeat: Heartbeat
    let logger: Logger

    /// One configuration for each broker, in the order in which they are tried.
    func configurations(_ id: String) -> [MQTTConfiguration] {
        broker.addresses.map { address in
            MQTTConfiguration.durable(
                endpoint: MQTTEndpoint(host: address.host, port: UInt16(address.port), isSecure: address.usesTLS),
                clientID: id,
                credentials: MQTTCredentials(user: broker.user, password: broker.password.renewed().revealed),
                certificateAuthorityFile: address.usesTLS ? broker.authorityFile : nil,
                batch: UInt16(Lane.batchMessages))
        }
    }

    /// Drains what the broker kept before the seat had a session of its own, or for an Ingestor of an earlier version.
    /// The seat's own session is subscribed by then, so nothing is missed; messages in both count once, by their time.
    /// - Parameter endpoint: The broker of the seat's own session.
    func drainFormer(of seat: Seat, at endpoint: MQTTEndpoint) async throws {
        for id in seat.formerSessionIDs {
            try await MQTTConsumer.with(firstOf: configurations(id).filter { $0.endpoint == endpoint }) { consumer in
                guard await consumer.sessionPresent else { return try await consumer.disconnect(endSession: true) }
                if try await drain(consumer) == .ended {
                    logger.info("Drained a former session", [.seat: "\(seat.number)"])
                }
            }
        }
    }

    /// Reads everything that the broker kept for a seat, and ends its session.
    /// - Returns: `kept` when the service was asked to stop before the end.
    func drain(_ seat: Seat) async throws -> Seat.SessionState {
        try await MQTTConsumer.with(firstOf: configurations(seat.sessionID)) { consumer in
            try await drainFormer(of: seat, at: consumer.endpoint)
            return try await drain(consumer)
        }
    }

    /// The brokers that come before this one in the list.
    func earlier(than endpoint: MQTTEndpoint) -> [MQTTConfiguration] {
        Array(passing("look").prefix { $0.endpoint != endpoint })
    }

    /// A session of this Ingestor alone, which ends with its connection, at one of the brokers.
    /// - Parameter purpose: Part of its name.
    func passing(_ purpose: String, at endpoint: MQTTEndpoint) -> MQTTConfiguration {
        let all = passing(purpose)
        return all.first { $0.endpoint == endpoint } ?? all[0]
    }

    private func passing(_ purpose: String) -> [MQTTConfiguration] {
        let id = "aqua:ingestor:\(purpose):" + String(UInt64.random(in: 0 ... .max), radix: 16)
        return configurations(id).map { configuration in
            var passing = configuration
            (passing.cleanStart, passing.sessionExpiry) = (true, 0)
            return passing
        }
    }

    /// Checks, while another broker is read, whether one that comes before it is back.
    /// - Throws: `connectionLost`, which names the broker that is back.
    func awaitAnswer(of earlier: [MQTTConfiguration]) async throws -> Never {
        try await every(Self.lookForEarlier) {
            for configuration in earlier {
                guard let consumer = try? await MQTTConsumer.connect(configuration) else { continue }
                try? await consumer.disconnect(endSession: true)
                throw MQTTError(.connectionLost, "\(configuration.endpoint) answers again and comes first")
            }
        }
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
