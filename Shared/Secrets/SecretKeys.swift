/// The keys that protect what is stored, newest first: the newest makes, each opens what was made with it.
///
/// That is how a key is exchanged: a new one is put before it, what is stored is sealed anew, and then nothing needs the
/// old one.
package struct SecretKeys: Sendable {
    package let newest: SecretKey
    private let all: [SecretKey]

    /// - Parameter lines: A key each, newest first.
    /// - Returns: nil unless each is one, and there is one.
    package init?(_ lines: [String]) {
        let keys = lines.compactMap(SecretKey.init)
        guard let newest = keys.first, keys.count == lines.count else { return nil }
        self.newest = newest
        all = keys
    }

    package init(_ key: SecretKey) {
        newest = key
        all = [key]
    }

    /// What a faulty configuration reads as, until it is refused.
    package static let zeros = SecretKeys(.zeros)

    package var ids: [KeyID] { all.map(\.id) }

    /// - Returns: The secret, and whether the newest key opened it.
    /// - Throws: `SealedSecret.CannotOpen` when none of the keys does.
    package func open(
        _ sealed: SealedSecret, channel: String, endpoint: Int64
    ) throws(SealedSecret.CannotOpen) -> (secret: [UInt8], isNewest: Bool) {
        for (index, key) in all.enumerated() {
            if let secret = try? sealed.open(with: key, channel: channel, endpoint: endpoint) {
                return (secret, index == 0)
            }
        }
        throw SealedSecret.CannotOpen()
    }

    /// What a claim code may be stored as: it was made under one of the keys.
    package func claimCodeHashes(_ code: String) -> [[UInt8]] { all.map { $0.claimCodeHash(code) } }
}
