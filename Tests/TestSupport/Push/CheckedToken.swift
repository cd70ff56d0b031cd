import Foundation

/// A JSON Web Token whose signature is right, as strictly as the services of Apple and Google read it.
struct CheckedToken {
    let header: [String: Any]
    let claims: [String: Any]

    /// - Parameter isSigned: Whether the signature is of these bytes.
    /// - Returns: nil for a text that is none.
    init?(_ text: String, isSigned: (_ signature: [UInt8], _ bytes: Data) -> Bool) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // Padding is no part of such a token.
        guard parts.count == 3, !text.contains("="), let signature = Base64URL.bytes(parts[2]),
            isSigned(signature, Data("\(parts[0]).\(parts[1])".utf8)),
            let header = Self.object(parts[0]), let claims = Self.object(parts[1])
        else { return nil }
        self.header = header
        self.claims = claims
    }

    private static func object(_ part: String) -> [String: Any]? {
        Base64URL.bytes(part).flatMap { try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
    }

    /// A time in seconds: a JSON number, whole, and no text.
    func second(_ claim: String) -> Int? {
        guard let number = claims[claim] as? NSNumber, number.doubleValue == number.doubleValue.rounded() else {
            return nil
        }
        return number.intValue
    }
}
