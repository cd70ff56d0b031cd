import FoundationEssentials

/// An address that a person gave as the target of messages. It is untrusted input: the request starts inside the
/// operator's network.
package struct PushTarget: Hashable, Sendable {
    /// The URL in one canonical spelling (RFC 3986, section 6.2): scheme and host in lower case, no final dot, no
    /// default port, a path, no fragment. It identifies the target, so that one target cannot be registered twice under
    /// two spellings. The URL is a capability: anybody who knows it can send there, so it is never logged.
    package let url: String
    /// The host in lower case, without brackets and final dot.
    package let host: String
    package let port: Int
    package let isEncrypted: Bool
    /// The host's address; nil if the host is a name.
    package let address: IPAddress?

    package static let longest = 2048

    /// - Throws: A fault of the text, which no permission of the operator remedies.
    package init(_ text: String) throws(PushTargetFault) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        // Refuses blanks, control characters, backslashes and letters beyond ASCII, about which parsers disagree.
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") }) else {
            throw .notAURL
        }
        guard let parsed = URL(string: text), let scheme = parsed.scheme?.lowercased(),
            let host = parsed.host(percentEncoded: true)?.lowercased()
        else { throw .notAURL }
        guard scheme == "https" || scheme == "http" else { throw .scheme }
        guard parsed.user == nil, parsed.password == nil else { throw .credentials }
        let port = parsed.port ?? (scheme == "https" ? 443 : 80)
        guard (1...65_535).contains(port) else { throw .notAURL }

        self.host = Self.bare(host)
        self.port = port
        isEncrypted = scheme == "https"
        let authority =
            (self.host.contains(":") ? "[\(self.host)]" : self.host)
            + (port == (isEncrypted ? 443 : 80) ? "" : ":\(port)")
        url = "\(scheme)://\(authority)\(Self.resource(of: text))"
        address = IPAddress(self.host)
        guard address != nil || Self.isName(self.host) else { throw .host }
    }

    /// The path and the query, unchanged.
    private static func resource(of text: String) -> String {
        let rest = text.drop { $0 != ":" }.dropFirst(3)
        let resource = rest.drop { !"/?#".contains($0) }.prefix { $0 != "#" }
        return resource.hasPrefix("/") ? String(resource) : "/\(resource)"
    }

    private static func bare(_ host: String) -> String {
        if host.hasPrefix("["), host.hasSuffix("]") { return String(host.dropFirst().dropLast()) }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// Whether the host is a name: letters, digits, hyphens and underscores between dots. Resolvers would read a name
    /// whose last label is a number as an address (`127.1`, `0x7f.1`).
    private static func isName(_ host: String) -> Bool {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isSpelledWell = labels.allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                        UInt8(ascii: "-"), UInt8(ascii: "_"):
                        true
                    default: false
                    }
                }
        }
        guard isSpelledWell, host.utf8.count <= 253, let last = labels.last else { return false }
        return !(last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } || last.hasPrefix("0x"))
    }

    /// Names that have a meaning only in a local network.
    private static let localSuffixes = [".localhost", ".local", ".internal", ".home.arpa", ".lan", ".intranet"]

    private var isLocalName: Bool {
        address == nil && (!host.contains(".") || Self.localSuffixes.contains { host.hasSuffix($0) })
    }

    /// Whether the operator must permit the target's address and port, even a public one.
    package var needsPermission: Bool {
        !isEncrypted || port != 443 || address != nil || isLocalName
    }
}

extension PushTarget {
    /// The origin of the target's URL (RFC 6454).
    package var origin: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let standardPort = isEncrypted ? 443 : 80
        return "\(isEncrypted ? "https" : "http")://\(name)\(port == standardPort ? "" : ":\(port)")"
    }
}

extension PushTarget: CustomStringConvertible, CustomReflectable {
    package var description: String { "(push target)" }
    /// Keeps the URL out of dumps.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
