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

    private static let streams = ["temperature", "dissolved_oxygen"]

    /// The topics of a device, those of SensorThings too, where a standard says that they lie elsewhere.
    private static func topics(of device: String) -> [String] {
        subjects.map { "aqua/v1/\(device)/\($0)" }
            + streams.map { "v1.1/Datastreams('\(device):\($0)')/Observations" }
    }

    /// Topics that look like `pond`'s, and are nobody's.
    private static let forged =
        subjects + subjects.map { "pond/\($0)" }
        + [
            "Observations", "Datastreams('pond:level')/Observations",
            "Datastreams('pond:temperature:hand')/Observations",
            "Datastreams(pond:temperature)/Observations", "Datastreams('pond')/Observations",
            "Datastreams('pond:temperature')/Observations/x", "Datastreams('pond:temperature')/x/Observations",
        ].map { "v1.1/\($0)" }

    private static let filters =
        [
            "tele/SENSOR", "tele/LWT", "sensor/+/state", "reef-pi/+", "zigbee2mqtt", "zigbee2mqtt/availability",
            "senml",
            "shelly/events/rpc", "shelly/status/+", "shelly/ext_temperatures", "shelly/online", "shelly/info",
            "tele/STATE",
            "tele/INFO1", "tele/INFO3", "text_sensor/version/state", "text_sensor/reset_reason/state",
        ].map { "aqua/v1/+/\($0)" } + ["v1.1/+/Observations"]

    @Test func aDeviceWritesItsOwnAndNobodyElses() async throws {
        try await TestBroker.with(devices: ["pond", "aqua"]) { broker in
            let consumer = try await MQTTConsumer.connect(broker.ingestor())
            try await consumer.subscribe(Self.filters.map { MQTTSubscription($0, isRequired: false) })
            #expect(await consumer.refusedFilters.isEmpty)
            try await MQTTFleet.with { fleet in
                let pond = try await fleet.add(broker.device("pond"))
                for other in ["tank", "aqua", "pon", "pond-2"].flatMap(Self.topics) + Self.forged {
                    await #expect(throws: MQTTError(.notAuthorized), "\(other)") {
                        try await fleet.publish(MQTTMessage(topic: other, payload: [1], retain: true), as: pond)
                    }
                }
                for topic in Self.topics(of: "pond") {
                    try await fleet.publish(MQTTMessage(topic: topic, payload: [1]), as: pond)
                }
            }
            let heard = try await consumer.receiveAll(Self.topics(of: "pond").count)
            #expect(heard.map(\.topic) == Self.topics(of: "pond"))
            await consumer.abandon()
        }
    }

    @Test func aDeviceHearsNothingThatItCanWrite() async throws {
        try await TestBroker.with(devices: ["pond"]) { broker in
            try await MQTTFleet.with { fleet in
                let pond = try await fleet.add(broker.device("pond"))
                try await fleet.subscribe([MQTTSubscription("aqua/v1/pond/#")], as: pond)
                for filter in ["v1.1/#", "v1.1/+/Observations", Self.topics(of: "pond").last ?? ""] {
                    await #expect(throws: MQTTError(.notAuthorized), "\(filter)") {
                        try await fleet.subscribe([MQTTSubscription(filter)], as: pond)
                    }
                }
                for topic in Self.topics(of: "pond") {
                    try await fleet.publish(MQTTMessage(topic: topic, payload: [1]), as: pond)
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
                for topic in Self.topics(of: "pond") {
                    await #expect(throws: MQTTError(.notAuthorized), "\(topic)") {
                        try await fleet.publish(MQTTMessage(topic: topic, payload: [1]), as: ingestor)
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
