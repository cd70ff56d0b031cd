import Foundation
import MQTT
import TestSupport
import Testing

/// A broker that is slow to read PUBACKs. Without a bound they would pile up in the kernel by the million, and the
/// broker would fall further and further behind with messages that are acknowledged already.
@Suite struct UnreadAcknowledgementTests {
    /// The number of messages, whose PUBACKs have 240 kB.
    private static let total = 60_000
    /// The kernel's limit for our 64 KiB: it doubles them, and counts its own book-keeping, too.
    private static let bound = 128 << 10

    @Test func whoReadsLateIsWaitedFor() async throws {
        try await scene { broker, link, consumer in
            #expect(try await consumer.receiveAll(Self.total).numbers == Array(0..<Self.total))
            link.set(.deaf)
            let full = Self.onceFull(link, .pass)
            try await consumer.acknowledge()
            #expect(await full.value)

            try await consumer.untilBrokerHasRead()
            await consumer.abandon()
            let next = try await MQTTConsumer.connect(broker.ingestor(batch: .max))
            #expect(try await next.receive(maximum: 1, patience: .milliseconds(200)).isEmpty)
            await next.abandon()
        }
    }

    @Test func whoReadsSlowlyIsWaitedFor() async throws {
        try await scene { _, link, consumer in
            // Reads nothing until the buffer was seen full, so that this machine's speed does not matter.
            _ = try await consumer.receiveAll(Self.total)
            link.set(.deaf)
            let full = Self.onceFull(link, .delay(.milliseconds(50)))
            try await consumer.acknowledge()
            #expect(await full.value)
            await consumer.abandon()
        }
    }

    @Test func onlySoManyWaitForWhoReadsNothingAndIsGivenUp() async throws {
        try await scene(timeout: .seconds(15)) { broker, link, consumer in
            _ = try await consumer.receiveAll(Self.total)
            link.set(.deaf)
            let most = try await mostUnread(link) {
                await #expect(throws: MQTTError(.timeout)) { try await consumer.acknowledge() }
            }
            #expect(most <= Self.bound)
            link.reset()
            // Messages whose acknowledgement the broker has not read come again.
            let next = try await MQTTConsumer.connect(broker.ingestor(batch: .max))
            let first = try #require(try await next.receive(maximum: 1, patience: .seconds(120)).numbers.first)
            try await next.acknowledge()
            #expect(try await next.receiveAll(Self.total - first - 1).numbers == Array(first + 1..<Self.total))
            await next.abandon()
        }
    }

    // MARK: Parts

    /// A broker with messages for an Ingestor, which is connected through a link that buffers next to nothing.
    private func scene(
        timeout: Duration = .seconds(120),
        _ body: @Sendable (TestBroker, FaultyLink, MQTTConsumer) async throws -> Void
    ) async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let seat = try await MQTTConsumer.connect(broker.ingestor(batch: .max))
            try await seat.subscribe([ConsumerTests.readings])
            try await seat.disconnect()
            try await broker.publish(0..<Self.total, as: "pond")
            try await FaultyLink.with(buffer: 4 << 10) { link in
                try link.lead(to: broker.port)
                var configuration = try broker.ingestor(batch: .max)
                configuration.endpoint = MQTTEndpoint(host: link.host, port: UInt16(link.port), isSecure: false)
                configuration.timeout = timeout
                try await body(broker, link, try await MQTTConsumer.connect(configuration))
            }
        }
    }

    /// Changes the link's mode once the buffer is full. The kernel ends a connection whose bytes nobody has taken for 30 s,
    /// and on a busy machine a task may wait longer than that for its turn: a thread of its own looks.
    private static func onceFull(_ link: FaultyLink, _ mode: FaultyLink.Mode) -> Task<Bool, Never> {
        onThread {
            let deadline = ContinuousClock.now + .seconds(120)
            var isFull = false
            while !isFull, ContinuousClock.now < deadline {
                Thread.sleep(forTimeInterval: 0.005)
                isFull = Ports.backlog(towards: link.port) >= 64 << 10
            }
            link.set(mode)
            return isFull
        }
    }

    /// Watches how much the broker leaves unread while `body` runs.
    private func mostUnread(_ link: FaultyLink, _ body: @Sendable () async throws -> Void) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask {
                var most = 0
                while !Task.isCancelled {
                    most = max(most, Ports.backlog(towards: link.port))
                    // Only cancellation ends this early, and the loop checks for it.
                    try? await Task.sleep(for: .milliseconds(5))
                }
                return most
            }
            defer { group.cancelAll() }
            try await body()
            group.cancelAll()
            return try await group.next() ?? 0
        }
    }
}
