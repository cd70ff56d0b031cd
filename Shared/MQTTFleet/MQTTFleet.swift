package import Backoff
package import MQTT
import Synchronization
import ThreadExecutor

/// Many clients on one thread: simulated devices, a replay, a load generator, the control client of the broker.
///
/// Every client has its own session, credentials, will and TLS. A client that loses its connection reconnects by
/// itself, with a growing delay, and resends what the broker has not acknowledged. Each client has a window: the most
/// messages that may be unacknowledged; beyond it publishers wait.
///
/// ```
/// try await MQTTFleet.with { fleet in
///     let device = try await fleet.add(configuration)
///     try await fleet.publish(message, as: device)
/// }
/// ```
package final class MQTTFleet: Sendable {
    /// One client of the fleet.
    package struct Client: Sendable, Identifiable {
        package let id: Int
        /// Messages of the client's subscriptions, for one consumer; beyond the buffer the newest are dropped.
        package let messages: AsyncStream<MQTTMessage>
        /// One element for each reconnection after a loss, during which the broker may have published the will.
        package let reconnections: AsyncStream<Void>
    }

    private let ledger = Mutex(FleetLedger())
    private let wakeUp: WakeUp
    private let backoff: Backoff

    package init(backoff: Backoff = .toBroker) throws {
        wakeUp = try WakeUp.forConnection()
        self.backoff = backoff
    }

    /// Runs a fleet for as long as `body`; then every client disconnects.
    @discardableResult
    package static func with<Result: Sendable>(
        backoff: Backoff = .toBroker, _ body: @Sendable (MQTTFleet) async throws -> Result
    ) async throws -> Result {
        let fleet = try MQTTFleet(backoff: backoff)
        async let running: Void = fleet.run()
        let result: Result
        do { result = try await body(fleet) } catch {
            fleet.stop()
            try await running
            throw error
        }
        fleet.stop()
        try await running
        return result
    }

    /// Runs the fleet on a thread of its own until `stop()` or cancellation. Call it once.
    package func run() async throws {
        let loop = try FleetLoop(fleet: self, wakeUp: wakeUp, backoff: backoff)
        await withTaskCancellationHandler {
            await loop.run()
        } onCancel: {
            stop()
        }
    }

    /// Disconnects every client and ends `run()`. Waiting calls fail with `closed`.
    package func stop() {
        ledger.withLock { $0.isStopping = true }
        wakeUp.signal()
    }

    // MARK: Clients

    /// Connects one more client and waits for its CONNACK.
    /// - Parameters:
    ///   - window: The most messages that may be unacknowledged.
    ///   - buffer: The most received messages that may wait in `messages`.
    /// - Throws: The error of the first attempt; only later losses lead to reconnecting.
    package func add(
        _ configuration: MQTTConfiguration, window: Int = 100, buffer: Int = 1000
    ) async throws -> Client {
        let (messages, sink) = AsyncStream.makeStream(of: MQTTMessage.self, bufferingPolicy: .bufferingOldest(buffer))
        let (reconnections, reconnected) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(64))
        let sinks = FleetMember.Sinks(messages: sink, reconnections: reconnected)
        let id = try ledger.withLock { ledger throws(MQTTError) in try ledger.addClient(window: window) }
        do {
            try await perform { (ledger, token) throws(MQTTError) in
                try ledger.append(.connect(id, configuration, sinks, token))
            }
        } catch {
            ledger.withLock { $0.removeClient(id) }.resume()
            throw error
        }
        return Client(id: id, messages: messages, reconnections: reconnections)
    }

    /// Ends a client; its messages that are not sent or not acknowledged fail with `closed`.
    /// - Parameter abruptly: Whether to close without a DISCONNECT, like a device that loses its power: the broker
    ///   publishes the will.
    package func remove(_ client: Client, abruptly: Bool = false) async throws {
        try await perform { (ledger, token) throws(MQTTError) in
            try ledger.append(.disconnect(client.id, abruptly: abruptly, token))
        }
    }

    /// Adds subscriptions and waits for the broker's answers; a reconnection renews them.
    package func subscribe(_ subscriptions: [MQTTSubscription], as client: Client) async throws {
        try await perform { (ledger, token) throws(MQTTError) in
            try ledger.append(.subscribe(client.id, subscriptions, token))
        }
    }

    // MARK: Publishing

    /// Publishes and returns when the broker has acknowledged (QoS 1) or the packet has been sent (QoS 0).
    /// - Throws: `notAuthorized` if the broker's access rules refuse the topic, `closed`, and for QoS 0 `connectionLost`.
    package func publish(_ message: MQTTMessage, as client: Client) async throws {
        try await perform { (ledger, token) throws(MQTTError) in
            try ledger.submit(message, as: client.id, token: token)
        }
    }

    /// Publishes and returns as soon as the client's window has room. `drain` throws refusals.
    package func enqueue(_ message: MQTTMessage, as client: Client) async throws {
        let admission = try ledger.withLock { try $0.admit(message, as: client.id) }
        switch admission {
        case .accepted(let wake):
            if wake { wakeUp.signal() }
        case .full:
            try await perform { (ledger, token) throws(MQTTError) in
                try ledger.submitWaiting(message, as: client.id, token: token)
            }
        }
    }

    /// Waits until the broker has acknowledged everything that the client published.
    /// - Throws: The first refusal since the last `drain`.
    package func drain(_ client: Client) async throws {
        try await perform { (ledger, token) throws(MQTTError) in
            try ledger.awaitDrained(client.id, token: token)
        }
    }

    // MARK: Waiting for the loop

    /// Registers a call under a token, lets `request` queue its command, and waits for the settlement.
    private func perform(
        _ request: (inout FleetLedger, FleetLedger.Token) throws(MQTTError) -> FleetLedger.Settlements
    ) async throws {
        let token = ledger.withLock { $0.nextToken() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let settled = ledger.withLock { ledger -> FleetLedger.Settlements in
                    ledger.register(continuation, token)
                    if Task.isCancelled { return ledger.settle(token, .failure(CancellationError())) }
                    do throws(MQTTError) { return try request(&ledger, token) } catch {
                        return ledger.settle(token, .failure(error))
                    }
                }
                settled.resume()
                wakeUp.signal()
            }
        } onCancel: {
            ledger.withLock { $0.settle(token, .failure(CancellationError())) }.resume()
        }
    }

    // MARK: For the loop

    /// The commands queued since the last call; nil once the fleet stops.
    func takeCommands() -> [FleetLedger.Command]? {
        ledger.withLock { $0.takeCommands() }
    }

    /// Changes the ledger and resumes the calls that the change settles, outside of the lock.
    func settle(_ change: (inout FleetLedger) -> FleetLedger.Settlements) {
        ledger.withLock { change(&$0) }.resume()
    }
}
