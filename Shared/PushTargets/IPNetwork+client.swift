/// The networks by which clients are told apart.
extension IPAddress {
    /// What one client has at its disposal: an IPv4 address alone, of IPv6 the /64 that a connection is usually given.
    package var clientNetwork: IPNetwork {
        let address = unwrapped
        return IPNetwork(address, address.family == .v4 ? 32 : 64)
    }
}

extension IPNetwork: CustomStringConvertible {
    /// In the usual spelling, such as `192.0.2.7/32`.
    package var description: String { "\(base.text)/\(prefixLength)" }
}
