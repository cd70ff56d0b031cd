import FoundationEssentials
import HTTPTypes

extension Credential {
    /// The password of `Authorization: Basic` (RFC 7617), whatever the name before it; nil for another scheme, and for what is malformed.
    static func password(_ headers: HTTPFields) -> String? {
        guard let value = headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Data(base64Encoded: String(parts[1])),
            let pair = String(validating: bytes, as: UTF8.self), let colon = pair.firstIndex(of: ":")
        else { return nil }
        return String(pair[pair.index(after: colon)...])
    }

    /// Has browsers ask for a name and a password.
    static let passwordChallenge = HTTPField(
        name: .wwwAuthenticate, value: #"Basic realm="Personal token", charset="UTF-8""#)
}
