import Foundation
import MQTT
import MQTTFleet
import TestSupport
import Testing
import WaterQuality

@testable import Operator

/// The broker accepts the settings that `aqua device add --firmware` prints.
@Suite struct FirmwareSetupTests {
    private static func setup(_ firmware: Firmware, password: String? = "the key of pond") throws -> String {
        FirmwareSetup(
            firmware: firmware, device: try #require(Device.HardwareID("pond-1")),
            broker: DeviceBroker(host: "mqtt.example.org", port: 8_884), password: password
        ).text
    }

    @Test(arguments: Firmware.allCases) func namesEverythingThatIsToBeEntered(_ firmware: Firmware) throws {
        let text = try Self.setup(firmware)
        for word in ["mqtt.example.org", "8884", "pond-1", "the key of pond", "aqua/v1/pond-1"] {
            #expect(text.contains(word), "\(word)")
        }
        let later = try Self.setup(firmware, password: nil)
        #expect(later.contains("THE-DEVICES-MQTT-PASSWORD"))
        for line in text.split(separator: "\n") { #expect(line.count <= 130, "\(line)") }
    }

    /// A file is the configuration alone, with the authority in it; what a person enters is in the text, too.
    @Test(arguments: Firmware.allCases) func aFileHasTheConfigurationAlone(_ firmware: Firmware) throws {
        let authority = "-----BEGIN CERTIFICATE-----\nAQ==\n-----END CERTIFICATE-----\n"
        let setup = FirmwareSetup(
            firmware: firmware, device: try #require(Device.HardwareID("pond-1")),
            broker: DeviceBroker(host: "mqtt.example.org"), password: "{{password}}", authority: authority)
        let lines = setup.configuration.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        for line in lines { #expect(setup.text.contains(line), "\(line)") }
        #expect(setup.configuration.contains("{{password}}"))
        #expect(setup.configuration.contains("    AQ==\n") == (firmware == .esphome))
        if setup.file != nil { #expect(!setup.configuration.contains("  aqua device")) }
    }

    /// The printed topics are among those that deploy/broker/acl permits.
    @Test(arguments: [
        (
            Firmware.tasmota, "FullTopic aqua/v1/pond-1/%prefix%/",
            ["tele/SENSOR", "tele/LWT", "tele/STATE", "tele/INFO1", "tele/INFO3"]
        ),
        (
            .esphome, "topic_prefix: aqua/v1/pond-1",
            [
                "sensor/temperature/state", "sensor/dissolved_oxygen/state", "status", "text_sensor/version/state",
                "text_sensor/reset_reason/state",
            ]
        ),
        (.zigbee2mqtt, "aqua/v1/pond-1/zigbee2mqtt", ["zigbee2mqtt", "zigbee2mqtt/availability"]),
        (.senml, "aqua/v1/pond-1/senml", ["senml", "status"]),
        (.sensorThings, "v1.1/Datastreams('pond-1:temperature')/Observations", ["status"]),
        (
            .reefPi, "Prefix     aqua/v1/pond-1/reef-pi",
            ["reef-pi/temperature_reading", "reef-pi/temperature_f_reading", "reef-pi/ph_water"]
        ),
        (
            .shelly, "MQTT prefix              aqua/v1/pond-1/shelly\n",
            ["shelly/events/rpc", "shelly/online", "shelly/status/temperature:100", "shelly/status/temperature:107"]
        ),
        (
            .shellyGen1, "ext_temperatures aqua/v1/pond-1/shelly/ext_temperatures",
            ["shelly/ext_temperatures", "shelly/online", "shelly/info"]
        ),
        (.native, "aqua/v1/pond-1/readings", ["readings", "status"]),
    ])
    func theTopicsAreTheBrokers(_ firmware: Firmware, _ words: String, _ subjects: [String]) throws {
        #expect(try Self.setup(firmware).contains(words))
        let file = Paths.repository.appending(path: "deploy/broker/acl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        for subject in subjects { #expect(lines.contains("pattern write aqua/v1/%u/\(subject)")) }
    }

    /// A Mosquitto bridge splits its topics at blanks, quoted or not, and then silently passes nothing on.
    @Test func aFriendlyNameWithABlankIsToBeChanged() throws {
        #expect(try Self.setup(.zigbee2mqtt).contains("a name with a blank: give such a probe another"))
    }

    @Test func theBrokersNameIsTheDomainsOrSaid() async throws {
        try await Instance.with { instance in
            let unnamed = await instance.aqua("device", "add", instance.device, "--firmware", "tasmota")
            #expect(unnamed.code == 1)
            #expect(unnamed.errors.contains("Say by which name the device reaches the broker: --broker HOST"))
            #expect(try await instance.database.sql("SELECT count(*) FROM device") == "0")

            let said = try await instance.succeed(
                instance.aqua("device", "add", instance.device, "--firmware", "tasmota", "--broker", "10.0.0.1:1884"))
            #expect(said.output.contains("MqttHost 10.0.0.1; MqttPort 1884;"))
            let other = try await instance.succeed(
                instance.aqua(
                    "device", "add", "\(instance.device)-2", "--firmware", "esphome", "--json",
                    changes: ["AQUA_MQTT_DOMAIN": "example.org"]))
            let (setup, password) = (try other.field("setup"), try other.field("mqttPassword"))
            #expect(setup.contains("broker: \(try other.field("mqttHost"))"))
            #expect(setup.contains(password))
        }
    }

    @Test(arguments: ["", ":1883", "host:", "host:0", "host:65536", "a b", "host\"", "a:b:c", "host/path"])
    func brokersThatAreNone(_ name: String) async {
        let run = await runAqua(["device", "add", "pond-1", "--firmware", "tasmota", "--broker", name])
        #expect(run.code == 64)
    }

    @Test func theWatersProbeIsShownAndNamed() async throws {
        try await Instance.with { instance in
            try await instance.succeed(instance.aqua("device", "add", instance.device))
            let none = try await instance.succeed(instance.aqua("device", "probe", instance.device))
            #expect(none.output.contains("has not reported a probe with an Id"))
            let named = try await instance.succeed(instance.aqua("device", "probe", instance.device, "00000566cc39"))
            #expect(named.output == "Probe 00000566CC39 measures the temperature of \(instance.device).\n")
            try await instance.succeed(instance.aqua("device", "probe", instance.device, "AA02"))
            #expect(try await instance.aqua("device", "probe", instance.device, "--json").field("probe") == "AA02")
            try await instance.database.sql(
                "INSERT INTO reported_probe SELECT slot, device_id, 'AA03', 19.25, '2026-05-01T12:00:00Z' FROM device")
            let listed = try await instance.succeed(instance.aqua("device", "probe", instance.device))
            #expect(
                listed.output == """
                    Probe AA02 measures the temperature of \(instance.device).
                    PROBE  IN THE WATER  LAST VALUE  AT
                    AA02   yes           -           -
                    AA03   no            19.3 °C     2026-05-01T12:00:00Z

                    """)
            #expect(await instance.aqua("device", "probe", "nobody").code == 1)
            let wrong = await instance.aqua("device", "probe", instance.device, "not-an-id")
            #expect(wrong.code == 64)
            #expect(wrong.errors.contains("hexadecimal digits"))
        }
    }
}
