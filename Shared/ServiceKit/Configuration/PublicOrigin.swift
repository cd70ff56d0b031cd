/// The origin under which people reach the service (`AQUA_PUBLIC_URL`), such as `https://water.example`.
package struct PublicOrigin: Hashable, Sendable {
    /// The origin as browsers send it in `Origin`: lower case, no path, no default port.
    package let text: String
    package let isSecure: Bool

    /// - Parameter text: An http or https URL with a host and nothing behind the port but a slash.
    package init?(_ text: String) {
        var rest = text[...]
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        let lower = rest.lowercased()
        let scheme: String
        if lower.hasPrefix("https://") {
            scheme = "https"
        } else if lower.hasPrefix("http://") {
            scheme = "http"
        } else {
            return nil
        }
        var authority = lower.dropFirst(scheme.utf8.count + 3)
        let allowed = authority.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
                true
            default: false
            }
        }
        guard allowed, !authority.isEmpty, !authority.hasPrefix(":"), !authority.hasSuffix(":") else { return nil }
        let standardPort = scheme == "https" ? ":443" : ":80"
        if authority.hasSuffix(standardPort) { authority = authority.dropLast(standardPort.utf8.count) }
        self.text = "\(scheme)://\(authority)"
        isSecure = scheme == "https"
    }
}

extension PublicOrigin {
    /// The placeholder in a faulty configuration, until the configuration is refused.
    package static let standIn = PublicOrigin(text: "http://localhost", isSecure: false)

    private init(text: String, isSecure: Bool) {
        self.text = text
        self.isSecure = isSecure
    }
}
