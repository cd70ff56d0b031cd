/// The name that a probe has from its maker, such as the address of a DS18B20 on its wire.
///
/// Firmware numbers its probes, and numbers them anew when one is added or lost. The name stays.
package struct ProbeID: Hashable, Sendable, CustomStringConvertible {
    /// In upper case, as firmware writes it.
    package let text: String

    package static let longest = 16

    /// - Returns: `nil` for anything but 1 to 16 hexadecimal digits.
    package init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy(Self.isDigit) else { return nil }
        self.text = text.uppercased()
    }

    package var description: String { text }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "F"),
            UInt8(ascii: "a")...UInt8(ascii: "f"):
            true
        default: false
        }
    }
}
