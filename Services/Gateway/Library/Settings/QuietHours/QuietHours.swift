import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// When a person wants to be woken by nothing but what is critical, by the clock of the account's time zone.
struct QuietHours: Hashable, Sendable {
    /// Minutes since midnight.
    var from: Int
    var until: Int
    /// The days on whose evening they begin.
    var days: Set<Weekday>
    /// Whether the silence of a whole device is told all the same.
    var silenceRings: Bool
}

extension QuietHours {
    /// Reads four columns: begins_at and ends_at in minutes, days, silence_rings.
    /// - Returns: `nil` where the person has none.
    init?(_ row: inout RowReader) throws {
        let (from, until): (Int32?, Int32?) = try (row.read(), row.read())
        let (days, silenceRings): (Int16?, Bool?) = try (row.read(), row.read())
        guard let from, let until, let days, let silenceRings else { return nil }
        self.init(from: Int(from), until: Int(until), days: Set(mask: days), silenceRings: silenceRings)
    }
}

/// A person's quiet hours, and what is gathered for a digest.
struct QuietHoursState: Sendable {
    var hours: QuietHours?
    var timeZone: String
    /// Until when quiet hours are on.
    var quietUntil: Timestamp?
    var waiting: Int64
    /// When what waits is told.
    var waitingUntil: Timestamp?

    static let output = Output<QuietHoursState>.object(
        "QuietHoursState", "The person's quiet hours, and what waits to be told.",
        [
            .member("hours", .optional(of: hours), "null: the person has none.") { $0.hours },
            .member("timeZone", .text, "The time zone of its times: that of the account.", example: "Europe/Vienna") {
                $0.timeZone
            },
            .member("quietUntil", .optional(of: .timestamp), "Until when, while they are on.") { $0.quietUntil },
            .member(
                "waiting", .integer,
                "How much waits to be told, for the night or because the person was told much within an hour.",
                example: 2
            ) { Int($0.waiting) },
            .member("waitingUntil", .optional(of: .timestamp), "When what waits is told.") { $0.waitingUntil },
        ])

    private static let hours = Output<QuietHours>.object(
        "QuietHours", "Hours in which nothing is told but what is critical.",
        [
            .member("from", .text, "When they begin.", example: "22:30") { TimeOfDay.text(of: $0.from) },
            .member("until", .text, "When they end.", example: "07:00") { TimeOfDay.text(of: $0.until) },
            .member("days", .list(of: .choice(Weekday.self)), "The days on whose evening they begin.") { hours in
                hours.days.inOrder
            },
            .member(
                "silenceRings", .boolean, "Whether the silence of a whole device is told all the same.", example: true
            ) { $0.silenceRings },
        ])
}
