import Instants

/// The parameters that a browser brings back from the provider (RFC 6749, section 4.1.2).
struct Return: Sendable {
    var code: String?
    var state: String?
    /// The provider's own name (RFC 9207).
    var issuer: String?
    var error: String?

    /// The code, where this answers the departure.
    /// - Throws: `SignInObstacle`. Nothing but `lost` is told of an answer to another departure, whatever else is in it.
    func code(
        of departure: Departure, from metadata: ProviderMetadata, at now: Timestamp
    ) throws(SignInObstacle) -> String {
        guard state == departure.state, departure.lasts(at: now) else { throw .lost }
        // Another provider's answer: its code, sent to this one, would be in the wrong hands.
        guard issuer.map({ $0 == metadata.issuer }) ?? !metadata.namesIssuer else { throw .refused }
        guard error == nil, let code, !code.isEmpty else { throw .declined }
        return code
    }
}
