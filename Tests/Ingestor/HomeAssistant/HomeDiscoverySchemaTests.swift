import Foundation
import MQTT
import TestSupport
import Testing
import WaterQuality

@testable import Ingestor

/// Device descriptions that Home Assistant accepts: its MQTT integration drops a device whose description breaks a
/// rule, and reports that only in its own log.
///
/// The rules are those of Home Assistant 2024.12: https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload,
/// https://www.home-assistant.io/integrations/sensor.mqtt/, https://www.home-assistant.io/integrations/binary_sensor.mqtt/ and
/// https://developers.home-assistant.io/docs/core/entity/sensor/#available-device-classes.
@Suite struct HomeDiscoverySchemaTests {
    private static let device: Set = ["identifiers", "name", "manufacturer"]
    private static let required: Set = ["platform", "unique_id", "name", "state_topic"]
    private static let optional: [String: Set<String>] = [
        "sensor": [
            "device_class", "state_class", "suggested_display_precision", "expire_after", "unit_of_measurement",
        ],
        "binary_sensor": [
            "device_class", "payload_on", "payload_off", "expire_after", "off_delay", "value_template",
        ],
    ]
    /// The units of the device classes in use; an empty set forbids a unit.
    private static let units: [String: Set<String>] = [
        "temperature": ["°C", "°F", "K"], "voltage": ["V", "mV", "µV", "kV", "MV"], "ph": [], "timestamp": [],
    ]

    private let topic: String
    private let document: [String: Any]

    init() throws {
        let longest = String(repeating: "Z9_-", count: 8)
        let message = HomeDiscovery.configuration(
            of: longest, ParameterSet(Parameter.allCases.map { ParameterSet($0) }))
        topic = message.topic
        document = try #require(
            try JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any])
    }

    @Test func theTopicAndTheHeadAreKnown() throws {
        #expect(topic.wholeMatch(of: /homeassistant\/device\/[a-zA-Z0-9_-]+\/config/) != nil)
        #expect(Set(document.keys) == ["device", "origin", "components"])
        let device = try #require(document["device"] as? [String: Any])
        #expect(Set(device.keys) == Self.device)
        #expect((device["identifiers"] as? [String])?.isEmpty == false)
        #expect((document["origin"] as? [String: String]).map { Array($0.keys) } == ["name"])
    }

    @Test func everyComponentIsTaken() throws {
        let components = try #require(document["components"] as? [String: [String: Any]])
        #expect(components.count == Parameter.allCases.count + 2)
        try Self.expectTaken(components)
    }

    @Test func everySensorOfAProblemIsTaken() throws {
        let message = HomeDiscovery.problems(of: String(repeating: "Z9_-", count: 8), Set(Parameter.allCases))
        #expect(message.topic.wholeMatch(of: /homeassistant\/device\/[a-zA-Z0-9_-]+\/config/) != nil)
        let found = try JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any]
        let components = try #require(found?["components"] as? [String: [String: Any]])
        #expect(components.count == Parameter.allCases.count + 1)
        #expect(components.values.allSatisfy { $0["device_class"] as? String == "problem" })
        try Self.expectTaken(components)
        // One device, in two announcements.
        let (device, own) = (found?["device"] as? [String: Any], document["device"] as? [String: Any])
        #expect(device?["identifiers"] as? [String] == own?["identifiers"] as? [String])
    }

    private static func expectTaken(_ components: [String: [String: Any]]) throws {
        var ids: Set<String> = []
        for (key, component) in components {
            let platform = try #require(component["platform"] as? String, "\(key)")
            let allowed = try #require(optional[platform], "\(key)")
            let keys = Set(component.keys)
            #expect(keys.isSuperset(of: required) && keys.subtracting(required).isSubset(of: allowed), "\(key)")
            let id = try #require(component["unique_id"] as? String)
            #expect(ids.insert(id).inserted, "\(key)")
            let state = try #require(component["state_topic"] as? String)
            #expect(state.allSatisfy { !"+#\0".contains($0) }, "\(key)")
            for number in ["expire_after", "suggested_display_precision"] where keys.contains(number) {
                #expect((component[number] as? Int).map { $0 >= 0 } == true, "\(key) \(number)")
            }
        }
    }

    /// Home Assistant refuses a unit that does not fit its class, and draws no chart of a number without a state class.
    @Test func unitsBelongToTheirClasses() throws {
        let components = try #require(document["components"] as? [String: [String: Any]])
        for (key, component) in components where component["platform"] as? String == "sensor" {
            let kind = component["device_class"] as? String
            let unit = component["unit_of_measurement"] as? String
            if let kind {
                let units = try #require(Self.units[kind], "\(key): \(kind)")
                #expect(units.isEmpty ? unit == nil : unit.map(units.contains) == true, "\(key): \(unit ?? "no unit")")
            }
            // A timestamp must have no unit and no state class.
            #expect((component["state_class"] as? String == "measurement") == (kind != "timestamp"), "\(key)")
        }
        let connection = try #require(components["connection"])
        #expect(connection["device_class"] as? String == "connectivity")
        #expect(connection["payload_on"] as? String == "online" && connection["payload_off"] as? String == "offline")
    }
}
