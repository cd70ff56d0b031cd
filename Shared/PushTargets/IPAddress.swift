import Glibc

/// An IPv4 or IPv6 address as a number.
package struct IPAddress: Hashable, Sendable {
    package enum Family: Sendable {
        case v4, v6

        /// The width of an address.
        var bits: Int { self == .v4 ? 32 : 128 }
    }

    package let family: Family
    let value: UInt128

    init(_ family: Family, _ value: UInt128) {
        self.family = family
        self.value = value
    }

    package init(v4 value: UInt32) { self.init(.v4, UInt128(value)) }

    package init(v6 value: UInt128) { self.init(.v6, value) }

    /// Reads four decimal numbers, or IPv6's colon form (RFC 4291); nil for anything else, such as a name, a zone or
    /// the short forms (`127.1`) that only resolvers understand.
    package init?(_ text: String) {
        // C would stop reading at a NUL byte.
        guard !text.utf8.contains(0) else { return nil }
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(.v4, UInt128(UInt32(bigEndian: four.s_addr)))
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            self.init(.v6, withUnsafeBytes(of: six) { $0.reduce(0) { $0 << 8 | UInt128($1) } })
        } else {
            return nil
        }
    }

    /// The usual spelling, without brackets.
    package var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let length = socklen_t(buffer.count)
        switch family {
        case .v4:
            var bytes = UInt32(truncatingIfNeeded: value).bigEndian
            inet_ntop(AF_INET, &bytes, &buffer, length)
        case .v6:
            var bytes = value.bigEndian
            inet_ntop(AF_INET6, &bytes, &buffer, length)
        }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The IPv4 address embedded in an IPv6 address: mapped (`::ffff:0:0/96`), NAT64 (`64:ff9b::/96`, RFC 6052) or 6to4
    /// (`2002::/16`, RFC 3056). For other addresses, the address itself.
    package var unwrapped: IPAddress {
        guard family == .v6 else { return self }
        let low = IPAddress(.v4, value & 0xffff_ffff)
        if value >> 32 == 0xffff { return low }
        if value >> 32 == 0x0064_ff9b << 64 { return low }
        if value >> 112 == 0x2002 { return IPAddress(.v4, value >> 80 & 0xffff_ffff) }
        return self
    }

    /// Whether the address, unwrapped, belongs to the public internet.
    package var isPublic: Bool {
        let address = unwrapped
        return switch address.family {
        case .v4: !IPNetwork.reservedV4.contains { $0.contains(address) }
        // IANA has allocated only 2000::/3 as global unicast addresses.
        case .v6: IPNetwork.givenOutV6.contains(address) && !IPNetwork.reservedV6.contains { $0.contains(address) }
        }
    }
}

/// All addresses with a common prefix.
package struct IPNetwork: Hashable, Sendable {
    let base: IPAddress
    let prefixLength: Int

    /// - Parameter text: An address and the length of the prefix, such as `10.0.0.0/8` or `fd00::/8`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let base = IPAddress(String(parts[0])), let prefixLength = Int(parts[1]),
            (0...base.family.bits).contains(prefixLength)
        else { return nil }
        self.init(base, prefixLength)
    }

    /// - Parameter address: An address of the network; its bits beyond the prefix are cleared.
    init(_ address: IPAddress, _ prefixLength: Int) {
        let hostBits = UInt128(address.family.bits - prefixLength)
        base = IPAddress(address.family, (address.value >> hostBits) << hostBits)
        self.prefixLength = prefixLength
    }

    /// The number of addresses as a power of two.
    package var hostBits: Int { base.family.bits - prefixLength }

    package func contains(_ address: IPAddress) -> Bool {
        address.family == base.family && prefix(of: address) == prefix(of: base)
    }

    /// The leading bits of an address. Swift's shift by the whole width gives 0, which is right for an empty prefix.
    private func prefix(of address: IPAddress) -> UInt128 { address.value >> (base.family.bits - prefixLength) }
}
