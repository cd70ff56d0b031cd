/// A mail to one person: a title, a text, a way to go on, and the reason why they get it.
package struct MailMessage: Hashable, Sendable {
    /// A text that leads somewhere.
    package struct Link: Hashable, Sendable {
        package var text: String
        package var url: String

        package init(_ text: String, _ url: String) {
            self.text = text
            self.url = url
        }
    }

    package var to: MailAddress
    /// The same in every attempt; unique, of letters, digits, `-`, `_` and `.`.
    package var id: String
    /// The same for all mails that belong together, of the same characters; nil for one that stands alone.
    package var thread: String?
    /// By its code (BCP 47).
    package var language: String
    package var title: String
    package var text: String
    /// What stands below the text in rows and columns.
    package var table: MailTable?
    package var action: Link?
    /// Another way to go on, which asks for less: to answer.
    package var answer: Link?
    /// Why the person gets it; nil where the text says so.
    package var reason: String?
    /// The page where the person can end such mails.
    package var stop: Link?
    /// The address that ends them when it is posted to (RFC 8058).
    package var unsubscribe: String?
    /// Whether the person should see it before others.
    package var isUrgent: Bool
    /// In seconds since 1970.
    package var time: Int64

    package init(
        to: MailAddress, id: String, thread: String? = nil, language: String, title: String, text: String,
        table: MailTable? = nil, action: Link? = nil, answer: Link? = nil, reason: String? = nil, stop: Link? = nil,
        unsubscribe: String? = nil,
        isUrgent: Bool = false, time: Int64
    ) {
        self.to = to
        self.id = id
        self.thread = thread
        self.language = language
        self.title = title
        self.text = text
        self.table = table
        self.action = action
        self.answer = answer
        self.reason = reason
        self.stop = stop
        self.unsubscribe = unsubscribe
        self.isUrgent = isUrgent
        self.time = time
    }
}
