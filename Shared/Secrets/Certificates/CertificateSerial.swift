import COpenSSL

/// The serial number of a certificate: 128 bits at most, positive.
package struct CertificateSerial: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let bytes: [UInt8]

    /// A number that nobody foresees: 127 random bits, so that DER needs no byte for the sign.
    package static func random() -> CertificateSerial {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<16).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
        // Between 2^126 and 2^127: all have the same length.
        bytes[0] = bytes[0] & 0x3F | 0x40
        return CertificateSerial(bytes: bytes)
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Parameter text: 32 hexadecimal digits, as `description` has them.
    package init?(_ text: String) {
        let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
        guard text.utf8.count == 32, digits.count == 32 else { return nil }
        bytes = stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    /// - Throws: `unreadable` for a number of more than 128 bits, or none that is positive.
    init(_ number: UnsafePointer<ASN1_INTEGER>?) throws(CertificateError) {
        let value = try made(ASN1_INTEGER_to_BN(number, nil))
        defer { BN_free(value) }
        guard BN_is_negative(value) == 0, BN_num_bits(value) <= 128 else {
            throw CertificateError(.unreadable, "has a serial number of more than 128 bits")
        }
        var bytes = [UInt8](repeating: 0, count: 16)
        try succeeded(BN_bn2binpad(value, &bytes, 16))
        self.bytes = bytes
    }

    /// Lends the number in OpenSSL's form.
    func withNumber(
        _ body: (UnsafeMutablePointer<ASN1_INTEGER>) throws(CertificateError) -> Void
    ) throws(CertificateError) {
        let value = try made(BN_bin2bn(bytes, 16, nil))
        defer { BN_free(value) }
        let number = try made(BN_to_ASN1_INTEGER(value, nil))
        defer { ASN1_INTEGER_free(number) }
        try body(number)
    }

    package var description: String {
        bytes.map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    package static func < (left: Self, right: Self) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}
