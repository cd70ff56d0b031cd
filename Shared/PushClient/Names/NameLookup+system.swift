import Glibc
package import PushTargets

extension NameLookup {
    /// Bounds the system resolver's wait for silent servers: two seconds for each, once. By default a thread would wait
    /// ten seconds and more. The operator's own setting is kept.
    ///
    /// Call it before there are other threads, which may read the environment.
    package static func boundSystemWaits() {
        setenv("RES_OPTIONS", "timeout:2 attempts:1", 0)
    }

    /// Asks the system's resolver.
    /// - Returns: Empty if the name is unknown, or cannot be resolved at the moment.
    package static func system(_ name: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0, let first = list else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first, next: \.pointee.ai_next).compactMap { address($0.pointee) }
    }

    private static func address(_ info: addrinfo) -> IPAddress? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        // Drops the zone of a link-local address.
        let characters = text.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }
        return IPAddress(String(decoding: characters.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
}
