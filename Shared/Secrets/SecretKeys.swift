/// The keys that protect stored secrets, newest first: the newest seals, and each opens what it sealed.
///
/// To replace a key, put a new one before it and seal all stored secrets again; then the old key is no longer needed.
package struct SecretKeys: Sendable {
    package let newest: SecretKey
    private let all: [SecretKey]

    /// - Parameter lines: One key a line, newest first.
    /// - Returns: nil if a line is no key, or there is no line.
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

    /// The placeholder in a faulty configuration, until the configuration is refused.
    package static let zeros = SecretKeys(.zeros)

    package var ids: [KeyID] { all.map(\.id) }

    /// - Returns: The secret, and whether the newest key opened it.
    /// - Throws: `SealedSecret.CannotOpen` if no key opens it.
    package func open(
        _ sealed: SealedSecret, for context: SealedSecret.Context
    ) throws(SealedSecret.CannotOpen) -> (secret: [UInt8], isNewest: Bool) {
        try openFirst { key throws(SealedSecret.CannotOpen) in try sealed.open(with: key, for: context) }
    }

    package func open(
        _ sealed: SealedSecret, channel: String, endpoint: Int64
    ) throws(SealedSecret.CannotOpen) -> (secret: [UInt8], isNewest: Bool) {
        try open(sealed, for: .endpoint(channel: channel, number: endpoint))
    }

    /// - Returns: The content from the first key that opens it, and whether that is the newest key.
    func openFirst<Content>(
        _ open: (SecretKey) throws(SealedSecret.CannotOpen) -> Content
    ) throws(SealedSecret.CannotOpen) -> (Content, Bool) {
        for (index, key) in all.enumerated() {
            if let content = try? open(key) { return (content, index == 0) }
        }
        throw SealedSecret.CannotOpen()
    }

    /// The possible stored forms of a claim code, one for each key.
    package func claimCodeHashes(_ code: String) -> [[UInt8]] { all.map { $0.claimCodeHash(code) } }
}
