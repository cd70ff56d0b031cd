import Backoff
import MQTT
import MQTTFleet
import TestSupport
import Testing

@Suite struct FleetTests {
    private func publish(
        _ count: Int, as name: String, _ device: MQTTFleet.Client, through fleet: MQTTFleet
    ) async throws {
        for number in 0..<count { try await fleet.enqueue(.numbered(number, device: name), as: device) }
        try await fleet.drain(device)
    }

    /// Reads until this many different messages have come, or no more come.
    private func numbersByTopic(from broker: TestBroker, until count: Int) async throws -> [String: Set<Int>] {
        let consumer = try await MQTTConsumer.connect(broker.ingestor(batch: 5000))
        var numbers: [String: Set<Int>] = [:]
        var isDry = false
        while !isDry, numbers.values.reduce(0, { $0 + $1.count }) < count {
            let batch = try await consumer.receive(maximum: 5000, patience: .seconds(60))
            for message in batch { numbers[message.topic, default: []].insert(message.number ?? -1) }
            isDry = batch.isEmpty
            try await consumer.acknowledge()
        }
        await consumer.abandon()
        return numbers
    }

    @Test func whatWasNotAcknowledgedIsSentAgainAfterTheBrokerRestarts() async throws {
        try await TestBroker.with(devices: ["pond", "tank"]) { broker in
            let seat = try await MQTTConsumer.connect(broker.ingestor(batch: 5000))
            // Not shared, because Mosquitto does not keep shared subscriptions over a restart.
            try await seat.subscribe([MQTTSubscription("aqua/v1/+/readings")])
            try await seat.disconnect()
            let backoff = Backoff(base: .milliseconds(20), cap: .milliseconds(100), jitter: .half)
            try await MQTTFleet.with(backoff: backoff) { fleet in
                let devices = try await (fleet.add(broker.device("pond")), fleet.add(broker.device("tank")))
                async let pond: Void = publish(5000, as: "pond", devices.0, through: fleet)
                async let tank: Void = publish(5000, as: "tank", devices.1, through: fleet)
                for _ in 0..<3 {
                    try await broker.halt()
                    try await broker.resume()
                }
                _ = try await (pond, tank)
            }
            let numbers = try await numbersByTopic(from: broker, until: 10_000)
            #expect(numbers["aqua/v1/pond/readings"] == Set(0..<5000))
            #expect(numbers["aqua/v1/tank/readings"] == Set(0..<5000))
        }
    }

    @Test func aDeviceWritesBelowItsOwnIdOnly() async throws {
        try await TestBroker.with(devices: ["pond", "tank"]) { broker in
            let consumer = try await MQTTConsumer.connect(broker.ingestor())
            try await consumer.subscribe([ConsumerTests.readings])
            try await MQTTFleet.with { fleet in
                let pond = try await fleet.add(broker.device("pond"))
                let refused = MQTTError(.notAuthorized)
                await #expect(throws: refused) { try await fleet.publish(.numbered(1, device: "tank"), as: pond) }
                try await fleet.enqueue(.numbered(2, device: "tank"), as: pond)
                await #expect(throws: refused) { try await fleet.drain(pond) }
                let control = MQTTMessage(topic: "$CONTROL/dynamic-security/v1", payload: Array("{}".utf8))
                await #expect(throws: refused) { try await fleet.publish(control, as: pond) }
                try await fleet.publish(.numbered(3, device: "pond"), as: pond)
            }
            #expect(try await consumer.receiveAll(1).numbers == [3])
            await consumer.abandon()
        }
    }

    @Test func aDeviceReadsBelowItsOwnIdAndJoinsNoSharedSubscription() async throws {
        try await TestBroker.with(devices: ["pond", "tank"]) { broker in
            let consumer = try await MQTTConsumer.connect(broker.ingestor())
            try await consumer.subscribe([ConsumerTests.readings])
            try await MQTTFleet.with { fleet in
                let pond = try await fleet.add(broker.device("pond"))
                let tank = try await fleet.add(broker.device("tank"))
                for filter in ["$share/aqua/aqua/v1/+/readings", "#", "$SYS/#", "$CONTROL/dynamic-security/#"] {
                    await #expect(throws: MQTTError(.notAuthorized), "\(filter)") {
                        try await fleet.subscribe([MQTTSubscription(filter)], as: tank)
                    }
                }
                // The broker grants a wildcard, but then delivers only topics that the device may read: not even its
                // own readings.
                try await fleet.subscribe([MQTTSubscription("aqua/v1/+/#")], as: tank)
                try await fleet.publish(.numbered(1, device: "pond"), as: pond)
                try await fleet.publish(.numbered(2, device: "tank"), as: tank)
                let ingestor = try await fleet.add(broker.ingestor("receipts"))
                for device in ["pond", "tank"] {
                    try await fleet.publish(
                        MQTTMessage(topic: "aqua/v1/\(device)/receipts", payload: [1]), as: ingestor)
                }
                #expect(await tank.messages.first { _ in true }?.topic == "aqua/v1/tank/receipts")
            }
            #expect(try await consumer.receiveAll(2).numbers == [1, 2])
            await consumer.abandon()
        }
    }

    @Test func aWillIsPublishedWhenADeviceLosesItsPower() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let consumer = try await MQTTConsumer.connect(broker.ingestor())
            try await consumer.subscribe([MQTTSubscription("$share/aqua/aqua/v1/+/status")])
            try await MQTTFleet.with { fleet in
                var configuration = broker.device("pond", secure: true)
                configuration.will = MQTTMessage(
                    topic: "aqua/v1/pond/status", payload: Array("offline".utf8), retain: true)
                let polite = try await fleet.add(configuration)
                try await fleet.publish(MQTTMessage(topic: "aqua/v1/pond/status", payload: [1]), as: polite)
                try await fleet.remove(polite)
                let pond = try await fleet.add(configuration)
                try await fleet.remove(pond, abruptly: true)
                await #expect(throws: MQTTError(.closed)) {
                    try await fleet.publish(.numbered(1, device: "pond"), as: pond)
                }
            }
            let statuses = try await consumer.receiveAll(2)
            #expect(statuses.map(\.payload) == [[1], Array("offline".utf8)])
            await consumer.abandon()
        }
    }

    @Test func refusalsOfTheFirstConnectionAreToldApart() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            try await MQTTFleet.with { fleet in
                var wrong = broker.device("pond")
                wrong.credentials?.password = "wrong"
                await #expect(throws: MQTTError(.connectionRefused(.notAuthorized))) { _ = try await fleet.add(wrong) }
                wrong.credentials = nil
                await #expect(throws: MQTTError(.connectionRefused(.notAuthorized))) { _ = try await fleet.add(wrong) }
                var nowhere = broker.device("pond")
                nowhere.endpoint.port = UInt16(Ports.free())
                await #expect(throws: MQTTError(.unreachable)) { _ = try await fleet.add(nowhere) }
                var untrusted = broker.device("pond", secure: true)
                untrusted.certificateAuthorityFile = nil
                await #expect(throws: MQTTError(.tls)) { _ = try await fleet.add(untrusted) }
                var notTLS = broker.device("pond")
                notTLS.endpoint.port = UInt16(broker.tlsPort)
                await #expect(throws: MQTTError(.connectionLost)) { _ = try await fleet.add(notTLS) }
            }
        }
    }

    @Test func aThousandDevicesShareOneThread() async throws {
        let names = (0..<1000).map { "device-\($0)" }
        try await TestBroker.with(devices: names) { broker in
            let consumer = try await MQTTConsumer.connect(broker.ingestor())
            try await consumer.subscribe([ConsumerTests.readings])
            try await MQTTFleet.with { fleet in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (number, name) in names.enumerated() {
                        group.addTask {
                            let device = try await fleet.add(broker.device(name), window: 4, buffer: 1)
                            try await fleet.publish(.numbered(number, device: name), as: device)
                        }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(try await consumer.receiveAll(1000).numbers.sorted() == Array(0..<1000))
            await consumer.abandon()
        }
    }
}
