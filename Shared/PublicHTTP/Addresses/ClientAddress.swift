package import PushTargets

/// Where a request comes from.
package struct ClientAddress: Hashable, Sendable {
    package let address: IPAddress
    /// What counts as one sender, for limits and for a person's list of sessions.
    package let network: IPNetwork
    /// Whether it is a trusted proxy itself, which asks in nobody's name, such as for its health check.
    package let isProxy: Bool
    /// Whether it stands for many, so that nobody is known by it.
    package let isShared: Bool

    package init(_ address: IPAddress, isProxy: Bool = false, isShared: Bool = false) {
        self.address = address
        network = address.clientNetwork
        self.isProxy = isProxy
        self.isShared = isShared
    }

    /// Where a guess comes from; nil for an address that stands for many.
    package var guessOrigin: String? { isShared ? nil : network.description }
}
