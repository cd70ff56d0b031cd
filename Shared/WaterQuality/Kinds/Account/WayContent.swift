/// The content of a note that a way to reach its person does not take alerts any more. It goes to their other ways.
package struct WayContent: Hashable, Sendable {
    /// Why alerts do not arrive. The raw values are stored.
    package enum Failure: String, Sendable {
        /// The other side answers, and does not take them.
        case refused
        case unanswered
        /// The push service takes them, and the browser or the app does not say any more that they arrive.
        case unconfirmed
        /// Nothing could be sent there: what was to be was too late, or the address must not be called.
        case unsent
        /// The other side said that it is gone for good.
        case gone
        /// Whoever is there registered it for another account.
        case moved
    }

    /// The host of its address; of a mailbox the first letter and the domain.
    package var name: String
    package var isBrowser: Bool
    package var failure: Failure
    /// The status of the last answer, in the terms of HTTP.
    package var status: String?

    package init(name: String, isBrowser: Bool, failure: Failure, status: String? = nil) {
        self.name = name
        self.isBrowser = isBrowser
        self.failure = failure
        self.status = status
    }
}
