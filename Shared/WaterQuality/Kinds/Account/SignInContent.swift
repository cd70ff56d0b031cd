/// The content of a note that somebody signed in to the person's account where nobody had before. It goes to all other ways.
package struct SignInContent: Hashable, Sendable {
    /// The name of the client, such as "Firefox · Linux"; `nil` where it told none.
    package var client: String?

    package init(client: String?) { self.client = client }

    /// - Parameter text: The text by which the client calls itself (`User-Agent`).
    package init(userAgent text: String?) { client = ClientName.of(text) }
}
