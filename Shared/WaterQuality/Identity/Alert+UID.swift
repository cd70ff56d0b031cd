package import Instants

extension Alert {
    /// The id by which an alert is known outside the database: a UUID of version 7 (RFC 9562), made when the alert is
    /// decided.
    ///
    /// Unlike a number of the database, it is never issued twice, not even after a restore.
    package struct UID: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The 16 bytes as a number, most significant byte first.
        package let rawValue: UInt128

        package init(rawValue: UInt128) { self.rawValue = rawValue }

        /// - Parameters:
        ///   - time: The time of the decision. Its milliseconds are the first 48 bits.
        ///   - random: The random part, of which the 74 lowest bits are used.
        package init(at time: Timestamp, random: UInt128) {
            let milliseconds = UInt128(UInt64(bitPattern: time.microseconds / 1000) & 0xffff_ffff_ffff)
            let (high, low) = (random >> 62 & 0xfff, random & 0x3fff_ffff_ffff_ffff)
            rawValue = milliseconds << 80 | 7 << 76 | high << 64 | 0b10 << 62 | low
        }

        /// A UID with random bits from the system.
        package static func random(at time: Timestamp) -> UID {
            UID(at: time, random: .random(in: 0...UInt128.max))
        }

        /// The text form of RFC 9562: lower-case hexadecimal digits in five groups.
        package var description: String {
            let digits = String(rawValue, radix: 16)
            let all = Array(String(repeating: "0", count: 32 - digits.count) + digits)
            return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(all[$0]) }.joined(separator: "-")
        }
    }
}
