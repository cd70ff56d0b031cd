import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// A person's choice of regular messages, by the clock of the account's time zone.
struct SummaryChoice: Hashable, Sendable {
    /// How often a summary comes. The raw values are stored, and are a promise to clients.
    enum Rhythm: String, CaseIterable, Sendable, Encodable {
        case off, daily, weekly
    }

    /// The ways that get a note once a week, while nothing else shows that they work. The raw values are stored, and are a promise to clients.
    enum Proofs: String, CaseIterable, Sendable, Encodable {
        case none
        /// Browsers and apps, which show it without a sound.
        case push
        /// All but telephones, and those that are told of nothing but what is critical.
        case all
    }

    var rhythm: Rhythm
    /// Of a weekly summary.
    var weekday: Weekday
    /// Minutes since midnight.
    var at: Int
    var proofs: Proofs

    /// The choice of a person who has made none.
    static let standard = SummaryChoice(rhythm: .off, weekday: .monday, at: 8 * 60, proofs: .push)
}

/// A person's regular messages, and when the next summary comes.
struct SummaryState: Sendable {
    var choice: SummaryChoice
    var timeZone: String
    var nextAt: Timestamp?

    static let output = Output<SummaryState>.object(
        "SummaryState", "What the person is told regularly.",
        [
            .member("rhythm", .choice(SummaryChoice.Rhythm.self), "How often a summary comes.", example: "weekly") {
                $0.choice.rhythm
            },
            .member("weekday", .choice(Weekday.self), "The day of a weekly summary.") { $0.choice.weekday },
            .member("at", .text, "The time of day.", example: "08:00") { TimeOfDay.text(of: $0.choice.at) },
            .member(
                "weeklyNote", .choice(SummaryChoice.Proofs.self),
                "Which ways get a quiet note once a week, while nothing else shows that they work: none; push: browsers and apps; "
                    + "all: but telephones, and those that are told of nothing but what is critical", example: "push"
            ) { $0.choice.proofs },
            .member("timeZone", .text, "The time zone of its time: that of the account.", example: "Europe/Vienna") {
                $0.timeZone
            },
            .member(
                "nextAt", .optional(of: .timestamp),
                "When the next summary comes: after quiet hours, where its time lies in them; null: none does."
            ) { $0.nextAt },
        ])
}
