import Testing
import WaterQuality

@testable import Ingestor

@Suite struct TopicTests {
    @Test func namesDeviceAndSubject() throws {
        let readings = try #require(Topic("aqua/v1/tank-1/readings"))
        #expect(readings.device.text == "tank-1")
        #expect(readings.subject == .readings)
        #expect(Topic("aqua/v1/A_z-09/status")?.subject == .status)
        #expect(Topic("aqua/v1/\(String(repeating: "a", count: 32))/status") != nil)
    }

    @Test(arguments: [
        ("tele/SENSOR", Topic.Subject.tasmotaSensor), ("tele/LWT", .tasmotaWill), ("zigbee2mqtt", .zigbee2MQTT),
        ("zigbee2mqtt/availability", .zigbee2MQTTAvailability), ("senml", .senML),
        ("sensor/temperature/state", .number(.temperature, nil)),
        ("sensor/dissolved_oxygen/state", .number(.dissolvedOxygen, nil)),
        ("sensor/wifi/state", .number(nil, nil)), ("sensor//state", .number(nil, nil)),
        ("reef-pi/temperature_reading", .number(.temperature, .celsius)),
        ("reef-pi/temperature_f_reading", .number(.temperature, .fahrenheit)), ("reef-pi/ph_water", .number(.ph, nil)),
        ("reef-pi/ph_", .number(nil, nil)), ("shelly/events/rpc", .shellyEvents),
        ("shelly/ext_temperatures", .shellyTemperatures), ("shelly/online", .shellyOnline),
        ("shelly/status/temperature:100", .shellyStatus(ProbeID("100"))),
        ("shelly/status/temperature:199", .shellyStatus(ProbeID("199"))),
        ("shelly/status/temperature:0", .shellyStatus(nil)), ("shelly/status/temperature:200", .shellyStatus(nil)),
        ("shelly/status/temperature:1000", .shellyStatus(nil)), ("shelly/status/temperature:1a0", .shellyStatus(nil)),
        ("shelly/status/switch:0", .shellyStatus(nil)), ("shelly/status/", .shellyStatus(nil)),
        ("tele/STATE", .life(.tasmotaState)), ("tele/INFO1", .life(.tasmotaStart)),
        ("tele/INFO3", .life(.tasmotaStart)),
        ("text_sensor/version/state", .life(.esphomeVersion)),
        ("text_sensor/reset_reason/state", .life(.esphomeReset)), ("shelly/info", .life(.shellyInfo)),
    ])
    func otherFirmwareHasTopicsOfItsOwn(_ rest: String, _ subject: Topic.Subject) throws {
        let topic = try #require(Topic("aqua/v1/tank-1/\(rest)"))
        #expect(topic.device.text == "tank-1")
        #expect(topic.subject == subject)
    }

    @Test func aDatastreamNamesDeviceAndParameter() throws {
        let topic = try #require(Topic("v1.1/Datastreams('tank-1:dissolved_oxygen')/Observations"))
        #expect(topic.device.text == "tank-1" && topic.subject == .observation(.dissolvedOxygen))
        #expect(topic.isSingle && !topic.isNameless)
        #expect(topic.allowsReceipt(to: "aqua/v1/tank-1/ack"))
        #expect(!topic.allowsReceipt(to: "v1.1/Datastreams('tank-1:ph')/Observations"))
        #expect(Topic("v1.1/Datastreams('tank-1:ph:hand')/Observations") == nil, "people measure that")
        #expect(Topic("v1.1/Observations") == nil)
    }

    @Test(arguments: [
        "tele", "tele/", "tele/INFO2", "tele/STATE/x", "tele/SENSOR/x", "text_sensor/ip/state", "shelly/info/x",
        "sensor/ph", "sensor/ph/state/x", "sensor/a/b/state",
        "sensor/state",
        "reef-pi", "reef-pi/a/b", "zigbee2mqtt/", "zigbee2mqtt/lamp", "zigbee2mqtt/bridge/state", "senml/",
        "stat/RESULT",
        "cmnd/Power", "debug", "shelly", "shelly/rpc", "shelly/command", "shelly/events", "shelly/status",
        "shelly/status/a/b",
        "shelly/debug/log", "shelly/ext_temperature/0",
    ])
    func whatFirmwareSaysBesidesIsNone(_ rest: String) {
        #expect(Topic("aqua/v1/tank-1/\(rest)") == nil)
    }

    /// A device may be named like a level of a topic.
    @Test(arguments: ["aqua", "v1", "tele", "sensor", "readings", "senml"]) func aDeviceMayHaveAnyName(
        _ name: String
    ) throws {
        let topic = try #require(Topic("aqua/v1/\(name)/tele/SENSOR"))
        #expect(topic.device.text == name)
        #expect(Topic("\(name)/v1/tank-1/readings") == (name == "aqua" ? Topic("aqua/v1/tank-1/readings") : nil))
    }

    @Test(arguments: [
        "", "aqua/v1/", "aqua/v1/tank-1", "aqua/v1/tank-1/", "aqua/v1//readings", "aqua/v1/tank-1/readings/",
        "aqua/v1/tank-1/Readings",
        "aqua/v1/tank-1/ack", "aqua/v1/tank 1/readings", "aqua/v1/tänk/readings", "aqua/v2/tank-1/readings",
        "/aqua/v1/tank-1/readings",
        "aqua/v1/\(String(repeating: "a", count: 33))/readings", "aqua/v1/\u{301}tank/readings", "aqua/v1/a/b/readings",
    ])
    func anythingElseIsNone(_ text: String) {
        #expect(Topic(text) == nil)
    }

    /// A message that the library cannot publish must not be tried: it would come again for ever.
    @Test func onlyWhatCanBePublishedIsCleared() {
        for name in ["water_temperature", "Wassertemperatur °C", "水温", String(repeating: "a", count: 5_000)] {
            #expect(Topic.isPublishable("aqua/v1/tank-1/sensor/\(name)/state"), "\(name)")
        }
        let noncharacters = [UInt32(0xFFFE), 0xFDD0].compactMap { Unicode.Scalar($0) }.map { String($0) }
        #expect(noncharacters.count == 2)
        for name in ["+", "a#", "a\u{1}", "\u{7F}", "\u{85}", "\0"] + noncharacters {
            #expect(!Topic.isPublishable("aqua/v1/tank-1/sensor/\(name)/state"), "\(name)")
        }
    }

    /// An answer goes only to the device that asked, never to a topic of readings, nor to one that a broker refuses.
    @Test(arguments: [
        ("aqua/v1/tank-1/ack", true), ("aqua/v1/tank-1/receipts/7", true), ("aqua/v1/tank-1/a/b/c/d", true),
        ("aqua/v1/tank-2/ack", false), ("aqua/v1/tank-11/ack", false), ("aqua/v1/tank-1", false),
        ("aqua/v1/tank/ack", false),
        ("$CONTROL/dynamic-security/v1", false), ("", false), ("aqua/v1/tank-1/+", false), ("aqua/v1/tank-1/#", false),
        ("aqua/v1/tank-1/a\u{0}", false), ("aqua/v1/tank-1/a\u{1}", false), ("aqua/v1/tank-1/\u{FFFE}", false),
        ("aqua/v1/tank-1/readings", false), ("aqua/v1/tank-1/status", false), ("aqua/v1/tank-1/../tank-2/ack", true),
        ("aqua/v1/tank-1/" + String(repeating: "/", count: 200), false),
        ("aqua/v1/tank-1/" + String(repeating: "a", count: 241), true),
        ("aqua/v1/tank-1/" + String(repeating: "a", count: 242), false),
    ])
    func receiptsGoToTheDevicesOwnTopics(_ topic: String, _ isAllowed: Bool) throws {
        let tank = try #require(Topic("aqua/v1/tank-1/readings"))
        #expect(tank.allowsReceipt(to: topic) == isAllowed, "\(topic)")
    }
}
