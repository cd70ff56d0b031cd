package import Mail
package import Words

/// A message to a person, in their language.
package struct ServiceMessage: Hashable, Sendable {
    package enum Urgency: Sendable, CaseIterable {
        /// Not worth waking for: an all-clear, a test, what is told regularly.
        case low
        case high
        /// Wakes.
        case critical
    }

    /// The same in every attempt.
    package var id: String
    package var title: String
    package var body: String
    /// The same in more words, for where there is room; nil where the body says all.
    package var report: Report?
    /// Where it is shown in the app; nil where the installation has no public address.
    package var link: String?
    package var urgency: Urgency
    /// In seconds since 1970.
    package var time: Int64
    package var language: Language
    /// The same for messages that belong together, such as an alarm and its end; nil for one that stands alone.
    package var thread: String?
    /// The ways to answer it; nil where there is nothing to answer, or the installation has no public address.
    package var answer: AnswerLinks?
    /// The ways to end such messages; nil where the installation has no public address.
    package var stop: StopLinks?
    /// Where the key is posted that is pressed in a call; nil where there is nothing to answer, or the installation has no public address.
    package var keyed: String?
    /// Of a message that brings a code, the code alone.
    package var code: String?

    package init(
        id: String, title: String, body: String, link: String?, urgency: Urgency, time: Int64, language: Language,
        report: Report? = nil, thread: String? = nil, answer: AnswerLinks? = nil, stop: StopLinks? = nil,
        keyed: String? = nil, code: String? = nil
    ) {
        self.id = id
        self.title = title
        self.body = body
        self.report = report
        self.link = link
        self.urgency = urgency
        self.time = time
        self.language = language
        self.thread = thread
        self.answer = answer
        self.stop = stop
        self.keyed = keyed
        self.code = code
    }

    /// A text and what stands below it in rows and columns.
    package struct Report: Hashable, Sendable {
        package var text: String
        package var table: MailTable?

        package init(text: String, table: MailTable?) {
            self.text = text
            self.table = table
        }
    }

    /// Where whoever taps it is led: to where an alarm is answered, without signing in, or else into the app.
    var tapped: String? { answer?.page ?? link }

    /// All of it, for services that know of no title and no link.
    var lines: String { [title, body, tapped].compactMap(\.self).joined(separator: "\n") }
}

/// Where a person answers a message without signing in.
package struct AnswerLinks: Hashable, Sendable {
    /// What is answered.
    package enum Subject: Sendable {
        /// An alarm: somebody is on it.
        case alarm
        /// What is to be done for the water.
        case care

        /// What the buttons of a message say, each with its words under `answer.`.
        package var answers: [String] {
            switch self {
            case .alarm: ["onIt", "snooze"]
            case .care: ["done", "tomorrow"]
            }
        }

        /// The words of a button that leads to the page.
        package var page: String {
            switch self {
            case .alarm: "answer.page"
            case .care: "answer.carePage"
            }
        }
    }

    package var subject: Subject
    /// The page that asks.
    package var page: String
    /// The address that takes answers when it is posted to: JSON with `token` and `answer`.
    package var posted: String
    package var token: String

    package init(_ subject: Subject = .alarm, page: String, posted: String, token: String) {
        self.subject = subject
        self.page = page
        self.posted = posted
        self.token = token
    }
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
