import Crypto
import FoundationEssentials

/// The signature of a provider's request to us (`X-Twilio-Signature`, twilio.com/docs/usage/security): the HMAC-SHA1 in base64, by the token
/// of the account, of the address that it was asked to call and all fields of the form in the order of their names.
package struct CallbackSignature: Sendable {
    private let address: String
    private let content: [UInt8]

    /// - Parameters:
    ///   - address: As it was given to the provider.
    ///   - fields: All fields of the form, decoded.
    package init(of address: String, fields: [(name: String, value: String)]) {
        self.address = address
        // A field that comes twice with one value is signed once, as the provider's own libraries do.
        let parts = Set(fields.map { [Array($0.name.utf8), Array($0.value.utf8)] })
        content = parts.sorted { left, right in
            left[0] == right[0]
                ? left[1].lexicographicallyPrecedes(right[1]) : left[0].lexicographicallyPrecedes(right[0])
        }.flatMap { $0[0] + $0[1] }
    }

    /// The signature by a token.
    package func text(by token: String) -> String { Data(code(address, token)).base64EncodedString() }

    /// Whether a request was signed by a token. Compared in constant time.
    package func isValid(_ signature: String, by token: String) -> Bool {
        guard let given = Data(base64Encoded: signature) else { return false }
        return spellings.contains { code($0, token) == given }
    }

    private func code(_ address: String, _ token: String) -> HMAC<Insecure.SHA1>.MAC {
        var code = HMAC<Insecure.SHA1>(key: SymmetricKey(data: Array(token.utf8)))
        code.update(data: Array(address.utf8))
        code.update(data: content)
        return code.finalize()
    }

    /// The address as it was given, and with or without a port: providers sign either.
    private var spellings: [String] {
        guard let parts = address.wholeMatch(of: /(https?):\/\/(\[[^\]]+\]|[^\/:]+)(:[0-9]+)?(\/.*)?/)?.output else {
            return [address]
        }
        let port = parts.3 == nil ? (parts.1 == "https" ? ":443" : ":80") : ""
        return [address, "\(parts.1)://\(parts.2)\(port)\(parts.4 ?? "")"]
    }
}
