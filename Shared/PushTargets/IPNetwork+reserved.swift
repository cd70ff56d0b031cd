/// IANA's special-purpose address registries (RFC 6890 and its updates).
extension IPNetwork {
    /// The networks without public servers: this network, private, carriers' shared space, loopback, link-local,
    /// protocol assignments, documentation, relays, benchmarks, multicast and everything above it.
    static let reservedV4 = networks(
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/3")

    static let givenOutV6 = networks("2000::/3")[0]

    /// Protocol assignments with Teredo, and documentation.
    static let reservedV6 = networks("2001::/23", "2001:db8::/32", "3fff::/20")

    private static func networks(_ texts: String...) -> [IPNetwork] {
        texts.map { text in
            guard let network = IPNetwork(text) else {
                preconditionFailure("the registry's networks are written correctly")
            }
            return network
        }
    }
}
