import HTTPTypes
package import Store

/// The identity that a request presents, before the database was asked whether it still holds.
package enum Credential: Hashable, Sendable {
    case nobody
    /// An access token that was signed here and has not expired.
    case session(SessionID)
    /// The stored form of a personal token.
    case personalToken([UInt8])

    /// The text after `Bearer` in `Authorization`; nil for another scheme.
    static func bearer(_ headers: HTTPFields) -> Substring? {
        guard let value = headers[.authorization] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return parts[1]
    }
}
