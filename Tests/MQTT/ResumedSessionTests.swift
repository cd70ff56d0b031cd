import MQTT
import TestSupport
import Testing

/// A session that holds more than a batch when it is resumed.
@Suite struct ResumedSessionTests {
    private static let window: UInt16 = 4_096
    /// The largest packet that the broker accepts.
    private static let largest = 4_096

    /// A broker with a session that holds this many messages of this size.
    private static func scene(
        _ count: Int, size: Int = 8, window: UInt16 = window,
        _ body: (TestBroker, MQTTConfiguration) async throws -> Void
    ) async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let configuration = try broker.ingestor(batch: window)
            let seat = try await MQTTConsumer.connect(configuration)
            try await seat.subscribe([ConsumerTests.readings])
            try await seat.disconnect()
            try await broker.publish(0..<count, as: "pond", size: size)
            try await body(broker, configuration)
        }
    }

    /// All messages in flight come before the broker's answer: 16 MiB here.
    @Test func whatIsUnderWayComesInBatchesBeforeTheBrokersConsent() async throws {
        try await Self.scene(5_000, size: Self.largest) { _, configuration in
            let bytes = 1 << 20
            let consumer = try await MQTTConsumer.connect(configuration)
            try await consumer.subscribe([ConsumerTests.readings], maximum: 1_000, bytes: bytes)
            #expect(await !consumer.hasConsent)
            var numbers: [Int] = []
            var fewest = Int.max
            while numbers.count < 5_000 {
                let batch = try await consumer.receive(maximum: 1_000, bytes: bytes, patience: .seconds(20))
                // The bound is checked after each message.
                #expect(batch.reduce(0) { $0 + $1.payload.count + $1.topic.utf8.count } < bytes + 2 * Self.largest)
                #expect(batch.count <= 1_000)
                if batch.isEmpty { break }
                fewest = min(fewest, batch.count)
                numbers += batch.numbers
                try await consumer.acknowledge()
            }
            #expect(numbers == Array(0..<5_000))
            #expect(await consumer.hasConsent)
            await consumer.abandon()
        }
    }

    @Test func aRefusalThatComesLaterIsThrown() async throws {
        try await Self.scene(500) { broker, configuration in
            let consumer = try await MQTTConsumer.connect(configuration)
            try await consumer.subscribe([MQTTSubscription("#")], maximum: 100)
            var acknowledged = 0
            do {
                while true {
                    let batch = try await consumer.receive(maximum: 100, patience: .seconds(20))
                    try await consumer.acknowledge()
                    acknowledged += batch.count
                }
            } catch let error as MQTTError {
                #expect(error == MQTTError(.notAuthorized))
            }
            // No unacknowledged message is lost.
            let next = try await MQTTConsumer.connect(configuration)
            var rest: [Int] = []
            while acknowledged < 500, rest.last != 499 {
                let batch = try await next.receive(maximum: 500, patience: .seconds(20)).numbers
                if batch.isEmpty { break }
                rest += batch
                try await next.acknowledge()
            }
            // The broker may not have read the last acknowledgements.
            #expect(Array(rest.suffix(500 - acknowledged)) == Array(acknowledged..<500))
            await next.abandon()
        }
    }

    @Test func aBrokerThatSaysNothingMoreIsGivenUp() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            try await FaultyLink.with { link in
                try link.lead(to: broker.port)
                var configuration = try broker.ingestor()
                configuration.endpoint = MQTTEndpoint(host: link.host, port: UInt16(link.port))
                configuration.timeout = .seconds(15)
                let consumer = try await MQTTConsumer.connect(configuration)
                link.set(.blackHole)
                await #expect(throws: MQTTError(.timeout)) { try await consumer.subscribe([ConsumerTests.readings]) }
            }
        }
    }

    /// Even if each `receive` has a short patience.
    @Test func anAnswerThatNeverComesAfterABatchIsGivenUp() async throws {
        try await Self.scene(500) { broker, direct in
            // A small buffer, so that the answer cannot be in it already.
            try await FaultyLink.with(buffer: 4 << 10) { link in
                try link.lead(to: broker.port)
                var configuration = direct
                configuration.endpoint = MQTTEndpoint(host: link.host, port: UInt16(link.port))
                configuration.timeout = .seconds(15)
                let consumer = try await MQTTConsumer.connect(configuration)
                link.set(.deaf)
                try await consumer.subscribe([ConsumerTests.readings], maximum: 100)
                await #expect(throws: MQTTError(.timeout)) {
                    while true {
                        _ = try await consumer.receive(maximum: 100, patience: .milliseconds(50))
                        try await consumer.acknowledge()
                    }
                }
            }
        }
    }

    // MARK: Stored messages

    @Test func whatTheBrokerKeptIsToldFromWhatComesAfter() async throws {
        // Ten windows, so that most messages come only as PUBACKs are read.
        try await Self.scene(500, window: 50) { broker, configuration in
            let consumer = try await MQTTConsumer.connect(configuration)
            try await consumer.subscribe([ConsumerTests.readings], maximum: 20)
            var kept: [MQTTMessage] = []
            while kept.count < 500 {
                kept += try await consumer.receive(maximum: 20, patience: .seconds(20))
                try await consumer.acknowledge()
            }
            #expect(kept.numbers == Array(0..<500))
            #expect(kept.allSatisfy { $0.wasKept })
            // The answer to the last question has arrived by then.
            try await consumer.untilBrokerHasRead()
            try await broker.publish(500..<510, as: "pond")
            let fresh = try await consumer.receiveAll(10)
            #expect(fresh.numbers == Array(500..<510))
            #expect(fresh.allSatisfy { !$0.wasKept })
            await consumer.abandon()
        }
    }

    @Test func onASessionThatHeldNothingEverythingIsFresh() async throws {
        try await Self.scene(0) { broker, configuration in
            let consumer = try await MQTTConsumer.connect(configuration)
            #expect(await consumer.sessionPresent)
            try await consumer.subscribe([ConsumerTests.readings])
            try await broker.publish(0..<10, as: "pond")
            #expect(try await consumer.receiveAll(10).allSatisfy { !$0.wasKept })
            await consumer.abandon()
        }
    }
}
