import Testing
import WaterQuality

@testable import Ingestor

/// ESPHome and reef-pi: one number, and a topic that names it.
@Suite struct BareNumberTests {
    private func read(_ text: String, on topic: String) throws -> ReadingsPayload {
        let topic = try #require(Topic("aqua/v1/tank-1/\(topic)"))
        let message = try FirmwareMessage(Array(text.utf8), on: topic.subject)
        return try #require(message.moments.first)
    }

    @Test(arguments: [
        ("24.56", "sensor/temperature/state", Parameter.temperature, Float(24.56)),
        ("-0.00", "sensor/ammonia/state", .ammonia, 0),
        (" 7.9\n", "sensor/ph/state", .ph, 7.9), ("8", "sensor/dissolved_oxygen/state", .dissolvedOxygen, 8),
        ("24.560000", "reef-pi/temperature_reading", .temperature, 24.56),
        ("77.000000", "reef-pi/temperature_f_reading", .temperature, 25), ("8.120000", "reef-pi/ph_water", .ph, 8.12),
    ])
    func readsANumber(_ text: String, _ topic: String, _ parameter: Parameter, _ value: Float) throws {
        let payload = try read(text, on: topic)
        #expect(payload.readings == Readings([parameter: value]))
        #expect(payload.faults.isEmpty)
        #expect(payload.time == .receipt)
    }

    @Test(arguments: ["nan", "NaN", "-nan", "inf", "-inf", "None", "-127.0", "85.0", "85"])
    func aProbeThatCannotBeReadIsAFault(_ text: String) throws {
        let payload = try read(text, on: "sensor/temperature/state")
        #expect(payload.readings.isEmpty)
        #expect(payload.reasons == [.probeFault])
    }

    @Test func onlyATemperatureIsThatOfAColdStart() throws {
        #expect(try read("85", on: "sensor/nitrate/state").readings == Readings([.nitrate: 85]))
    }

    @Test(arguments: ["sensor/wifi_signal/state", "reef-pi/system_load5", "reef-pi/tank_1_heater", "sensor//state"])
    func aNameThatIsNoParameterIsTold(_ topic: String) throws {
        #expect(try read("1.5", on: topic).reasons == [.unknownParameter])
    }

    @Test(arguments: ["", " ", "on", "24,5", "24.5 C", "{}", "unknown", "1 2", "--1", "0x10"])
    func anythingElseIsRefused(_ text: String) {
        #expect(throws: RejectReason.malformed) { try read(text, on: "sensor/temperature/state") }
    }
}
