import Instants
import Secrets

/// A certificate and its key.
struct FleetIdentity: Sendable {
    let certificate: Certificate
    let key: CertificateKey

    /// The name by which a sentinel shows what the broker does with a certificate. No device is called so, and Mosquitto grants a
    /// client with such a character nothing.
    static let sentinelName = "aqua#sentinel"
    /// The life of a certificate whose key never leaves this process.
    private static let shortLife = Duration.seconds(86_400)

    static func issued(
        to name: String, by authority: CertificateAuthority, until end: Timestamp, now: Timestamp
    ) throws -> FleetIdentity {
        let key = try CertificateKey.generate()
        return FleetIdentity(
            certificate: try authority.issue(to: name, key: key, until: end, now: now), key: key)
    }

    /// For one command alone: its key is in this process's memory and nowhere else.
    static func ofThisMoment(_ name: String, by authority: CertificateAuthority, now: Timestamp) throws -> FleetIdentity
    {
        try issued(to: name, by: authority, until: now + shortLife, now: now)
    }
}
