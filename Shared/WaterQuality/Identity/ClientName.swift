/// The name by which people call a client that calls itself by a long text: the app, notes and the API all say this one.
package enum ClientName {
    /// - Parameter text: The text by which the client calls itself (`User-Agent`); of any other than a browser its beginning is the name.
    /// - Returns: Such as "Firefox · Linux"; nil where it told none.
    package static func of(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        let known = [browsers, systems].compactMap { names in names.first { text.contains($0.mark) }?.name }
        return known.isEmpty ? String(text.prefix(60)) : known.joined(separator: " · ")
    }

    // Each browser names those before it as well, so the first that is found counts.
    private static let browsers: [(mark: String, name: String)] = [
        ("Edg/", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"),
        ("Chrome/", "Chrome"), ("CriOS/", "Chrome"), ("Safari/", "Safari"),
    ]
    private static let systems: [(mark: String, name: String)] = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
        ("Mac OS X", "Mac"), ("Macintosh", "Mac"), ("CrOS", "ChromeOS"), ("Linux", "Linux"),
    ]
}
