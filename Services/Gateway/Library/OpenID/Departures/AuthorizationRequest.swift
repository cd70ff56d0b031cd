import PushTargets
import ServiceKit

/// The address to which a browser goes to sign in (RFC 6749, section 4.1.1; OpenID Connect Core, section 3.1.2.1).
struct AuthorizationRequest: Sendable {
    let metadata: ProviderMetadata
    let settings: OpenIDSettings
    let origin: PublicOrigin
    let language: String

    func address(of departure: Departure) -> String {
        var values = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", origin.returning),
            ("scope", settings.scopes), ("state", departure.state), ("nonce", departure.nonce),
            ("code_challenge", departure.challenge), ("code_challenge_method", "S256"), ("ui_locales", language),
        ]
        // With no age at all some providers ask for ever, since each proof is older than that.
        if departure.asksAgain { values += [("prompt", "login"), ("max_age", "60")] }
        let start = metadata.authorization.url
        return start + (start.contains("?") ? "&" : "?") + formEncoded(values)
    }
}

extension PublicOrigin {
    /// Where the provider sends browsers back to. It is registered there, letter by letter.
    var returning: String { text + "/oidc/callback" }
}

/// The form encoding of names and values, which stands in queries and bodies alike.
func formEncoded(_ values: [(name: String, value: String)]) -> String {
    values.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(separator: "&")
}

/// A text whose every byte beyond the unreserved ones (RFC 3986, section 2.3) is escaped.
func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            bytes.append(byte)
        default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
