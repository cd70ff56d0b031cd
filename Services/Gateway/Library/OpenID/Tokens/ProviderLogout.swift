import Instants
import Routes

/// The word of a provider that somebody has signed out there (OpenID Connect Back-Channel Logout 1.0, section 2.4), once its signature was checked.
struct ProviderLogout: Hashable, Sendable {
    let issuer: String
    /// nil: whoever has the session.
    let subject: String?
    /// The provider's own session; nil: all of the person.
    let session: String?
    /// Sessions that began later go on, so that a word that is said twice ends nothing more.
    let before: Timestamp

    init(issuer: String, subject: String?, session: String?, before: Timestamp) {
        self.issuer = issuer
        self.subject = subject
        self.session = session
        self.before = before
    }

    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// Section 2.6.
    /// - Throws: `OpenIDFault`, also for an ID token, which has a nonce and no event.
    init(_ json: JSON, issuer: String, clientID: String, at now: Timestamp) throws(OpenIDFault) {
        guard json["iss"]?.string == issuer else { throw .otherIssuer }
        guard json.audiences.contains(clientID) else { throw .otherAudience }
        guard json["nonce"] == nil, json["events"]?[Self.event]?.members != nil, let issued = json.time("iat"),
            let expires = json.time("exp")
        else { throw .malformedToken }
        let tolerance = ProviderClaims.Expected.tolerance
        guard now < expires + tolerance else { throw .expired }
        guard issued <= now + tolerance else { throw .notYet }
        subject = json["sub"]?.string
        session = json["sid"]?.string
        guard subject != nil || session != nil else { throw .malformedToken }
        self.issuer = issuer
        before = issued + tolerance
    }
}
