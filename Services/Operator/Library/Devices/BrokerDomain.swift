import ServiceKit
import WaterQuality

/// The operator's domain, with a host name for the broker of each slot's devices.
///
/// All names lead to the one broker today. Firmware in the field cannot be given another name later, so a device gets the
/// name of its slot from the start. Slots can then move to brokers of their own by a change of the DNS alone.
struct BrokerDomain: Hashable, Sendable {
    private let text: String

    /// - Returns: nil if the text is not a domain.
    init?(_ text: String) {
        // Leaves room for the slot's part within DNS's 253 bytes.
        guard text.utf8.count <= 240 else { return nil }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, labels.allSatisfy(Self.isLabel) else { return nil }
        self.text = text.lowercased()
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }

    /// The host to which devices of the slot connect: `s24.mqtt.example.org`.
    func host(of slot: Slot) -> String { DeviceListener.host(hosts, of: slot) }

    /// The hosts of all slots, with `{slot}` for the slot's number.
    var hosts: String { "s{slot}.mqtt.\(text)" }
}

extension ConfigurationReader {
    /// `AQUA_MQTT_DOMAIN`; nil where it is not set, or after a fault.
    func brokerDomain() -> BrokerDomain? {
        guard let text = optionalString(.mqttDomain) else { return nil }
        guard let domain = BrokerDomain(text) else {
            fault(.mqttDomain, "is no domain")
            return nil
        }
        return domain
    }
}
