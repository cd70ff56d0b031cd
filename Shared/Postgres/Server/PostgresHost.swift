import CLibpq

/// One of the servers that a URL names.
package struct PostgresHost: Hashable, Sendable, CustomStringConvertible {
    /// The host as in the URL: a name, an address, or the directory of a Unix socket.
    let name: String
    /// The value of `hostaddr`; mostly empty.
    let address: String
    let port: String

    package var description: String {
        let host = name.isEmpty ? address.isEmpty ? "localhost" : address : name
        return host.hasPrefix("/") ? host : "\(host):\(port.isEmpty ? Self.defaultPort : port)"
    }
}

extension PostgresHost {
    /// The host that an open connection leads to.
    init(of connection: OpaquePointer) {
        func text(_ value: UnsafeMutablePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        self.init(
            name: text(PQhost(connection)), address: text(PQhostaddr(connection)), port: text(PQport(connection)))
    }

    /// libpq's keywords for this host alone.
    var keywords: [(String, String)] {
        [("host", name), ("hostaddr", address), ("port", port.isEmpty ? Self.defaultPort : port)]
    }

    /// libpq's keywords for everything in a URL but its hosts.
    static func keywords(in url: String) -> [(String, String)] {
        var keywords: [(String, String)] = []
        guard let options = PQconninfoParse(url, nil) else { return keywords }
        defer { PQconninfoFree(options) }
        var option = options
        while let keyword = option.pointee.keyword {
            let name = String(cString: keyword)
            if let value = option.pointee.val, !["host", "hostaddr", "port"].contains(name) {
                keywords.append((name, String(cString: value)))
            }
            option += 1
        }
        return keywords
    }

    /// The port of an empty entry in a list of ports.
    private static let defaultPort = "5432"
}

extension PostgresConfiguration {
    /// All servers named by the URL, or by libpq's own environment, in the order in which they are tried.
    package var hosts: [PostgresHost] {
        let values = parsed
        func list(_ keyword: String) -> [String] {
            (values[keyword] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        return (0..<max(names.count, addresses.count)).map { index in
            PostgresHost(
                name: index < names.count ? names[index] : "", address: index < addresses.count ? addresses[index] : "",
                // A single port applies to all hosts.
                port: ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : "")
        }
    }
}
