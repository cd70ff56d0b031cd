package import PushTargets

/// The push services at which browsers may register, by their host names.
///
/// The host of the parsed address is compared, label by label. Comparing whole addresses with patterns, as others do,
/// would admit `https://10.0.0.1/x.google.com/`.
package struct PushHosts: Hashable, Sendable {
    /// The services of Chrome, Firefox, Safari and Edge, and of browsers that use the same services.
    package static let known = PushHosts(
        [
            Entry(name: "fcm.googleapis.com"), Entry(name: "updates.push.services.mozilla.com"),
            Entry(name: ".push.apple.com"), Entry(name: ".notify.windows.com"),
        ])

    private struct Entry: Hashable, Sendable {
        /// The host name; one with a leading dot stands for all names that end in it.
        let name: String
        var port = 443

        init(name: String) {
            self.name = name
        }

        /// - Parameter text: `push.example.org`, `*.push.example.org`, either with `:8443`.
        init?(_ text: some StringProtocol) {
            // Refuses anything but a name and a port.
            guard text.utf8.allSatisfy({ !"/?#@".utf8.contains($0) }),
                let target = try? PushTarget("https://\(text.hasPrefix("*.") ? text.dropFirst(2) : text[...])/")
            else {
                return nil
            }
            guard text.hasPrefix("*.") else {
                (name, port) = (target.host, target.port)
                return
            }
            // Refuses a whole top-level domain.
            guard target.address == nil, target.host.contains(".") else { return nil }
            (name, port) = ("." + target.host, target.port)
        }

        func names(_ target: PushTarget) -> Bool {
            target.port == port && (name.hasPrefix(".") ? target.host.hasSuffix(name) : target.host == name)
        }
    }

    private let entries: [Entry]

    private init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// The known services and the operator's own.
    /// - Parameter text: Names separated by commas, such as `push.example.org,*.push.example.net:8443`.
    /// - Returns: nil if a name cannot be read.
    package init?(adding text: String) {
        var entries = Self.known.entries
        for part in text.split(separator: ",") {
            let word = part.split(separator: " ").joined(separator: " ")
            if word.isEmpty { continue }
            guard let entry = Entry(word) else { return nil }
            entries.append(entry)
        }
        self.entries = entries
    }

    package func permit(_ target: PushTarget) -> Bool {
        target.isEncrypted && entries.contains { $0.names(target) }
    }
}
