/// The part of an address to which a provider of calls posts the key that was pressed: which alarm, and which endpoint's account signs it.
/// It opens nothing without that signature, so that it may stand in an address.
package struct CallLink: Hashable, Sendable {
    /// The database's token by which the alarm is answered.
    package let answerToken: String
    package let endpoint: Int64

    package init(answerToken: String, endpoint: Int64) {
        self.answerToken = answerToken
        self.endpoint = endpoint
    }

    package func text(sealedWith key: SecretKey) throws -> String {
        try SealedLink.call.text(of: "\(endpoint)@\(answerToken)", sealedWith: key)
    }

    /// - Returns: nil for a text that none of the keys sealed for a call.
    package init?(_ text: String, openedWith keys: SecretKeys) {
        guard let parts = SealedLink.call.token(of: text, openedWith: keys)?.split(separator: "@", maxSplits: 1),
            parts.count == 2, let endpoint = Int64(parts[0])
        else { return nil }
        self.init(answerToken: String(parts[1]), endpoint: endpoint)
    }
}
