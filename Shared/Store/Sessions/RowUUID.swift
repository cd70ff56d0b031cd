package import WaterQuality

/// A row's UUID, by which it is known outside the database.
package protocol RowUUID: RawRepresentable, Hashable, Sendable, CustomStringConvertible where RawValue == UInt128 {
    init(rawValue: UInt128)
}

extension RowUUID {
    /// - Returns: nil for a text not in the form of RFC 9562: 32 hexadecimal digits in five groups.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        var value: UInt128 = 0
        for (index, byte) in bytes.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
            } else {
                guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
                value = value << 4 | UInt128(digit)
            }
        }
        self.init(rawValue: value)
    }

    /// The form of RFC 9562, in lower case.
    package var description: String {
        let digits = String(rawValue, radix: 16)
        let all = Array(String(repeating: "0", count: 32 - digits.count) + digits)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(all[$0]) }.joined(separator: "-")
    }
}

extension Alert.UID: RowUUID {}

/// A person's stay on one client, from signing in to signing out.
package struct SessionID: RowUUID {
    package let rawValue: UInt128
    package init(rawValue: UInt128) { self.rawValue = rawValue }
}

/// One installation of an application, identified by a random number that it keeps.
package struct ClientID: RowUUID {
    package let rawValue: UInt128
    package init(rawValue: UInt128) { self.rawValue = rawValue }
}

/// A token with which a program acts for a person.
package struct PersonalTokenID: RowUUID {
    package let rawValue: UInt128
    package init(rawValue: UInt128) { self.rawValue = rawValue }
}

/// An operator's invitation to open an account.
package struct AccountInvitationID: RowUUID {
    package let rawValue: UInt128
    package init(rawValue: UInt128) { self.rawValue = rawValue }
}
