import FoundationEssentials
import WebPush

/// Credentials of a device, which are shown once: to the page that asked for it, which has the key to it.
struct DeviceCredentials: Encodable, Sendable {
    let id: String
    let user: String
    let password: String
    let host: String
    let port: Int
    let tls: Bool
    /// The address for readings over HTTP; nil where none is served.
    let httpUrl: String?
    /// nil where nobody has to claim it.
    let claimCode: String?

    private enum CodingKeys: CodingKey { case id, user, password, host, port, tls, httpUrl, claimCode }

    /// All members, those without a value too.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(user, forKey: .user)
        try container.encode(password, forKey: .password)
        try container.encode(host, forKey: .host)
        try container.encode(port, forKey: .port)
        try container.encode(tls, forKey: .tls)
        try container.encode(httpUrl, forKey: .httpUrl)
        try container.encode(claimCode, forKey: .claimCode)
    }

    /// The credentials as JSON, encrypted for a page: 86 bytes of salt and sender's key, then the ciphertext, as a push service would get it.
    func sealed(for page: SubscriptionKeys) throws -> [UInt8] {
        try EncryptedMessage(Array(JSONEncoder().encode(self)), to: page).body
    }
}
