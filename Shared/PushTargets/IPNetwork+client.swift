/// The networks that count as one client.
extension IPAddress {
    /// The network that one client has at its disposal: a single IPv4 address, or the /64 that an IPv6 connection
    /// usually gets.
    package var clientNetwork: IPNetwork {
        let address = unwrapped
        return IPNetwork(address, address.family == .v4 ? 32 : 64)
    }
}

extension IPNetwork: CustomStringConvertible {
    /// The usual spelling, such as `192.0.2.7/32`.
    package var description: String { "\(base.text)/\(prefixLength)" }
}
