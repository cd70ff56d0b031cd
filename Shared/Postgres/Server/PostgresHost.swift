import CLibpq

/// One of the servers that a URL names.
package struct PostgresHost: Hashable, Sendable, CustomStringConvertible {
    /// As the URL has it: a name, an address, or the directory of a Unix socket.
    let name: String
    /// What `hostaddr` says; mostly nothing.
    let address: String
    let port: String

    package var description: String {
        let host = name.isEmpty ? address.isEmpty ? "localhost" : address : name
        return host.hasPrefix("/") ? host : "\(host):\(port.isEmpty ? Self.defaultPort : port)"
    }
}

extension PostgresHost {
    /// Where an open connection leads.
    init(of connection: OpaquePointer) {
        func text(_ value: UnsafeMutablePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        self.init(
            name: text(PQhost(connection)), address: text(PQhostaddr(connection)), port: text(PQport(connection)))
    }

    /// libpq's keywords for this host alone.
    var keywords: [(String, String)] {
        [("host", name), ("hostaddr", address), ("port", port.isEmpty ? Self.defaultPort : port)]
    }

    /// libpq's keywords for whatever else a URL says.
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

    /// What an empty place in a list of ports stands for.
    private static let defaultPort = "5432"
}

extension PostgresConfiguration {
    /// All servers that the URL, or libpq's own environment, names, in the order in which they are tried.
    package var hosts: [PostgresHost] {
        let values = parsed
        func list(_ keyword: String) -> [String] {
            (values[keyword] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        return (0..<max(names.count, addresses.count)).map { index in
            PostgresHost(
                name: index < names.count ? names[index] : "", address: index < addresses.count ? addresses[index] : "",
                // One port is that of all hosts.
                port: ports.count == 1 ? ports[0] : index < ports.count ? ports[index] : "")
        }
    }
}
