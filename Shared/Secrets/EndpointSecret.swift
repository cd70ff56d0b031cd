import Crypto

/// The sealed part of an endpoint: its address, which is a capability, and its secret, which is a webhook's or the keys
/// of a browser.
package struct EndpointSecret: Hashable, Sendable {
    /// The address; nil in a seal of the previous version, which stores the address in clear beside it.
    package let address: String?
    package let secret: [UInt8]

    package init(address: String?, secret: [UInt8]) {
        self.address = address
        self.secret = secret
    }

    /// - Parameter clear: The address stored in clear beside a seal of the previous version.
    package func addressed(_ clear: String) -> EndpointSecret {
        EndpointSecret(address: address ?? clear, secret: secret)
    }
}

extension EndpointSecret {
    /// The length of the address in two bytes, its bytes, and the secret's bytes.
    fileprivate var content: [UInt8]? {
        guard let address, let count = UInt16(exactly: address.utf8.count) else { return nil }
        return [UInt8(count >> 8), UInt8(count & 0xFF)] + Array(address.utf8) + secret
    }

    fileprivate init?(content: [UInt8]) {
        guard content.count >= 2 else { return nil }
        let count = Int(content[0]) << 8 | Int(content[1])
        guard content.count >= 2 + count else { return nil }
        address = String(decoding: content[2..<2 + count], as: UTF8.self)
        secret = Array(content[(2 + count)...])
    }
}

extension SealedSecret {
    /// The format byte of a seal that includes the address.
    private static let addressed: UInt8 = 2

    /// Seals an endpoint's secret together with its address. Without an address the secret is sealed alone.
    package static func seal(
        _ endpoint: EndpointSecret, with key: SecretKey, channel: String, number: Int64
    ) throws -> SealedSecret {
        let context = Context.endpoint(channel: channel, number: number)
        guard let content = endpoint.content else { return try seal(endpoint.secret, with: key, for: context) }
        return try seal(content, with: key, for: context, as: addressed)
    }

    fileprivate func openEndpoint(with key: SecretKey, for context: Context) throws(CannotOpen) -> EndpointSecret {
        guard bytes.first == Self.addressed else {
            return EndpointSecret(address: nil, secret: try open(with: key, for: context))
        }
        let content = try open(with: key, for: context, as: Self.addressed)
        guard let endpoint = EndpointSecret(content: content) else { throw CannotOpen() }
        return endpoint
    }
}

extension SecretKeys {
    /// - Returns: The sealed content, and whether the newest key opened it.
    /// - Throws: `SealedSecret.CannotOpen` if no key does.
    package func openEndpoint(
        _ sealed: SealedSecret, channel: String, number: Int64
    ) throws(SealedSecret.CannotOpen) -> (endpoint: EndpointSecret, isNewest: Bool) {
        let context = SealedSecret.Context.endpoint(channel: channel, number: number)
        return try openFirst { key throws(SealedSecret.CannotOpen) in
            try sealed.openEndpoint(with: key, for: context)
        }
    }
}

extension SecretKeys {
    /// Seals a webhook's new secret with its address, and its former secret for as long as that is valid, too.
    /// - Parameter clear: The address stored in clear beside a seal of the previous version.
    /// - Throws: `SealedSecret.CannotOpen`.
    package func rotate(
        _ stored: SealedSecret, beside clear: String, to secret: [UInt8], channel: String, number: Int64
    ) throws -> (secret: SealedSecret, former: SealedSecret) {
        let known = try openEndpoint(stored, channel: channel, number: number).endpoint.addressed(clear)
        return (
            try SealedSecret.seal(
                EndpointSecret(address: known.address, secret: secret), with: newest, channel: channel, number: number),
            try SealedSecret.seal(known.secret, with: newest, channel: channel, endpoint: number)
        )
    }
}
