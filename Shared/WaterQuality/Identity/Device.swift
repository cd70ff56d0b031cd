/// A microcontroller with probes, or a place without any.
package enum Device {
    /// What a row of devices stands for.
    package enum Kind: String, CaseIterable, Sendable {
        case device
        /// A place without a device, such as a weir: it has no key, sends nothing and is never silent. What is known of its water
        /// people measure themselves.
        case site
    }

    /// The database's number for a device, kept short for keys.
    package struct ID: RawRepresentable, Hashable, Comparable, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static func < (left: ID, right: ID) -> Bool { left.rawValue < right.rawValue }
    }

    /// The device's name from its maker: its MQTT user and the second level of its topics. Sites are called by the database.
    ///
    /// 1 to 32 of `A-Z a-z 0-9 _ -`, none of which is special to MQTT, SQL, URLs or shells.
    package struct HardwareID: Hashable, Comparable, Sendable, CustomStringConvertible {
        package let text: String

        package static let longest = 32

        /// - Returns: `nil` when a character or the length is not allowed.
        package init?(_ text: String) {
            guard Self.isValid(text.utf8.span) else { return nil }
            self.text = text
        }

        /// The id that these bytes of a topic spell.
        package init?(utf8 bytes: Span<UInt8>) {
            guard Self.isValid(bytes) else { return nil }
            text = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        }

        package var description: String { text }

        package static func < (left: HardwareID, right: HardwareID) -> Bool { left.text < right.text }

        private static func isValid(_ bytes: Span<UInt8>) -> Bool {
            guard bytes.count >= 1, bytes.count <= longest else { return false }
            for index in bytes.indices {
                switch bytes[index] {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    continue
                default: return false
                }
            }
            return true
        }
    }
}
