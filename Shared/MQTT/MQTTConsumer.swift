import Glibc
import Synchronization
import ThreadExecutor

/// A subscriber that acknowledges after its caller has committed.
///
/// libmosquitto queues the PUBACK of a message before it hands the message over, and any write of that connection sends
/// everything queued. So this actor writes in two places only: while everything read is acknowledged, and in
/// `acknowledge`. When a process ends before that, the broker has no PUBACK and sends everything again to the same
/// client id.
///
/// Without a keep-alive, a broker that hangs looks like one without messages. `checkBroker` tells them apart.
///
/// ```
/// try await MQTTConsumer.with(.durable(...)) { consumer in
///     try await consumer.subscribe([MQTTSubscription("$share/aqua/aqua/v1/+/readings")])
///     while true {
///         let batch = try await consumer.receive(maximum: 5_000, bytes: 4 << 20, linger: .milliseconds(5))
///         let receipts = try await commit(batch)
///         try await consumer.acknowledge(publishing: receipts)
///     }
/// }
/// ```
///
/// Any error but `unacknowledgedMessages` ends the connection; the caller connects again with the same client id, after
/// the delay of a `Backoff`.
package actor MQTTConsumer {
    /// The address of the broker.
    package nonisolated var endpoint: MQTTEndpoint { configuration.endpoint }
    /// Whether the broker had kept the session: then messages may arrive before any `subscribe`.
    package private(set) var sessionPresent = false
    package private(set) var announced = MQTTAnnouncement()

    /// Bytes of PUBACKs that the broker may leave unread before the next batch is read. Without this bound a busy
    /// broker falls further and further behind with messages that are acknowledged already.
    private static let mostUnread = 64 << 10

    private nonisolated let executor: ThreadExecutor
    private nonisolated let wakeUp: WakeUp
    private nonisolated let isStopping = Atomic(false)
    private nonisolated let configuration: MQTTConfiguration
    private var connection: MQTTConnection?
    /// The number of messages handed to the caller and not acknowledged.
    private var unacknowledged = 0
    /// Whether the last batch reached its limit of messages or bytes, so that more may wait.
    package private(set) var wasFull = false
    /// Subscriptions and unsubscriptions that the broker has not answered.
    private var asked: Set<Int32> = []
    /// The optional filters among them, which the broker may refuse.
    private var optional: [Int32: String] = [:]
    /// The optional filters that the broker's access rules refused.
    package private(set) var refusedFilters: [String] = []
    /// The unanswered packet that checks the broker, and the time of the last answer.
    private var check: Int32?
    package private(set) var answeredAt: ContinuousClock.Instant?
    /// The time at which a broker that owes answers is given up, unless it sends anything before.
    private var consentDue = ContinuousClock.now
    /// Whether the broker has answered every subscription; until then any `receive` may throw a refusal.
    package var hasConsent: Bool { asked.isEmpty }

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    // MARK: Connecting

    /// Opens a connection for the length of `body`. Unless the body disconnects, the connection ends without a
    /// DISCONNECT, as if it were lost, so that everything unacknowledged is redelivered.
    package static func with<Result>(
        _ configuration: MQTTConfiguration, isolation: isolated (any Actor)? = #isolation,
        _ body: (MQTTConsumer) async throws -> Result
    ) async throws -> Result {
        try await with(firstOf: [configuration], isolation: isolation, body)
    }

    /// Connects to the first of several brokers that admits us, for the length of `body`.
    package static func with<Result>(
        firstOf configurations: [MQTTConfiguration], isolation: isolated (any Actor)? = #isolation,
        _ body: (MQTTConsumer) async throws -> Result
    ) async throws -> Result {
        let consumer = try await firstBroker(of: configurations) { try await connect($0) }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(consumer)) } catch { result = .failure(error) }
        await consumer.abandon()
        return try result.get()
    }

    /// Connects and waits for the broker's CONNACK. The keep-alive is 0 whatever the configuration says.
    package static func connect(_ configuration: MQTTConfiguration) async throws -> MQTTConsumer {
        let consumer = try MQTTConsumer(configuration)
        return try await withTaskCancellationHandler {
            try await consumer.open()
            return consumer
        } onCancel: {
            consumer.wakeUp.signal()
        }
    }

    private init(_ configuration: MQTTConfiguration) throws {
        var silent = configuration
        silent.keepAlive = 0
        self.configuration = silent
        executor = ThreadExecutor(name: "mqtt-consumer")
        wakeUp = try WakeUp.forConnection()
        connection = try MQTTConnection(silent)
    }

    private func open() throws {
        guard let connection else { throw MQTTError(.closed) }
        try whileConnected {
            try connection.startConnecting()
            let deadline = ContinuousClock.now + configuration.timeout
            while connection.inbox.connected == nil {
                let ready = connection.wait(writing: connection.wantsToWrite, wakeUp, until: deadline)
                try Task.checkCancellation()
                try connection.proceedConnecting(ready)
            }
        }
        connection.boundUnread(Self.mostUnread)
        sessionPresent = connection.inbox.connected?.sessionPresent == true
        announced = connection.inbox.connected?.announced ?? announced
        wakeUp.clear()
    }

    // MARK: Subscribing

    /// Subscribes and waits for the broker's answer, or for a full batch: a resumed session's messages in flight arrive
    /// before the answer. The batch is received and acknowledged like any other; `hasConsent` then tells whether the
    /// answer has come, and the `receive` that reads a refusal throws it.
    ///
    /// Pass all filters in one call, right after connecting: after it nothing may be written until everything read is
    /// received and acknowledged.
    package func subscribe(
        _ subscriptions: [MQTTSubscription], maximum: Int = 1_000, bytes: Int = 4 << 20
    ) async throws {
        try ask(maximum, bytes) { connection in
            try subscriptions.map { subscription in
                let packet = try connection.queue(subscription)
                if !subscription.isRequired { optional[packet] = subscription.filter }
                return packet
            }
        }
    }

    /// Ends subscriptions and keeps the session with its stored messages, so that it can be drained; otherwise like
    /// `subscribe`.
    package func unsubscribe(_ filters: [String], maximum: Int = 1_000, bytes: Int = 4 << 20) async throws {
        try ask(maximum, bytes) { connection in try filters.map { try connection.queue(unsubscribe: $0) } }
    }

    private func ask(_ maximum: Int, _ bytes: Int, _ queue: (MQTTConnection) throws -> [Int32]) throws {
        let connection = try writable()
        try whileConnected {
            let packets = try queue(connection)
            asked.formUnion(packets)
            if let last = packets.last { try connection.queueQuestion(last) }
            try flush(connection)
            consentDue = .now + configuration.timeout
            while !hasConsent, !connection.holds(maximum, bytes) {
                try Task.checkCancellation()
                if try read(connection) { continue }
                if connection.wait(writing: false, wakeUp, until: consentDue) == .timedOut { throw MQTTError(.timeout) }
                try checkStopping()
            }
        }
    }

    /// Reads at most one packet and processes its answer.
    /// - Returns: false if the socket is empty.
    private func read(_ connection: MQTTConnection) throws(MQTTError) -> Bool {
        guard try connection.read() else { return false }
        if !hasConsent { consentDue = .now + configuration.timeout }
        for answer in connection.takeAnswers() {
            if answer.packet == check { (check, answeredAt) = (nil, .now) }
            guard asked.remove(answer.packet) != nil else { continue }
            let filter = optional.removeValue(forKey: answer.packet)
            guard let error = answer.error else { continue }
            guard let filter, error.code == .notAuthorized else { throw error }
            refusedFilters.append(filter)
        }
        return true
    }

    // MARK: Receiving

    /// Waits for messages and reads until the batch is full or, after the first message, `linger` has passed and the
    /// socket is empty. Never writes.
    /// - Parameters:
    ///   - maximum: The most messages in one batch. Only messages that came before the answer to `subscribe` may exceed
    ///     it, up to the limit given there.
    ///   - bytes: The size of payloads, topics and correlation data at which a batch is full.
    ///   - linger: The time that a batch waits for more messages after its first.
    ///   - patience: The time to wait for the first message; nil for ever. When it passes, the batch is empty.
    /// - Throws: `CancellationError` only while the batch is empty; `unacknowledgedMessages` if the last batch was not
    ///   acknowledged; otherwise the error that ended the connection, such as a refused subscription or a broker that
    ///   neither answers nor sends anything. Everything read is then redelivered.
    package func receive(
        maximum: Int, bytes: Int = .max, linger: Duration = .zero, patience: Duration? = nil
    ) async throws -> [MQTTMessage] {
        guard unacknowledged == 0 else { throw MQTTError(.unacknowledgedMessages) }
        return try await withTaskCancellationHandler {
            try collect(maximum: maximum, bytes: bytes, linger: linger, patience: patience)
        } onCancel: {
            wakeUp.signal()
        }
    }

    private func collect(maximum: Int, bytes: Int, linger: Duration, patience: Duration?) throws -> [MQTTMessage] {
        guard let connection else { throw MQTTError(.closed) }
        try whileConnected {
            var deadline = patience.map { ContinuousClock.now + $0 }
            var isLingering = false
            while true {
                var isDry = false
                while !connection.holds(maximum, bytes), !isDry { isDry = try !read(connection) }
                if !isDry { return }
                if !connection.inbox.messages.isEmpty {
                    if linger == .zero || Task.isCancelled { return }
                    if !isLingering { deadline = ContinuousClock.now + linger }
                    isLingering = true
                }
                if connection.inbox.messages.isEmpty { try Task.checkCancellation() }
                let due = hasConsent ? deadline : min(deadline ?? consentDue, consentDue)
                if connection.wait(writing: false, wakeUp, until: due) == .timedOut {
                    if !hasConsent, due == consentDue { throw MQTTError(.timeout) }
                    return
                }
                try checkStopping()
            }
        }
        wasFull = connection.holds(maximum, bytes)
        let batch = connection.takeMessages()
        unacknowledged = batch.count
        return batch
    }

    // MARK: Acknowledging

    /// Sends the PUBACKs of the last batch, and publishes `receipts` with them. Returns when everything has left this
    /// process; until then the broker redelivers whatever was not acknowledged to it.
    package func acknowledge(publishing receipts: [MQTTMessage] = []) async throws {
        guard let connection else { throw MQTTError(.closed) }
        guard connection.inbox.messages.isEmpty else { throw MQTTError(.unacknowledgedMessages) }
        try whileConnected {
            for receipt in receipts { _ = try connection.queue(receipt) }
            // Queues the question behind the PUBACKs, which the reads have queued.
            if connection.kept.wantsQuestion { try connection.queueQuestion() }
            try flush(connection)
            connection.forgetPublished()
            // Restarts the broker's time to answer: it can go on only after these PUBACKs.
            if unacknowledged > 0 { consentDue = .now + configuration.timeout }
        }
        unacknowledged = 0
    }

    // MARK: Checking

    /// Sends the broker a packet that it answers, unless it has answered within an interval or owes an answer;
    /// `receive` reads the answer and sets `answeredAt`. A broker that was asked nothing is not given up for its
    /// silence: what it holds is safe there.
    ///
    /// Call it between `acknowledge` and `receive`. While anything read is unacknowledged it sends nothing, because any
    /// write releases PUBACKs.
    package func checkBroker(every interval: Duration) throws {
        guard let connection else { throw MQTTError(.closed) }
        guard unacknowledged == 0, connection.inbox.messages.isEmpty, hasConsent, check == nil else { return }
        if let answeredAt, .now - answeredAt < interval { return }
        try whileConnected {
            // An unsubscription from a filter that nobody has.
            check = try connection.queue(unsubscribe: "-")
            try flush(connection)
        }
    }

    // MARK: Ending

    /// Sends a DISCONNECT, after which the broker does not publish the will.
    /// - Parameter endSession: Also drops the session with its subscriptions and stored messages.
    /// - Throws: `unacknowledgedMessages` if anything read is unacknowledged: call `acknowledge` or `abandon()` first.
    package func disconnect(endSession: Bool = false) async throws {
        let connection = try writable()
        defer { close() }
        try connection.queueDisconnect(endSession: endSession)
        while connection.wantsToWrite, connection.socket >= 0 {
            do throws(MQTTError) { try connection.write() } catch { return }
            if connection.wantsToWrite, connection.socket >= 0,
                connection.wait(writing: true, wakeUp, until: .now + configuration.timeout) == .timedOut
            {
                throw MQTTError(.timeout)
            }
        }
    }

    /// Closes the socket without a DISCONNECT: the broker keeps the session and redelivers everything unacknowledged. A
    /// waiting `receive` throws `closed`.
    package nonisolated func abandon() async {
        isStopping.store(true, ordering: .releasing)
        wakeUp.signal()
        await close()
    }

    private func close() {
        connection = nil
        unacknowledged = 0
        asked = []
        optional = [:]
        check = nil
    }

    // MARK: Parts

    private func writable() throws(MQTTError) -> MQTTConnection {
        guard let connection else { throw MQTTError(.closed) }
        guard unacknowledged == 0, connection.inbox.messages.isEmpty else {
            throw MQTTError(.unacknowledgedMessages)
        }
        return connection
    }

    /// Runs `body`, and closes a connection that fails in it, so that nothing can write on it any more.
    private func whileConnected(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as CancellationError where connection?.inbox.connected != nil {
            throw error
        } catch {
            close()
            throw error
        }
    }

    /// Writes everything queued. A broker under load reads one PUBACK for each message that others publish; as long as
    /// it reads at all this waits, because a new connection would bring everything unacknowledged again.
    private func flush(_ connection: MQTTConnection) throws {
        connection.cork(true)
        defer { connection.cork(false) }
        while connection.wantsToWrite {
            try connection.write()
            guard connection.wantsToWrite else { return }
            // Not `checkCancellation`: half an acknowledged batch is of no use, and the timeout bounds the wait.
            if connection.wait(writing: true, nil, until: .now + configuration.timeout) == .timedOut {
                throw MQTTError(.timeout)
            }
        }
    }

    private func checkStopping() throws {
        wakeUp.clear()
        if isStopping.load(ordering: .acquiring) { throw MQTTError(.closed) }
    }
}
