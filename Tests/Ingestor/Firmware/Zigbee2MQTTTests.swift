import Instants
import Testing
import WaterQuality

@testable import Ingestor

@Suite struct Zigbee2MQTTTests {
    private func read(_ text: String) throws -> ReadingsPayload {
        try #require(try FirmwareMessage(Array(text.utf8), on: .zigbee2MQTT).moments.first)
    }

    @Test(
        arguments: [
            (
                #"{"battery":87,"linkquality":120,"temperature":24.6,"ph":7.9,"free_chlorine_max":40,"salinity":120}"#,
                .receipt
            ),
            (
                #"{"temperature":24.6,"ph":7.9,"last_seen":"2026-05-01T14:00:00+02:00","update":{"state":"idle"}}"#,
                StatedTime.at(.noon)
            ),
            (#"{"temperature":24.6,"ph":7.9,"last_seen":"2026-05-01T12:00:00.000Z"}"#, .at(.noon)),
            (#"{"temperature":24.6,"ph":7.9,"last_seen":1777636800000}"#, .at(.noon)),
            (#"{"temperature":24.6,"ph":7.9,"last_seen":null,"device":{"friendlyName":"tank/water"}}"#, .receipt),
        ] as [(String, StatedTime)])
    func readsWaterAmongEverythingElse(_ text: String, _ time: StatedTime) throws {
        let payload = try read(text)
        #expect(payload.readings == Readings([.temperature: 24.6, .ph: 7.9]))
        #expect(payload.time == time)
        #expect(payload.faults.isEmpty)
    }

    /// A meter for pools (Tuya BLE-YL01).
    @Test func readsChlorine() throws {
        let payload = try read(#"{"free_chlorine":1.4,"orp":690,"ec":1350,"tds":675,"ph":7.3,"temperature":26}"#)
        let water = Readings([
            .freeChlorine: 1.4, .orp: 690, .conductivity: 1350, .tds: 675, .ph: 7.3, .temperature: 26,
        ])
        #expect(payload.readings == water && payload.faults.isEmpty)
    }

    @Test func aValueThatIsNotThereYetIsNoFault() throws {
        let payload = try read(#"{"temperature":null,"ph":null,"linkquality":3}"#)
        #expect(payload.readings.isEmpty)
        #expect(payload.faults.isEmpty)
    }

    @Test(
        arguments: [
            ("online", true), ("offline", false), (#"{"state":"online"}"#, true),
            (#" {"x":1,"state":"offline"} "#, false),
            ("Online", nil), (#"{"state":"idle"}"#, nil), (#"{"state":1}"#, nil), (#"{"state":"online""#, nil),
            ("", nil),
            (#"{"x":"\#(String(repeating: "x", count: 64))","state":"online"}"#, nil),
        ] as [(String, Bool?)])
    func availabilityIsTextOrJSON(_ text: String, _ isOnline: Bool?) {
        #expect(Availability(Array(text.utf8), on: .zigbee2MQTTAvailability)?.isOnline == isOnline)
    }
}
