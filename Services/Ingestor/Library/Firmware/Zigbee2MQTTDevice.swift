import Instants
import WaterQuality

extension ReadingsPayload {
    /// A message that Zigbee2MQTT publishes under a device's friendly name:
    ///
    ///     {"temperature":24.6,"ph":7.9,"battery":87,"linkquality":120,"last_seen":"2026-05-01T14:00:00+02:00"}
    ///
    /// `last_seen`, if configured, is when the device was heard by radio: ISO 8601 with an offset, or milliseconds.
    /// Salinity is passed over, because its unit differs between devices and the message does not tell it.
    init(zigbee2MQTT bytes: [UInt8]) throws(JSONScanner.Fault) {
        self.init()
        var scanner = JSONScanner(bytes)
        try scanner.forEachMember { (name, scanner) throws(JSONScanner.Fault) in
            switch (name, try scanner.peek()) {
            case ("last_seen", .string): keepTime(try scanner.string())
            case ("last_seen", .number): keepTime(epoch: try scanner.number())
            default: try readMember(name, among: Self.zigbeeMembers, &scanner)
            }
        }
        try scanner.expectEnd()
    }

    private static let zigbeeMembers = [
        FirmwareMember("temperature", "temperature", in: "C"), FirmwareMember("ph", "ph"),
        FirmwareMember("ec", "conductivity", in: "uS/cm"), FirmwareMember("orp", "orp", in: "mV"),
        FirmwareMember("tds", "tds", in: "ppm"), FirmwareMember("free_chlorine", "free_chlorine", in: "mg/L"),
    ]
}
