/// The content of a note that somebody signed in to the person's account where nobody had before. It goes to all other ways.
package struct SignInContent: Hashable, Sendable {
    /// The name of the client, such as "Firefox · Linux"; `nil` where it told none.
    package var client: String?

    package init(client: String?) { self.client = client }

    /// - Parameter text: The text by which the client calls itself (`User-Agent`); of any other than a browser its beginning is the name.
    package init(userAgent text: String?) {
        guard let text, !text.isEmpty else {
            client = nil
            return
        }
        let known = [Self.browsers, Self.systems].compactMap { names in
            names.first(where: { text.contains($0.mark) })?.name
        }
        client = known.isEmpty ? String(text.prefix(60)) : known.joined(separator: " · ")
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
