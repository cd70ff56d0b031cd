import PushTargets
import Routes
import ServiceKit

/// The addresses to which a browser goes to sign in (RFC 6749, section 4.1.1; OpenID Connect Core, section 3.1.2.1), and to sign out (OpenID
/// Connect RP-Initiated Logout 1.0, section 2).
struct AuthorizationRequest: Sendable {
    let metadata: ProviderMetadata
    let settings: OpenIDSettings
    let origin: PublicOrigin
    let language: String

    /// - Returns: nil where the provider has no such place.
    func address(of departure: Departure) -> String? {
        departure.purpose == .signOut ? metadata.endOfSession.map { signOut(departure, at: $0) } : signIn(departure)
    }

    private func signIn(_ departure: Departure) -> String {
        var values = [
            ("response_type", "code"), ("client_id", settings.clientID), ("redirect_uri", origin.returning),
            ("scope", settings.scopes), ("state", departure.state), ("nonce", departure.nonce),
            ("code_challenge", departure.challenge), ("code_challenge_method", "S256"), ("ui_locales", language),
        ]
        // With no age at all some providers ask for ever, since each proof is older than that.
        if departure.asksAgain { values += [("prompt", "login"), ("max_age", "60")] }
        return Self.address(metadata.authorization, values)
    }

    /// Without an ID token as a hint: none is kept here, since its claims would be in addresses and logs. The provider asks the person then.
    private func signOut(_ departure: Departure, at place: PushTarget) -> String {
        Self.address(
            place,
            [
                ("client_id", settings.clientID), ("post_logout_redirect_uri", origin.signedOut),
                ("state", departure.state), ("ui_locales", language),
            ])
    }

    private static func address(_ place: PushTarget, _ values: [(name: String, value: String)]) -> String {
        place.url + (place.url.contains("?") ? "&" : "?") + formEncoded(values)
    }
}

extension PublicOrigin {
    /// Where the provider sends browsers back to. It is registered there, letter by letter.
    var returning: String { text + "/oidc/callback" }
    /// The same for those who have signed out there.
    var signedOut: String { text + "/oidc/signed-out" }
}

/// The form encoding of names and values, which stands in queries and bodies alike.
func formEncoded(_ values: [(name: String, value: String)]) -> String {
    values.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(separator: "&")
}
