import Glibc
package import PushTargets

extension NameLookup {
    /// Bounds how long the system's resolver waits for silent servers: two seconds for each, once. Otherwise a thread that asks
    /// comes back after ten and more. What the operator has set stays.
    ///
    /// To be called before there are threads, which may read the environment.
    package static func boundSystemWaits() {
        setenv("RES_OPTIONS", "timeout:2 attempts:1", 0)
    }

    /// The system's resolver.
    /// - Returns: Nothing when the name is not known, or nobody can tell at the moment.
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
        // Without the zone of a link-local address.
        let characters = text.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }
        return IPAddress(String(decoding: characters.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
}
