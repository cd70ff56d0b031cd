import MQTT
import MQTTFleet
import TestSupport
import Testing

/// The Ingestor's promise: messages that the broker handed over are acknowledged after the commit and not before.
@Suite struct ConsumerTests {
    static let readings = MQTTSubscription("$share/aqua/aqua/v1/+/readings")

    @Test func nothingIsAcknowledgedBeforeAcknowledge() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let first = try await MQTTConsumer.connect(broker.ingestor())
            #expect(await !first.sessionPresent)
            try await first.subscribe([Self.readings])
            try await broker.publish(0..<300, as: "pond")

            let batch = try await first.receiveAll(300)
            #expect(batch.numbers == Array(0..<300))
            #expect(batch.redeliveries == 0)
            await first.abandon()

            let second = try await MQTTConsumer.connect(broker.ingestor())
            #expect(await second.sessionPresent)
            let again = try await second.receiveAll(300)
            #expect(again.numbers == Array(0..<300))
            #expect(again.redeliveries == 300)
            try await second.acknowledge()
            try await second.untilBrokerHasRead()
            await second.abandon()

            let third = try await MQTTConsumer.connect(broker.ingestor())
            #expect(try await third.receive(maximum: 10, patience: .milliseconds(200)).isEmpty)
            try await third.disconnect(endSession: true)
        }
    }

    @Test func acknowledgedMessagesDoNotComeBackAndFreshOnesAreNotMarked() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let first = try await MQTTConsumer.connect(broker.ingestor())
            try await first.subscribe([Self.readings])
            try await broker.publish(0..<100, as: "pond")
            #expect(try await first.receiveAll(50).numbers == Array(0..<50))
            // Acknowledges everything that was read, and no more: the other half waits in the socket.
            try await first.acknowledge()
            try await first.untilBrokerHasRead()
            await first.abandon()
            try await broker.publish(100..<120, as: "pond")

            let second = try await MQTTConsumer.connect(broker.ingestor())
            let rest = try await second.receiveAll(70)
            #expect(rest.numbers == Array(50..<120))
            #expect(rest.prefix(50).allSatisfy { $0.isRedelivery })
            #expect(rest.dropFirst(50).allSatisfy { !$0.isRedelivery })
            try await second.acknowledge()
            try await second.disconnect(endSession: true)
        }
    }

    /// A check is a write, which would release PUBACKs: while anything is unacknowledged none is made.
    @Test func aCheckOfTheBrokerAcknowledgesNothing() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let first = try await MQTTConsumer.connect(broker.ingestor())
            try await first.subscribe([Self.readings])
            #expect(await first.answeredAt == nil)
            try await first.checkBroker(every: .zero)
            while await first.answeredAt == nil { _ = try await first.receive(maximum: 1, patience: .milliseconds(50)) }
            let answeredAt = try #require(await first.answeredAt)

            try await broker.publish(0..<20, as: "pond")
            #expect(try await first.receiveAll(20).numbers == Array(0..<20))
            try await first.checkBroker(every: .zero)
            #expect(await first.answeredAt == answeredAt)
            await first.abandon()
            let second = try await MQTTConsumer.connect(broker.ingestor())
            #expect(try await second.receiveAll(20).redeliveries == 20)
            try await second.acknowledge()
            try await second.checkBroker(every: .zero)
            while await second.answeredAt == nil {
                _ = try await second.receive(maximum: 1, patience: .milliseconds(50))
            }
            try await second.disconnect(endSession: true)
        }
    }

    /// Unless its body disconnects, a scope ends as if its connection were lost.
    @Test func whatAScopeLeavesUnacknowledgedComesAgain() async throws {
        struct Trouble: Error {}
        try await TestBroker.with(devices: ["pond"]) { broker in
            await #expect(throws: Trouble.self) {
                try await MQTTConsumer.with(broker.ingestor()) { consumer in
                    try await consumer.subscribe([Self.readings])
                    try await broker.publish(0..<50, as: "pond")
                    #expect(try await consumer.receiveAll(50).numbers == Array(0..<50))
                    throw Trouble()
                }
            }
            try await MQTTConsumer.with(broker.ingestor()) { consumer in
                #expect(await consumer.sessionPresent)
                #expect(try await consumer.receiveAll(50).redeliveries == 50)
                try await consumer.acknowledge()
                try await consumer.disconnect(endSession: true)
            }
        }
    }

    @Test func aBatchHasABoundInMessagesAndBytes() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let consumer = try await MQTTConsumer.connect(broker.ingestor())
            try await consumer.subscribe([Self.readings])
            try await broker.publish(0..<100, as: "pond", size: 1000)
            let counted = try await consumer.receive(maximum: 30, linger: .seconds(120))
            #expect(counted.count == 30)
            #expect(await consumer.wasFull)
            try await consumer.acknowledge()
            let weighed = try await consumer.receive(maximum: 100, bytes: 10_000, linger: .seconds(120))
            #expect(weighed.count == 10)
            #expect(await consumer.wasFull, "more may wait, though it is few messages")
            try await consumer.acknowledge()
            #expect(try await consumer.receiveAll(60).numbers == Array(40..<100))
            try await consumer.acknowledge()
            #expect(try await consumer.receive(maximum: 100, bytes: 10_000, patience: .milliseconds(1)).isEmpty)
            #expect(await !consumer.wasFull)
            await consumer.abandon()
        }
    }

    @Test func aBacklogIsDrainedInOrder() async throws {
        let total = 50_000
        try await TestBroker.with(devices: ["pond"]) { broker in
            let seat = try await MQTTConsumer.connect(broker.ingestor(batch: 5000))
            try await seat.subscribe([Self.readings])
            try await seat.disconnect()
            try await broker.publish(0..<total, as: "pond")

            let consumer = try await MQTTConsumer.connect(broker.ingestor(batch: 5000))
            var next = 0
            while next < total {
                let batch = try await consumer.receive(maximum: 5000)
                #expect(batch.numbers == Array(next..<(next + batch.count)))
                next += batch.count
                try await consumer.acknowledge()
            }
            await consumer.abandon()
        }
    }

    @Test func writingWithAnOpenBatchIsRefused() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let consumer = try await MQTTConsumer.connect(broker.ingestor())
            try await consumer.subscribe([Self.readings])
            try await broker.publish(0..<1, as: "pond")
            _ = try await consumer.receiveAll(1)
            let refused = MQTTError(.unacknowledgedMessages)
            await #expect(throws: refused) { try await consumer.subscribe([Self.readings]) }
            await #expect(throws: refused) { try await consumer.unsubscribe([Self.readings.filter]) }
            await #expect(throws: refused) { try await consumer.disconnect() }
            await #expect(throws: refused) { _ = try await consumer.receive(maximum: 1) }
            // No attempt has released the PUBACK.
            await consumer.abandon()
            let second = try await MQTTConsumer.connect(broker.ingestor())
            #expect(try await second.receiveAll(1).numbers == [0])
            await second.abandon()
        }
    }

    @Test func aReceiptCarriesTheCorrelationDataToTheResponseTopic() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            try await MQTTFleet.with { fleet in
                let device = try await fleet.add(broker.device("pond"))
                try await fleet.subscribe([MQTTSubscription("aqua/v1/pond/receipts")], as: device)
                let consumer = try await MQTTConsumer.connect(broker.ingestor())
                try await consumer.subscribe([Self.readings])
                try await fleet.publish(
                    MQTTMessage(
                        topic: "aqua/v1/pond/readings", payload: [7], responseTopic: "aqua/v1/pond/receipts",
                        correlationData: [0, 1, 255]), as: device)

                let reading = try await consumer.receiveAll(1)[0]
                #expect(reading.responseTopic == "aqua/v1/pond/receipts")
                #expect(reading.correlationData == [0, 1, 255])
                try await consumer.acknowledge(publishing: [
                    MQTTMessage(
                        topic: "aqua/v1/pond/receipts", payload: [], qos: .atMostOnce, correlationData: [0, 1, 255])
                ])
                let receipt = await device.messages.first { _ in true }
                #expect(receipt?.topic == "aqua/v1/pond/receipts")
                #expect(receipt?.correlationData == [0, 1, 255])
                await consumer.abandon()
            }
        }
    }

    @Test func anotherClientWithTheSameIdTakesTheSessionOver() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let first = try await MQTTConsumer.connect(broker.ingestor())
            try await first.subscribe([Self.readings])
            let waiting = Task { try await first.receive(maximum: 1) }
            let second = try await MQTTConsumer.connect(broker.ingestor())
            // Mosquitto 2.0 closes the connection without a reason; other brokers send DISCONNECT 0x8E.
            await #expect(throws: MQTTError(.connectionLost)) { _ = try await waiting.value }
            await #expect(throws: MQTTError(.closed)) { _ = try await first.receive(maximum: 1) }
            await second.abandon()
        }
    }

    @Test func cancellationAndAbandonWakeAReceiverThatWaits() async throws {
        try await TestBroker.with { broker in
            let consumer = try await MQTTConsumer.connect(broker.ingestor())
            let receiver = Task { try await consumer.receive(maximum: 1) }
            receiver.cancel()
            await #expect(throws: CancellationError.self) { _ = try await receiver.value }
            let waiting = Task { try await consumer.receive(maximum: 1) }
            await consumer.abandon()
            await #expect(throws: MQTTError(.closed)) { _ = try await waiting.value }
        }
    }

    @Test func twoMembersShareAndAnIdleSeatIsDrained() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let stays = try await MQTTConsumer.connect(broker.ingestor("ingestor-1"))
            try await stays.subscribe([Self.readings])
            let leaves = try await MQTTConsumer.connect(broker.ingestor("ingestor-2"))
            try await leaves.subscribe([Self.readings])
            await leaves.abandon()
            // The broker goes on delivering to the member that is gone.
            try await broker.publish(0..<100, as: "pond")

            let adopted = try await MQTTConsumer.connect(broker.ingestor("ingestor-2"))
            #expect(await adopted.sessionPresent)
            try await adopted.unsubscribe([Self.readings.filter])
            try await broker.publish(100..<110, as: "pond")
            var drained: [Int] = []
            while case let batch = try await adopted.receive(maximum: 1000, patience: .seconds(1)),
                !batch.isEmpty
            {
                drained += batch.numbers
                try await adopted.acknowledge()
            }
            try await adopted.disconnect(endSession: true)

            var kept: [Int] = []
            while kept.count + drained.count < 110 {
                kept += try await stays.receive(maximum: 1000).numbers
                try await stays.acknowledge()
            }
            #expect(!drained.isEmpty)
            #expect((kept + drained).sorted() == Array(0..<110))
            let ended = try await MQTTConsumer.connect(broker.ingestor("ingestor-2"))
            #expect(await !ended.sessionPresent)
            await ended.abandon()
        }
    }

    /// The broker disconnects a silent client after one and a half keep-alives, which is 7.5 s for the shortest that
    /// the library permits.
    @Test func anOpenBatchOutlastsTheBrokersPatience() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            var impatient = try broker.ingestor()
            impatient.keepAlive = 5
            let consumer = try await MQTTConsumer.connect(impatient)
            try await consumer.subscribe([Self.readings])
            try await broker.publish(0..<10, as: "pond")
            let batch = try await consumer.receiveAll(10)
            // A client with a longer keep-alive than ours shows when that time has passed.
            try await SilentDevice.untilClosed(by: broker.endpoint(), as: "pond", keepAlive: 6)
            try await consumer.acknowledge()
            #expect(batch.numbers == Array(0..<10))
            try await consumer.untilBrokerHasRead()
            await consumer.abandon()
            let second = try await MQTTConsumer.connect(broker.ingestor())
            #expect(try await second.receive(maximum: 10, patience: .milliseconds(200)).isEmpty)
            await second.abandon()
        }
    }

    @Test func overTLSBytesThatWaitInsideTheLibraryAreRead() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let seat = try await MQTTConsumer.connect(broker.ingestor(batch: 400, secure: true))
            try await seat.subscribe([Self.readings])
            try await seat.disconnect()
            try await broker.publish(0..<2000, as: "pond", secure: true)
            let consumer = try await MQTTConsumer.connect(broker.ingestor(batch: 400, secure: true))
            var next = 0
            // Batches of 150 end in the middle of TLS records; the rest must be neither lost nor acknowledged.
            while next < 2000 {
                let batch = try await consumer.receive(maximum: 150, patience: .seconds(120))
                #expect(batch.count <= 150)
                #expect(batch.numbers == Array(next..<(next + batch.count)))
                if batch.isEmpty { break }
                next += batch.count
                try await consumer.acknowledge()
            }
            #expect(next == 2000)
            await consumer.abandon()
        }
    }
}
