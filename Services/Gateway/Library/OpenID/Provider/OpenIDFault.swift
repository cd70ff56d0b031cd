/// Why a provider's word was not taken. Logged by this name alone.
enum OpenIDFault: String, Error, Hashable, Sendable, CaseIterable {
    /// No answer in time, no connection, or one that is no success.
    case unreachable
    /// Too many ask the provider at once.
    case busy
    /// An answer that cannot be read, or is too long.
    case unreadable
    case badMetadata
    /// The provider does not take the code.
    case codeRefused
    case malformedToken
    /// `none`, a shared secret, or another algorithm than RS256, PS256 and ES256.
    case algorithm
    case unknownKey
    case signature
    case otherIssuer, otherAudience, expired, notYet, nonce, accessToken
    /// The person did not prove themselves to the provider lately, or the provider does not say when.
    case notRecent
    /// The answer of userinfo is about somebody else.
    case otherSubject

    /// Whether another try may well succeed.
    var isPassing: Bool { self == .unreachable || self == .busy }
}
