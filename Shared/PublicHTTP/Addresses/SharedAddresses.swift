import FoundationEssentials
package import PushTargets

/// Addresses on this machine's or container's networks that many clients share: routers and container bridges, which
/// pass connections on under their own address. A rootless runtime does so with all connections, others with those by
/// IPv6 to a network without it. Such an address identifies nobody.
package struct SharedAddresses: Hashable, Sendable {
    private let addresses: Set<IPAddress>

    package static let none = SharedAddresses([])

    package init(_ addresses: Set<IPAddress>) {
        self.addresses = addresses
    }

    package func contains(_ address: IPAddress) -> Bool { addresses.contains(address.unwrapped) }

    /// Reads Linux's routing tables: each gateway, and the first address of each connected network, which is a
    /// bridge's. Empty on other systems.
    package static func ofThisHost() -> SharedAddresses {
        func read(_ path: String) -> String {
            (try? Data(contentsOf: URL(filePath: path))).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        return SharedAddresses(routes: read("/proc/net/route"), routes6: read("/proc/net/ipv6_route"))
    }

    /// - Parameters:
    ///   - routes: As in `/proc/net/route`: interface, destination, gateway, flags, three counters, mask.
    ///   - routes6: As in `/proc/net/ipv6_route`: destination, length of its prefix, source, length, next hop.
    package init(routes: String, routes6: String) {
        var found: Set<IPAddress> = []
        for line in routes.split(separator: "\n").dropFirst() {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 8, let destination = UInt32(fields[1], radix: 16)?.byteSwapped,
                let gateway = UInt32(fields[2], radix: 16)?.byteSwapped,
                let mask = UInt32(fields[7], radix: 16)?.byteSwapped
            else { continue }
            if gateway != 0 {
                found.insert(IPAddress(v4: gateway))
            } else if mask != 0, mask != .max {
                found.insert(IPAddress(v4: destination & mask | 1))
            }
        }
        for line in routes6.split(separator: "\n") {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 5, let destination = UInt128(fields[0], radix: 16),
                let length = Int(fields[1], radix: 16), let hop = UInt128(fields[4], radix: 16)
            else { continue }
            if hop != 0 {
                found.insert(IPAddress(v6: hop))
            } else if (1...64).contains(length), destination >> 118 != 0x3fa, destination >> 120 != 0xff {
                // Link-local networks and multicast belong to no bridge.
                found.insert(IPAddress(v6: destination | 1))
            }
        }
        addresses = found
    }
}
