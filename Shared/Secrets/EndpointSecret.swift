import Crypto

/// What is sealed of an endpoint: where its messages go, which is a capability, and its secret, that of a webhook or the keys of a
/// browser.
package struct EndpointSecret: Hashable, Sendable {
    /// nil in a seal of the version before, which has the address beside it.
    package let address: String?
    package let secret: [UInt8]

    package init(address: String?, secret: [UInt8]) {
        self.address = address
        self.secret = secret
    }

    /// - Parameter clear: The address that stands beside a seal of the version before.
    package func addressed(_ clear: String) -> EndpointSecret {
        EndpointSecret(address: address ?? clear, secret: secret)
    }
}

extension EndpointSecret {
    /// The address's bytes with their number before them, in two bytes, and the secret's.
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
    /// Of a seal that holds an address too.
    private static let addressed: UInt8 = 2

    /// Seals an endpoint's secret together with its address. One without is sealed alone.
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
    /// - Returns: What is sealed, and whether the newest key opened it.
    /// - Throws: `SealedSecret.CannotOpen` when none of the keys does.
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
    /// Seals a new secret of a webhook with its address, and the one before it for as long as that counts too.
    /// - Parameter clear: The address that stands beside a seal of the version before.
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
