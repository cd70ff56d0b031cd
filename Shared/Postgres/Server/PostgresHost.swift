/// One of the servers that a URL names.
package struct PostgresHost: Hashable, Sendable, CustomStringConvertible {
    /// As the URL has it: a name, an address, or the directory of a Unix socket.
    let name: String
    /// What `hostaddr` says; mostly nothing.
    let address: String
    let port: String

    package var description: String {
        let host = name.isEmpty ? address.isEmpty ? "localhost" : address : name
        return host.hasPrefix("/") ? host : "\(host):\(port.isEmpty ? "5432" : port)"
    }
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
