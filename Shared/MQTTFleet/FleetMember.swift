import Backoff
import MQTT

/// One client of a fleet, confined to the fleet's thread.
final class FleetMember {
    enum Status {
        case connecting(deadline: ContinuousClock.Instant)
        case up
        /// The connection was lost; the next attempt is at this time.
        case waiting(until: ContinuousClock.Instant)
        case leaving
    }

    /// The streams that the client's owner consumes.
    struct Sinks: Sendable {
        let messages: AsyncStream<MQTTMessage>.Continuation
        let reconnections: AsyncStream<Void>.Continuation

        func finish() {
            messages.finish()
            reconnections.finish()
        }
    }

    typealias Token = FleetLedger.Token
    typealias Acknowledged = (token: Token?, error: MQTTError?)

    let id: Int
    let connection: MQTTConnection
    let sinks: Sinks
    /// The caller of `add`, until the first CONNACK.
    var connecting: Token?
    var leaving: Token?
    var status: Status
    /// Whether epoll watches the socket for room to write.
    var watchesWriting = false
    private var backoff: Backoff
    private var subscriptions: [MQTTSubscription] = []
    private var asked: [Int32: Token] = [:]
    private var remaining: [Token: Int] = [:]
    /// Messages handed to the library and not acknowledged.
    private var sent: [Int32: (token: Token?, qos: MQTTMessage.QoS)] = [:]
    /// Messages published while there was no connection.
    private var held: [(message: MQTTMessage, token: Token?)] = []

    init(
        id: Int, _ configuration: MQTTConfiguration, sinks: Sinks, connecting: Token, backoff: Backoff
    ) throws(MQTTError) {
        self.id = id
        self.sinks = sinks
        self.connecting = connecting
        self.backoff = backoff
        connection = try MQTTConnection(configuration)
        status = .connecting(deadline: .now + configuration.timeout)
        try connection.startConnecting()
    }

    func reconnect() throws(MQTTError) {
        status = .connecting(deadline: .now + connection.configuration.timeout)
        try connection.startReconnecting()
    }

    /// Restores subscriptions and sends held messages after a CONNACK. The library has queued unacknowledged messages
    /// again by itself.
    /// - Returns: Refused messages.
    func connected() throws(MQTTError) -> [Acknowledged] {
        status = .up
        backoff.reset()
        if connection.inbox.connected?.sessionPresent != true {
            for subscription in subscriptions { _ = try connection.queue(subscription) }
        }
        let waiting = held
        held = []
        return waiting.compactMap { publish($0.message, $0.token) }
    }

    /// - Returns: The refusal, if the library refuses the message at once.
    func publish(_ message: MQTTMessage, _ token: Token?) -> Acknowledged? {
        guard case .up = status else {
            held.append((message, token))
            return nil
        }
        do throws(MQTTError) {
            sent[try connection.queue(message)] = (token, message.qos)
            return nil
        } catch {
            return (token, error)
        }
    }

    func subscribe(_ added: [MQTTSubscription], _ token: Token) throws(MQTTError) {
        guard case .up = status else { throw MQTTError(.connectionLost) }
        for subscription in added {
            asked[try connection.queue(subscription)] = token
            subscriptions.append(subscription)
        }
        remaining[token] = added.count
    }

    /// The messages that the broker acknowledged in the last reads.
    func takeAcknowledged() -> [Acknowledged] {
        connection.takePublished().compactMap { packet, error in
            sent.removeValue(forKey: packet).map { ($0.token, error) }
        }
    }

    /// The calls of `subscribe` whose last SUBACK has come, or one that refuses.
    func takeAnswered() -> [Acknowledged] {
        connection.takeAnswers().compactMap { packet, error in
            guard let token = asked.removeValue(forKey: packet), let left = remaining[token] else { return nil }
            guard error != nil || left == 1 else {
                remaining[token] = left - 1
                return nil
            }
            remaining[token] = nil
            return (token, error)
        }
    }

    /// Plans the next attempt after a lost connection.
    /// - Returns: What will not be sent again: messages of QoS 0, and unanswered subscriptions.
    func lost(_ error: MQTTError) -> (published: [Acknowledged], asked: [Token]) {
        status = .waiting(until: .now + backoff.next())
        watchesWriting = false
        let gone = sent.filter { $0.value.qos == .atMostOnce }
        for packet in gone.keys { sent[packet] = nil }
        let unanswered = Array(remaining.keys)
        asked = [:]
        remaining = [:]
        return (gone.values.map { ($0.token, error) }, unanswered)
    }

    /// The tokens of all calls that wait for this client.
    var allTokens: [Token] {
        sent.values.compactMap(\.token) + held.compactMap(\.token) + Array(remaining.keys)
    }
}
