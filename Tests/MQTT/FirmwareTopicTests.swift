import MQTT
import MQTTFleet
import TestSupport
import Testing

/// The topics of other firmware: a device may write its own, and hears none that it can write.
@Suite struct FirmwareTopicTests {
    private static let subjects = [
        "tele/SENSOR", "tele/LWT", "sensor/temperature/state", "sensor/dissolved_oxygen/state",
        "reef-pi/temperature_reading", "reef-pi/temperature_f_reading", "reef-pi/ph_water", "zigbee2mqtt",
        "zigbee2mqtt/availability", "senml", "shelly/events/rpc", "shelly/status/temperature:100",
        "shelly/status/temperature:107", "shelly/ext_temperatures", "shelly/online", "shelly/info", "tele/STATE",
        "tele/INFO1", "tele/INFO3", "text_sensor/version/state", "text_sensor/reset_reason/state",
    ]

    private static let filters = [
        "tele/SENSOR", "tele/LWT", "sensor/+/state", "reef-pi/+", "zigbee2mqtt", "zigbee2mqtt/availability", "senml",
        "shelly/events/rpc", "shelly/status/+", "shelly/ext_temperatures", "shelly/online", "shelly/info", "tele/STATE",
        "tele/INFO1", "tele/INFO3", "text_sensor/version/state", "text_sensor/reset_reason/state",
    ].map { "aqua/v1/+/\($0)" }

    @Test func aDeviceWritesItsOwnAndNobodyElses() async throws {
        try await TestBroker.with(devices: ["pond", "aqua"]) { broker in
            let consumer = try await MQTTConsumer.connect(broker.ingestor())
            try await consumer.subscribe(Self.filters.map { MQTTSubscription($0, isRequired: false) })
            #expect(await consumer.refusedFilters.isEmpty)
            try await MQTTFleet.with { fleet in
                let pond = try await fleet.add(broker.device("pond"))
                for subject in Self.subjects {
                    for other in ["aqua/v1/tank/\(subject)", "aqua/v1/aqua/\(subject)", subject, "pond/\(subject)"] {
                        await #expect(throws: MQTTError(.notAuthorized), "\(other)") {
                            try await fleet.publish(MQTTMessage(topic: other, payload: [1], retain: true), as: pond)
                        }
                    }
                    try await fleet.publish(MQTTMessage(topic: "aqua/v1/pond/\(subject)", payload: [1]), as: pond)
                }
            }
            let heard = try await consumer.receiveAll(Self.subjects.count)
            #expect(heard.map(\.topic) == Self.subjects.map { "aqua/v1/pond/\($0)" })
            await consumer.abandon()
        }
    }

    @Test func aDeviceHearsNothingThatItCanWrite() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            try await MQTTFleet.with { fleet in
                let pond = try await fleet.add(broker.device("pond"))
                try await fleet.subscribe([MQTTSubscription("aqua/v1/pond/#")], as: pond)
                for subject in Self.subjects {
                    try await fleet.publish(MQTTMessage(topic: "aqua/v1/pond/\(subject)", payload: [1]), as: pond)
                }
                let ingestor = try await fleet.add(broker.ingestor("receipts"))
                try await fleet.publish(MQTTMessage(topic: "aqua/v1/pond/receipts", payload: [1]), as: ingestor)
                #expect(await pond.messages.first { _ in true }?.topic == "aqua/v1/pond/receipts")
            }
        }
    }

    @Test func anIngestorSpeaksForNoFirmware() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            try await MQTTFleet.with { fleet in
                let ingestor = try await fleet.add(broker.ingestor())
                for subject in Self.subjects {
                    await #expect(throws: MQTTError(.notAuthorized), "\(subject)") {
                        try await fleet.publish(
                            MQTTMessage(topic: "aqua/v1/pond/\(subject)", payload: [1]), as: ingestor)
                    }
                }
                // The Ingestor may remove retained messages on topics without measurements.
                for subject in ["sensor/x/state", "reef-pi/x"] {
                    try await fleet.publish(
                        MQTTMessage(topic: "aqua/v1/pond/\(subject)", payload: [], retain: true), as: ingestor)
                }
            }
        }
    }

    /// The refusal of an optional filter is reported; that of a required one ends the connection.
    @Test func aRefusalIsToldOrEndsTheConnection() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            let consumer = try await MQTTConsumer.connect(broker.ingestor())
            try await consumer.subscribe([
                MQTTSubscription("aqua/v1/+/readings"), MQTTSubscription("aqua/v1/+/secrets", isRequired: false),
            ])
            #expect(await consumer.hasConsent)
            #expect(await consumer.refusedFilters == ["aqua/v1/+/secrets"])
            try await broker.publish(0..<1, as: "pond")
            #expect(try await consumer.receiveAll(1).numbers == [0])
            await consumer.abandon()

            let strict = try await MQTTConsumer.connect(broker.ingestor("strict"))
            await #expect(throws: MQTTError(.notAuthorized)) {
                try await strict.subscribe([MQTTSubscription("aqua/v1/+/secrets")])
            }
        }
    }
}
