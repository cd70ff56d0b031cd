import MQTT
import MQTTFleet
import TestSupport
import Testing

/// Displays and buttons at the broker: a device hears its own display alone, and presses its own button alone.
@Suite struct DisplayTopicTests {
    @Test func aDeviceHearsItsOwnDisplayAndNobodyElses() async throws {
        try await TestBroker.with(devices: ["pond", "tank"]) { broker in
            try await MQTTFleet.with { fleet in
                let ingestor = try await fleet.add(broker.ingestor("displays"))
                for device in ["tank", "pond"] {
                    try await fleet.publish(.display(of: device), as: ingestor)
                }
                let pond = try await fleet.add(broker.device("pond"))
                for filter in ["aqua/v1/tank/display", "aqua/v1/+/display", "aqua/v1/+/#", "aqua/v1/pond/display"] {
                    try await fleet.subscribe([MQTTSubscription(filter, retainHandling: .sendAtSubscribe)], as: pond)
                }
                // Displays from now on, too.
                for device in ["tank", "pond"] { try await fleet.publish(.display(of: device), as: ingestor) }
                try await fleet.publish(MQTTMessage(topic: "aqua/v1/pond/receipts", payload: [1]), as: ingestor)
                var heard: [String] = []
                for await message in pond.messages {
                    if message.topic == "aqua/v1/pond/receipts" { break }
                    heard.append(message.topic)
                }
                #expect(!heard.isEmpty && heard.allSatisfy { $0 == "aqua/v1/pond/display" })
            }
        }
    }

    @Test func nobodyButAnIngestorWritesADisplay() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            try await MQTTFleet.with { fleet in
                let pond = try await fleet.add(broker.device("pond"))
                for device in ["pond", "tank"] {
                    await #expect(throws: MQTTError(.notAuthorized), "\(device)") {
                        try await fleet.publish(.display(of: device), as: pond)
                    }
                }
            }
        }
    }

    @Test func aDevicePressesItsOwnButtonAndHearsNone() async throws {
        try await TestBroker.with(devices: ["pond", "tank"]) { broker in
            let consumer = try await MQTTConsumer.connect(broker.ingestor())
            try await consumer.subscribe([
                MQTTSubscription("aqua/v1/+/button"),
                MQTTSubscription("aqua/v1/+/display", retainHandling: .sendAtSubscribe, hearsItself: false),
            ])
            try await MQTTFleet.with { fleet in
                let (pond, tank) = (
                    try await fleet.add(broker.device("pond")), try await fleet.add(broker.device("tank"))
                )
                try await fleet.subscribe([MQTTSubscription("aqua/v1/+/#")], as: pond)
                await #expect(throws: MQTTError(.notAuthorized)) {
                    try await fleet.publish(MQTTMessage(topic: "aqua/v1/tank/button", payload: [1]), as: pond)
                }
                try await fleet.publish(MQTTMessage(topic: "aqua/v1/tank/button", payload: [2]), as: tank)
                try await fleet.publish(MQTTMessage(topic: "aqua/v1/pond/button", payload: [3]), as: pond)
                let ingestor = try await fleet.add(broker.ingestor("receipts"))
                await #expect(throws: MQTTError(.notAuthorized), "an Ingestor's key presses no button") {
                    try await fleet.publish(MQTTMessage(topic: "aqua/v1/pond/button", payload: [4]), as: ingestor)
                }
                let again = try await fleet.add(broker.ingestor("receipts-2"))
                try await fleet.publish(MQTTMessage(topic: "aqua/v1/pond/receipts", payload: [1]), as: again)
                #expect(await pond.messages.first { _ in true }?.topic == "aqua/v1/pond/receipts")
            }
            #expect(try await consumer.receiveAll(2).map(\.payload) == [[2], [3]])
            await consumer.abandon()
        }
    }

    /// A session hears at once what is retained, and not what it publishes itself.
    @Test func whoeverKeepsDisplaysHearsWhatIsKeptAndNotItself() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            try await MQTTFleet.with { fleet in
                try await fleet.publish(.display(of: "pond"), as: try await fleet.add(broker.ingestor("before")))
                let keeper = try await MQTTConsumer.connect(broker.ingestor("keeper"))
                try await keeper.subscribe([
                    MQTTSubscription("aqua/v1/+/display", retainHandling: .sendAtSubscribe, hearsItself: false),
                    MQTTSubscription("aqua/v1/+/button"),
                ])
                let kept = try await keeper.receiveAll(1)
                #expect(kept.map(\.topic) == ["aqua/v1/pond/display"] && kept.map(\.retain) == [true])
                try await keeper.acknowledge(publishing: [.display(of: "pond")])
                let pond = try await fleet.add(broker.device("pond"))
                try await fleet.publish(MQTTMessage(topic: "aqua/v1/pond/button", payload: [1]), as: pond)
                #expect(try await keeper.receiveAll(1).map(\.topic) == ["aqua/v1/pond/button"])
                await keeper.abandon()
            }
        }
    }
}

extension MQTTMessage {
    fileprivate static func display(of device: String) -> MQTTMessage {
        MQTTMessage(topic: "aqua/v1/\(device)/display", payload: [1], retain: true)
    }
}
