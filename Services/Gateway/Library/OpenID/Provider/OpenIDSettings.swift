package import PushTargets
package import ServiceKit

/// The house's own provider (OpenID Connect), by `AQUA_OIDC_ISSUER`, `AQUA_OIDC_CLIENT_ID`, `AQUA_OIDC_SECRET_FILE`, `AQUA_OIDC_NAME`,
/// `AQUA_OIDC_SCOPES`, `AQUA_OIDC_GROUP`, `AQUA_OIDC_ADMIN_GROUP`, `AQUA_OIDC_GROUPS_CLAIM`, `AQUA_OIDC_SIGN_UP` and `AQUA_OIDC_CA_FILE`.
package struct OpenIDSettings: Sendable {
    package var issuer: Issuer
    package var clientID: String
    /// nil for a public client, which the code's verifier alone protects (RFC 7636).
    package var secret: Renewable<Secret>?
    /// The provider's name on the button.
    package var name: String
    /// With blanks between them; `openid` is among them.
    package var scopes = "openid profile email"
    /// The group that a person has to be in, at every sign-in; nil: whoever the provider lets in.
    package var group: String?
    /// The group whose people operate the installation, in sessions that the provider opens; nil: it makes nobody an operator.
    package var adminGroup: String?
    package var groupsClaim = "groups"
    /// Whether somebody without an account opens one by signing in.
    package var signsUp = false
    /// A PEM file with a certificate authority beside the system's.
    package var authorityFile: String?

    package init(issuer: Issuer, clientID: String, secret: Renewable<Secret>? = nil, name: String) {
        self.issuer = issuer
        self.clientID = clientID
        self.secret = secret
        self.name = name
    }

    /// - Returns: nil where no provider is named; and with a fault recorded.
    package init?(_ reader: ConfigurationReader) {
        let issuer = reader.optional(.oidcIssuer, parse: Issuer.init)
        let clientID = reader.optional(.oidcClientID) { (1...255).contains($0.utf8.count) ? $0 : nil }
        let secret = reader.optionalRenewableSecret(.oidcSecretFile, minimumLength: 1)
        let name = reader.optional(.oidcName) { (1...40).contains($0.count) ? $0 : nil }
        let scopes = reader.optional(.oidcScopes) { text in
            text.utf8.count <= 500 && text.split(separator: " ").contains("openid") ? text : nil
        }
        let group = reader.optional(.oidcGroup) { $0.utf8.count <= 255 ? $0 : nil }
        let adminGroup = reader.optional(.oidcAdminGroup) { $0.utf8.count <= 255 ? $0 : nil }
        let groupsClaim = reader.optional(.oidcGroupsClaim) { $0.utf8.count <= 255 ? $0 : nil }
        let signsUp = reader.flag(.oidcSignUp)
        let authorityFile = reader.optionalFile(.oidcCAFile)
        guard reader.areSet(.oidcIssuer, .oidcClientID), let issuer, let clientID else { return nil }
        self.init(issuer: issuer, clientID: clientID, secret: secret, name: name ?? issuer.target.host)
        if let scopes { self.scopes = scopes.split(separator: " ").joined(separator: " ") }
        self.group = group
        self.adminGroup = adminGroup
        if let groupsClaim { self.groupsClaim = groupsClaim }
        self.signsUp = signsUp
        self.authorityFile = authorityFile
    }

    /// The address of a provider, which is also its name.
    package struct Issuer: Hashable, Sendable {
        package let text: String
        package let target: PushTarget

        /// - Parameter text: An https URL without query, of at most 512 characters; http at the loopback address alone, for trials.
        package init?(_ text: String) {
            guard text.utf8.count <= 512, !text.contains("?"), !text.contains("#"), let target = try? PushTarget(text)
            else { return nil }
            guard target.isEncrypted || ["127.0.0.1", "::1", "localhost"].contains(target.host) else { return nil }
            self.text = text
            self.target = target
        }

        /// Where the provider describes itself (OpenID Connect Discovery, section 4).
        var discovery: String { bare + "/.well-known/openid-configuration" }

        /// Whether a text is this issuer: people write it with a slash at the end or without, tokens have one spelling.
        func isSpelled(_ other: String) -> Bool { bare == (other.hasSuffix("/") ? String(other.dropLast()) : other) }

        private var bare: String { text.hasSuffix("/") ? String(text.dropLast()) : text }
    }
}
