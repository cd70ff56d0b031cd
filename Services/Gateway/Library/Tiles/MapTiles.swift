import ServiceKit

/// Where the web app has its map from: the operator's choice (`AQUA_MAP_TILES`, `AQUA_MAP_ATTRIBUTION`).
///
/// Browsers load the tiles themselves, so that whoever serves them learns which part of the world a person looks at. Without
/// the setting there is no map, and no browser asks anybody else for anything.
package struct MapTiles: Hashable, Sendable {
    /// The address of a tile, with `{z}`, `{x}` and `{y}` in it.
    package let template: String
    /// The only origin other than the service's own from which the app may load a picture.
    package let origin: String
    package let attribution: Attribution

    /// - Parameter template: An https URL with each of `{z}`, `{x}` and `{y}` once behind its host.
    package init?(_ template: String, attribution: Attribution) {
        let scheme = "https://"
        guard template.utf8.count <= 500, template.hasPrefix(scheme), template.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        let rest = template.dropFirst(scheme.count)
        guard let slash = rest.firstIndex(of: "/"), Self.isAuthority(rest[..<slash]),
            let origin = PublicOrigin(scheme + rest[..<slash])
        else { return nil }
        guard Self.placeholders(rest[slash...]) == ["x", "y", "z"] else { return nil }
        self.template = template
        self.origin = origin.text
        self.attribution = attribution
    }

    /// What stands between braces, in order of the alphabet; nil where the braces do not pair.
    private static func placeholders(_ path: Substring) -> [String]? {
        var found: [String] = []
        for part in path.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
            guard let end = part.firstIndex(of: "}") else { return nil }
            found.append(String(part[..<end]))
        }
        guard path.count(where: { $0 == "}" }) == found.count else { return nil }
        return found.sorted()
    }

    /// A host by its name, and perhaps a port: what a source in a Content-Security-Policy may be.
    private static func isAuthority(_ text: Substring) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let host = parts.first, !host.isEmpty, !host.hasPrefix("."), !host.hasPrefix("-"),
            host.utf8.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") })
        else { return false }
        return parts.count == 1 || UInt16(parts[1]).map { $0 > 0 } == true
    }

    /// Characters of a URL, and braces; nothing that would end a header's value or a rule of a policy.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "-._~:/?@!$&()*+=%{}".utf8.contains(byte)
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

extension MapTiles {
    /// Whose work the map is, as its licence asks to be told beside it.
    package struct Attribution: Hashable, Sendable {
        package let text: String
        /// Where its licence is explained.
        package let link: String?

        /// - Parameter setting: A text of at most 200 characters, perhaps followed by an https address in angle brackets:
        ///   `© OpenStreetMap contributors <https://www.openstreetmap.org/copyright>`.
        package init?(_ setting: String) {
            var text = setting[...]
            var link: String?
            if let start = setting.firstIndex(of: "<") {
                let address = setting[setting.index(after: start)...]
                guard address.hasSuffix(">") else { return nil }
                text = setting[..<start]
                link = String(address.dropLast())
            }
            while text.last == " " { text = text.dropLast() }
            guard !text.isEmpty, text.count <= 200, !text.contains(where: { "<>".contains($0) || $0.isNewline }) else {
                return nil
            }
            if let link { guard Self.isAddress(link) else { return nil } }
            self.text = String(text)
            self.link = link
        }

        /// The placeholder in a faulty configuration, until the configuration is refused.
        static let standIn = Attribution()

        private init() {
            text = ""
            link = nil
        }

        private static func isAddress(_ text: String) -> Bool {
            text.count <= 500 && text.hasPrefix("https://") && text.count > "https://".count
                && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"<>\"{}".utf8.contains($0) }
        }
    }
}
