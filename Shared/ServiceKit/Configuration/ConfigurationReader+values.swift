package import Logging

extension ConfigurationReader {
    /// A duration, written as `parseDuration` reads it.
    ///
    /// Zero and negative times are faults unless `bounds` admits zero; bounds apply to the exact value, unrounded.
    package func duration(
        _ variable: Variable, default standard: Duration,
        within bounds: ClosedRange<Duration> = .milliseconds(1)...(.seconds(366 * 86_400))
    ) -> Duration {
        guard let text = optionalString(variable) else { return standard }
        guard let value = parseDuration(text) else {
            fault(variable, "is \(quoted(text))", remedy: "write a number and its unit: 500ms, 90s, 30m, 2h or 7d")
            return standard
        }
        guard bounds.contains(value) else {
            fault(
                variable, "is \(quoted(text))",
                remedy: "set it to between \(durationText(bounds.lowerBound)) and \(durationText(bounds.upperBound))")
            return standard
        }
        return value
    }

    /// A switch, `on` or `off`.
    package func flag(_ variable: Variable, default standard: Bool = false) -> Bool {
        optional(variable) { ["on": true, "off": false][$0] } ?? standard
    }

    package func hostAndPort(_ variable: Variable, default standard: HostAndPort? = nil) -> HostAndPort {
        if let standard, optionalString(variable) == nil { return standard }
        return required(variable, standIn: HostAndPort(host: "", port: 0), parse: HostAndPort.init)
    }

    /// The addresses of servers, separated by commas: at least one. A fault if there is none, or if one has another
    /// scheme or contains a password.
    package func serverURLs(_ variable: Variable, schemes: Set<String>) -> [ServerURL] {
        let standIn = [ServerURL(scheme: "", host: "", port: nil, path: "")]
        let text = string(variable)
        guard !text.isEmpty else { return standIn }
        let parts = list(variable)
        guard !parts.contains(where: carriesPassword) else {
            faultOnPassword(variable)
            return standIn
        }
        let urls = parts.compactMap(ServerURL.init).filter { schemes.contains($0.scheme) }
        guard !urls.isEmpty, urls.count == parts.count else {
            fault(variable, "is \(quoted(text))")
            return standIn
        }
        return urls
    }

    /// The lowest level that is logged; `info` if it is not set.
    package func logLevel() -> Logger.Level {
        optional(.logLevel) { Logger.Level(rawValue: $0.lowercased()) } ?? .info
    }

    func faultOnPassword(_ variable: Variable) {
        fault(
            variable, "carries a password",
            remedy: "move it to a file of mode 0600 and name that file in the matching ..._PASSWORD_FILE variable")
    }
}

/// Whether the URL has a password before its host or as a query parameter (which libpq reads, too).
func carriesPassword(_ url: String) -> Bool {
    let afterScheme = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
    let authority = afterScheme.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if let at = authority.lastIndex(of: "@"), authority[..<at].contains(":") { return true }
    guard let query = afterScheme.firstIndex(of: "?") else { return false }
    return afterScheme[query...].dropFirst().split(separator: "&").contains { $0.hasPrefix("password=") }
}
