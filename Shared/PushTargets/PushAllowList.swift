/// The places beyond port 443 of the public internet that the operator permits as push targets.
package struct PushAllowList: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        let network: IPNetwork
        /// The port; nil for every port.
        let port: Int?

        /// - Parameter text: `CIDR:port`, such as `127.0.0.0/8:9000`, `fd00::/8:443` or `10.0.0.5/32:*`.
        package init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let network = IPNetwork(text[..<colon]) else { return nil }
            let word = text[text.index(after: colon)...]
            let port = Int(word)
            guard word == "*" || port.map((1...65_535).contains) == true else { return nil }
            self.network = network
            self.port = port
        }

        /// Whether the entry permits more addresses than any set of receivers needs: more than 65,536 of IPv4, or more
        /// than a site's (/48) of IPv6.
        package var isWide: Bool { network.prefixLength < (network.base.family == .v4 ? 16 : 48) }

        func names(_ port: Int) -> Bool { self.port == nil || self.port == port }
    }

    package let entries: [Entry]

    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// - Parameter text: Entries separated by commas; blanks around them are ignored.
    /// - Returns: nil if an entry cannot be read.
    package init?(_ text: String) {
        var entries: [Entry] = []
        for part in text.split(separator: ",") {
            let word = part.split(separator: " ").joined(separator: " ")
            if word.isEmpty { continue }
            guard let entry = Entry(word) else { return nil }
            entries.append(entry)
        }
        self.entries = entries
    }

    func names(_ address: IPAddress, port: Int) -> Bool {
        let address = address.unwrapped
        return entries.contains { $0.names(port) && $0.network.contains(address) }
    }

    /// Whether any address is permitted on this port, which is all that can be decided about a name before its look-up.
    func names(port: Int) -> Bool {
        entries.contains { $0.names(port) }
    }
}
