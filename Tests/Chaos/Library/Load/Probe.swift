import MQTT
import MQTTFleet
import Synchronization
import TestSupport

/// A device with good firmware: it keeps each reading until it is safe, and sends readings one after the other, so that
/// they arrive in order.
///
/// A reading is safe once the broker has acknowledged it or, for a device that asks for commit receipts, once its
/// receipt has come. If the receipt fails to come the device sends the reading again.
final class Probe: Sendable {
    let name: String
    let asksForReceipts: Bool
    /// The parameters of each message: some firmware sends each probe's value in a message of its own, with the same
    /// time.
    private let parts: [Range<Int>]
    private let client: MQTTFleet.Client
    private let fleet: MQTTFleet
    private let desk = ReceiptDesk()
    private let ledger = Mutex<[LedgerReading]>([])
    private let handingOver = Atomic(false)

    /// The time that a device waits for a receipt before it sends again.
    private static let receiptPatience = Duration.seconds(2)

    static func connect(
        _ name: String, password: String, asksForReceipts: Bool, parts: Int, to broker: TestBroker, _ fleet: MQTTFleet
    ) async throws -> Probe {
        let client = try await fleet.add(
            MQTTConfiguration(
                endpoint: try MQTTEndpoint(url: broker.url), clientID: name,
                credentials: MQTTCredentials(user: name, password: password), keepAlive: 30))
        if asksForReceipts {
            try await fleet.subscribe([MQTTSubscription("aqua/v1/\(name)/receipts")], as: client)
        }
        let size = Water.all.count / parts
        let ranges = stride(from: 0, to: Water.all.count, by: size).map { $0..<$0 + size }
        return Probe(name, asksForReceipts, ranges, client, fleet)
    }

    private init(
        _ name: String, _ asksForReceipts: Bool, _ parts: [Range<Int>], _ client: MQTTFleet.Client, _ fleet: MQTTFleet
    ) {
        self.parts = parts
        self.name = name
        self.asksForReceipts = asksForReceipts
        self.client = client
        self.fleet = fleet
    }

    /// Collects receipts until the fleet ends.
    func listen() async { await desk.run(client.messages) }

    /// Measures as long as `flow` goes on, and twice more in range, so that every episode ends and its end is reported.
    /// Returns when all readings are handed over.
    func play(_ flow: Flow, seed: UInt64) async throws {
        try await play { course in await Self.measure(flow, seed: seed, course) }
    }

    /// Hands readings over, one after the other, while `measure` adds to them. Returns when all are handed over.
    func play(_ measure: @Sendable @escaping (Course) async throws -> Void) async throws {
        let (readings, measured) = AsyncStream.makeStream(of: Int.self)
        let course = Course(probe: self, measured: measured)
        async let measuring: Void = course.run(measure)
        handingOver.store(true, ordering: .releasing)
        for await index in readings { try await handOver(index) }
        handingOver.store(false, ordering: .releasing)
        try await measuring
    }

    /// The side of a device that measures.
    struct Course: Sendable {
        fileprivate let probe: Probe
        fileprivate let measured: AsyncStream<Int>.Continuation

        /// - Parameters:
        ///   - values: In tenths, in the order of `Water.all`.
        ///   - time: Nil for now.
        /// - Returns: The reading's time.
        @discardableResult
        func measure(_ values: [Int], at time: Int? = nil) -> Int {
            let (index, time) = probe.add(values, at: time)
            measured.yield(index)
            return time
        }

        fileprivate func run(_ measure: (Course) async throws -> Void) async throws {
            defer { measured.finish() }
            try await measure(self)
        }
    }

    /// Hands over one reading in range, and returns when it is safe.
    func report() async throws { try await handOver(add(Water.calm).index) }

    /// The readings since the last call.
    func takeLedger() -> [LedgerReading] {
        ledger.withLock { ledger in
            defer { ledger = [] }
            return ledger
        }
    }

    /// Whether the device still measures, or has readings that are not safe yet.
    var isHandingOver: Bool { handingOver.load(ordering: .acquiring) }

    private static func measure(_ flow: Flow, seed: UInt64, _ course: Course) async {
        var generator = SeededGenerator(seed: seed)
        var scripts = Water.all.map { WaterScript($0, seed: generator.next()) }
        let phase = Duration.milliseconds(Int.random(in: 0..<Int(Flow.period / .milliseconds(1)), using: &generator))
        await flow.pause(phase)
        while flow.goesOn {
            course.measure(scripts.indices.map { scripts[$0].next() })
            await flow.pause(Flow.period)
        }
        await course.end(flow)
    }

    private func add(_ values: [Int], at time: Int? = nil) -> (index: Int, time: Int) {
        ledger.withLock { ledger in
            let time = time ?? max(wallClock(), (ledger.last?.time ?? 0) + 1)
            ledger.append(
                LedgerReading(device: name, time: time, values: values, asksForReceipt: asksForReceipts))
            return (ledger.count - 1, time)
        }
    }

    private func handOver(_ index: Int) async throws {
        let reading = ledger.withLock { $0[index] }
        var receipt: String?
        for (number, part) in parts.enumerated() {
            var message = MQTTMessage(topic: "aqua/v1/\(name)/readings", payload: reading.payload(part))
            let mark = Array("\(reading.time).\(number)".utf8)
            if asksForReceipts {
                message.responseTopic = "aqua/v1/\(name)/receipts"
                message.correlationData = mark
            }
            receipt = try await handOver(message, mark)
        }
        ledger.withLock { ledger in
            ledger[index].handedOverAt = wallClock()
            ledger[index].receipt = receipt
        }
    }

    /// - Returns: The receipt, if the device asks for one.
    private func handOver(_ message: MQTTMessage, _ mark: [UInt8]) async throws -> String? {
        while true {
            try await fleet.publish(message, as: client)
            guard asksForReceipts else { return nil }
            if let receipt = await desk.receipt(mark, within: Self.receiptPatience) { return receipt }
            try Task.checkCancellation()
        }
    }
}

extension Probe.Course {
    /// Measures twice in range, so that every episode ends and its end is reported.
    func end(_ flow: Flow) async {
        measure(Water.calm)
        await flow.pause(ChaosStage.recoveryDelay + Flow.period)
        measure(Water.calm)
    }
}

/// Whether devices measure.
final class Flow: Sendable {
    /// The interval between two readings of a device.
    static let period = Duration.milliseconds(500)

    private let isOver = Atomic(false)

    var goesOn: Bool { !isOver.load(ordering: .acquiring) && !Task.isCancelled }

    func stop() { isOver.store(true, ordering: .releasing) }

    /// Waits for the next reading's turn.
    func pause(_ duration: Duration) async {
        // Only cancellation ends this sleep early, and `goesOn` shows that.
        try? await Task.sleep(for: duration)
    }
}
