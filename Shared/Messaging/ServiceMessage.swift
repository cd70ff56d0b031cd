package import Words

/// A message to a person, in their language.
package struct ServiceMessage: Hashable, Sendable {
    package enum Urgency: Sendable, CaseIterable {
        /// Not worth waking for: an all-clear, a test.
        case low
        case high
        /// Wakes.
        case critical
    }

    /// The same in every attempt.
    package var id: String
    package var title: String
    package var body: String
    /// Where it is shown in the app; nil where the installation has no public address.
    package var link: String?
    package var urgency: Urgency
    /// In seconds since 1970.
    package var time: Int64
    package var language: Language
    /// The same for messages that belong together, such as an alarm and its end; nil for one that stands alone.
    package var thread: String?
    /// The ways to end such messages; nil where the installation has no public address.
    package var stop: StopLinks?

    package init(
        id: String, title: String, body: String, link: String?, urgency: Urgency, time: Int64, language: Language,
        thread: String? = nil, stop: StopLinks? = nil
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.link = link
        self.urgency = urgency
        self.time = time
        self.language = language
        self.thread = thread
        self.stop = stop
    }

    /// All of it, for services that know of no title and no link.
    var lines: String { [title, body, link].compactMap(\.self).joined(separator: "\n") }
}

/// Where a person ends such messages without signing in.
package struct StopLinks: Hashable, Sendable {
    /// The page that asks.
    package var page: String
    /// The address that ends them when it is posted to (RFC 8058).
    package var posted: String

    package init(page: String, posted: String) {
        self.page = page
        self.posted = posted
    }
}
