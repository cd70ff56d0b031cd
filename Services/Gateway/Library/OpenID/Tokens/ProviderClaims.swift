import Crypto
import Instants
import People
import Routes

/// Claims of a provider about whoever signed in: those of an ID token, once its signature was checked, and of userinfo.
struct ProviderClaims: Sendable {
    private let json: JSON
    let subject: String

    /// The longest text of a claim that is shown or stored.
    private static let longest = 120

    /// - Throws: `OpenIDFault.malformedToken` for a subject that is none (OpenID Connect Core, section 2).
    init(_ json: JSON) throws(OpenIDFault) {
        guard let subject = json["sub"]?.string, (1...255).contains(subject.utf8.count),
            subject.utf8.allSatisfy({ (0x20...0x7e).contains($0) })
        else { throw .malformedToken }
        self.json = json
        self.subject = subject
    }

    /// The expectations of an ID token.
    struct Expected: Sendable {
        var issuer: String
        var clientID: String
        var nonce: String
        /// The access token that came with it.
        var accessToken: String
        /// The person has to have proven themselves to the provider since then; nil: whenever.
        var since: Timestamp?

        /// Tolerated difference between the provider's clock and ours.
        static let tolerance = Duration.seconds(60)
    }

    /// Checks an ID token's claims (OpenID Connect Core, section 3.1.3.7).
    func check(_ expected: Expected, at now: Timestamp) throws(OpenIDFault) {
        guard json["iss"]?.string == expected.issuer else { throw .otherIssuer }
        let audiences = json.audiences
        guard audiences.contains(expected.clientID) else { throw .otherAudience }
        let party = json["azp"]?.string
        guard party == expected.clientID || party == nil && audiences.count == 1 else { throw .otherAudience }
        guard let expires = json.time("exp"), let issued = json.time("iat") else { throw .malformedToken }
        guard now < expires + Expected.tolerance else { throw .expired }
        guard issued <= now + Expected.tolerance, (json.time("nbf") ?? issued) <= now + Expected.tolerance else {
            throw .notYet
        }
        guard json["nonce"]?.string == expected.nonce else { throw .nonce }
        if let hash = json["at_hash"] {
            // All algorithms that are taken hash by SHA-256.
            let half = Array(SHA256.hash(data: Array(expected.accessToken.utf8)).prefix(16))
            guard hash.string == Base64URL.text(half) else { throw .accessToken }
        }
        if let since = expected.since {
            guard let authenticatedAt, since <= authenticatedAt + Expected.tolerance else { throw .notRecent }
        }
    }

    /// When the person proved themselves to the provider; nil where it does not say.
    var authenticatedAt: Timestamp? { json.time("auth_time") }

    /// The provider's session (OpenID Connect Front-Channel Logout, section 3).
    var session: String? { json["sid"]?.string.flatMap { (1...255).contains($0.utf8.count) ? $0 : nil } }

    /// The address, where the provider vouches for it: whoever writes what they like into their profile opens no account in another's name.
    var confirmedAddress: String? { json["email_verified"] == true ? json["email"]?.string : nil }

    /// By what the person recognises themselves, without what is not seen.
    var name: String? {
        let texts = ["email", "preferred_username", "name"].lazy.compactMap { json[$0]?.string }
        guard let text = texts.first(where: { !$0.isEmpty }) else { return nil }
        let visible = VisibleText.spelledOut(text.replacing("\n", with: " ")) { _ in "\u{FFFD}" }
        return String(String.UnicodeScalarView(visible.unicodeScalars.prefix(Self.longest)))
    }

    /// The groups of a claim, which is a list or one name; nil where there is none.
    func groups(_ claim: String) -> Set<String>? {
        guard let value = json[claim] else { return nil }
        return Set(value.string.map { [$0] } ?? value.array?.compactMap(\.string) ?? [])
    }

    /// Whether userinfo has to be asked: providers may leave what they know out of the token.
    func isIncomplete(for settings: OpenIDSettings) -> Bool {
        settings.group != nil && groups(settings.groupsClaim) == nil || json["email"] == nil
    }

    /// Whether userinfo may know if the person is among the operators. Nobody is kept out where it does not say.
    func lacksOperators(for settings: OpenIDSettings) -> Bool {
        settings.adminGroup != nil && groups(settings.groupsClaim) == nil
    }

    /// The same claims, and those of userinfo beside them.
    /// - Throws: `OpenIDFault.otherSubject` (OpenID Connect Core, section 5.3.2).
    func adding(_ userInfo: JSON) throws(OpenIDFault) -> ProviderClaims {
        guard userInfo["sub"]?.string == subject else { throw .otherSubject }
        let known = json.members ?? []
        let names = Set(known.map(\.name))
        // Of signatures, times and sessions the token alone says how it is.
        let added = (userInfo.members ?? []).filter { !names.contains($0.name) && !Self.ofTokens.contains($0.name) }
        return try ProviderClaims(.object(known + added))
    }

    private static let ofTokens: Set = [
        "iss", "aud", "azp", "exp", "iat", "nbf", "nonce", "at_hash", "auth_time", "sid",
    ]
}

extension JSON {
    /// A claim in seconds since 1970 (RFC 7519, section 2: NumericDate).
    func time(_ name: String) -> Timestamp? { self[name]?.number.flatMap { Timestamp(unixSeconds: $0) } }

    /// The clients that a token is for: a list, or one name (RFC 7519, section 4.1.3).
    var audiences: [String] { self["aud"]?.string.map { [$0] } ?? self["aud"]?.array?.map { $0.string ?? "" } ?? [] }
}
