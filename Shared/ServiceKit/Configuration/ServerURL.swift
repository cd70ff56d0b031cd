import FoundationEssentials

/// The parts of a URL that name a server.
package struct ServerURL: Hashable, Sendable, CustomStringConvertible {
    /// The scheme in lower case.
    package let scheme: String
    package let host: String
    package let port: Int?
    /// The path, empty or with a leading `/`.
    package let path: String

    package init(scheme: String, host: String, port: Int?, path: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
    }

    /// Reads a URL; nil without a scheme or host, and for a port outside of 1...65535.
    package init?(_ text: String) {
        guard let url = URL(string: text), let scheme = url.scheme, let host = url.host(), !host.isEmpty,
            (1...65_535).contains(url.port ?? 1)
        else { return nil }
        self.init(scheme: scheme.lowercased(), host: host, port: url.port, path: url.path())
    }

    package var description: String {
        let place = host.contains(":") ? "[\(host)]" : host
        return "\(scheme)://\(place)" + (port.map { ":\($0)" } ?? "") + path
    }
}
