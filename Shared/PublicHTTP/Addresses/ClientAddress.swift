package import PushTargets

/// The address that a request comes from.
package struct ClientAddress: Hashable, Sendable {
    package let address: IPAddress
    /// The prefix that counts as one sender, for limits and in a person's list of sessions.
    package let network: IPNetwork
    /// Whether it is a trusted proxy's own request, made in nobody's name, such as its health check.
    package let isProxy: Bool
    /// Whether many clients share the address, so that it identifies nobody.
    package let isShared: Bool

    package init(_ address: IPAddress, isProxy: Bool = false, isShared: Bool = false) {
        self.address = address
        network = address.clientNetwork
        self.isProxy = isProxy
        self.isShared = isShared
    }

    /// The origin of a guess; nil for a shared address.
    package var guessOrigin: String? { isShared ? nil : network.description }
}
