package import NIOCore
package import PushTargets

/// The proxies in front of this service (`AQUA_TRUSTED_PROXIES`), the only ones that may name the client.
package struct TrustedProxies: Hashable, Sendable {
    package let networks: [IPNetwork]
    /// Addresses that many clients share.
    package var shared = SharedAddresses.none

    package static let none = TrustedProxies([])

    package init(_ networks: [IPNetwork]) {
        self.networks = networks
    }

    /// - Parameter text: CIDRs separated by commas, such as `127.0.0.1/32, fd00::/8`.
    /// - Returns: nil when one of them cannot be read.
    package init?(_ text: String) {
        var networks: [IPNetwork] = []
        for part in text.split(separator: ",") {
            let word = part.split(separator: " ").joined(separator: " ")
            if word.isEmpty { continue }
            guard let network = IPNetwork(word) else { return nil }
            networks.append(network)
        }
        self.networks = networks
    }

    package func contains(_ address: IPAddress) -> Bool {
        let address = address.unwrapped
        return networks.contains { $0.contains(address) }
    }

    /// The sender of a request: the connection's peer or, behind trusted proxies, the last address in `X-Forwarded-For`
    /// that is not one of them. Earlier entries may be forged.
    /// - Parameter forwarded: The values of `X-Forwarded-For`, in order.
    package func client(of peer: IPAddress, forwarded: [String]) -> IPAddress {
        var client = peer
        var hops = forwarded.flatMap { $0.split(separator: ",") }
        while contains(client), let hop = hops.popLast() {
            guard let address = IPAddress(forwarded: hop) else { break }
            client = address
        }
        return client
    }
}

extension IPAddress {
    /// One entry of `X-Forwarded-For`: an address, possibly with a port, an IPv6 one possibly in brackets.
    fileprivate init?(forwarded entry: Substring) {
        let text = entry.split(separator: " ").joined()
        if let address = IPAddress(text) {
            self = address
        } else if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            self.init(String(text[text.index(after: text.startIndex)..<end]))
        } else if let colon = text.lastIndex(of: ":") {
            self.init(String(text[..<colon]))
        } else {
            return nil
        }
    }

    /// The address of a socket; nil for a Unix domain socket.
    package init?(socketAddress: SocketAddress) {
        guard let text = socketAddress.ipAddress else { return nil }
        // Drops the zone of a link-local address.
        self.init(String(text.prefix { $0 != "%" }))
    }
}
