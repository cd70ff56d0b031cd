/// Where a broker listens: `mqtt://host:port` or `mqtts://host:port`.
package struct MQTTEndpoint: Hashable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: UInt16
    package var isSecure: Bool

    package init(host: String, port: UInt16, isSecure: Bool = false) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
    }

    /// Reads a URL; the default port is 1883, or 8883 for `mqtts`.
    /// - Throws: `invalidConfiguration` with a sentence that says what to write instead. The sentence never repeats the
    ///   URL, which may hold a password.
    package init(url: String) throws(MQTTError) {
        let parts = url.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "mqtt" || parts[0] == "mqtts" else {
            throw MQTTError(.invalidConfiguration, "the MQTT URL begins with mqtt:// or mqtts://")
        }
        isSecure = parts[0] == "mqtts"
        var rest = parts[1]
        guard !rest.contains("@") else {
            throw MQTTError(
                .invalidConfiguration,
                "the MQTT URL holds no user and no password; they come from a setting and a file of their own")
        }
        if rest.last == "/" { rest.removeLast() }
        guard !rest.contains(where: { "/?# ".contains($0) }) else {
            throw MQTTError(.invalidConfiguration, "the MQTT URL has nothing after the port")
        }
        let (host, port) = try Self.split(rest)
        guard !host.isEmpty else { throw MQTTError(.invalidConfiguration, "the MQTT URL names no host") }
        self.host = String(host)
        self.port = port ?? (isSecure ? 8883 : 1883)
    }

    package var description: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "mqtts" : "mqtt")://\(name):\(port)"
    }

    private static func split(_ rest: Substring) throws(MQTTError) -> (Substring, UInt16?) {
        let host: Substring
        let tail: Substring
        if rest.first == "[", let end = rest.firstIndex(of: "]") {
            host = rest[rest.index(after: rest.startIndex)..<end]
            tail = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            tail = rest[host.endIndex...]
        }
        if tail.isEmpty { return (host, nil) }
        guard tail.first == ":", let port = UInt16(tail.dropFirst()), port > 0 else {
            throw MQTTError(.invalidConfiguration, "the port of the MQTT URL is a number from 1 to 65535")
        }
        return (host, port)
    }
}
