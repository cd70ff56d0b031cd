import PushTargets
import Routes

/// The description that a provider gives of itself (OpenID Connect Discovery 1.0), as far as signing in and out needs it.
struct ProviderMetadata: Hashable, Sendable {
    /// As tokens spell it.
    let issuer: String
    let authorization: PushTarget
    let token: PushTarget
    let keys: PushTarget
    let userInfo: PushTarget?
    /// Where browsers end the provider's own session (OpenID Connect RP-Initiated Logout 1.0).
    let endOfSession: PushTarget?
    /// Whether what comes back names the issuer (RFC 9207).
    let namesIssuer: Bool
    /// Whether the secret goes into the form: the provider takes it there, and nowhere else.
    let takesSecretInForm: Bool

    /// - Throws: `OpenIDFault.badMetadata` for another provider's description, and for one that leads over an open line.
    init(_ json: JSON, of configured: OpenIDSettings.Issuer) throws(OpenIDFault) {
        guard let issuer = json["issuer"]?.string, configured.isSpelled(issuer),
            let authorization = Self.place("authorization_endpoint", json, configured),
            let token = Self.place("token_endpoint", json, configured),
            let keys = Self.place("jwks_uri", json, configured)
        else { throw .badMetadata }
        self.issuer = issuer
        self.authorization = authorization
        self.token = token
        self.keys = keys
        userInfo = Self.place("userinfo_endpoint", json, configured)
        endOfSession = Self.place("end_session_endpoint", json, configured)
        namesIssuer = json["authorization_response_iss_parameter_supported"]?.bool == true
        let methods = json["token_endpoint_auth_methods_supported"]?.array?.compactMap(\.string)
        takesSecretInForm =
            methods.map { !$0.contains("client_secret_basic") && $0.contains("client_secret_post") } ?? false
    }

    private static func place(_ name: String, _ json: JSON, _ issuer: OpenIDSettings.Issuer) -> PushTarget? {
        guard let text = json[name]?.string, let target = try? PushTarget(text) else { return nil }
        return target.isEncrypted || target.origin == issuer.target.origin ? target : nil
    }
}
