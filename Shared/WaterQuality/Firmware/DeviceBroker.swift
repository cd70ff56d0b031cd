/// The broker by the name under which devices reach it, over TLS.
package struct DeviceBroker: Hashable, Sendable {
    package let host: String
    package let port: UInt16

    /// The published port of the compose file.
    package static let defaultPort: UInt16 = 8_883

    package init(host: String, port: UInt16 = defaultPort) {
        self.host = host
        self.port = port
    }

    /// `mqtt.example.org`, or with a port `mqtt.example.org:8884`.
    package init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        // No character that would end a line or a quotation in a device's configuration.
        guard (1...2).contains(parts.count), !parts[0].isEmpty, parts[0].utf8.count <= 253,
            parts[0].utf8.allSatisfy(Self.isOfNames)
        else { return nil }
        host = String(parts[0])
        guard parts.count == 2 else {
            port = Self.defaultPort
            return
        }
        guard let port = UInt16(parts[1]), port > 0 else { return nil }
        self.port = port
    }

    private static func isOfNames(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
