import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// An occurrence of a reminder as clients see it.
struct ShownOccurrence: Sendable {
    var reminder: ReminderID
    var occurrence: CareOccurrence
    /// The act that says what became of it, or that it was put off.
    var act: CareActID?
    var by: CarePerson?

    static let output = Output<ShownOccurrence>.object(
        "CareOccurrence", "One time at which a reminder is due.",
        [
            .member("reminder", .id, "The id of the reminder.") { $0.reminder },
            .member(
                "on", .text, "The time by the clock of its zone: by it acts name the occurrence.",
                example: "2027-03-05T18:00"
            ) {
                $0.occurrence.on.minuteText
            },
            .member("at", .timestamp, "The instant of that.") { $0.occurrence.at },
            .member("state", .choice(CareOccurrence.State.self), "What became of it.", example: "ahead") {
                $0.occurrence.state
            },
            .member("act", .optional(of: .id), "The id of the act; null: nobody acted.") { $0.act },
            .member("by", .optional(of: CarePerson.output), "Who did.") { $0.by },
            .member("actedAt", .optional(of: .timestamp), "When they did.") { $0.occurrence.act?.at },
            .member("laterUntil", .optional(of: .timestamp), "Until when it was put off.") { $0.occurrence.laterUntil },
        ])
}

/// What is to be done for some tanks, and what was, between two days.
struct CareCalendar: Sendable {
    var reminders: [PersonReminder]
    var occurrences: [ShownOccurrence]

    /// More occurrences are not read at once.
    static let most = 20_000

    /// Whether no more than is read at once can be due from one day to another that is so much later.
    static func hasRoom(for reminders: [PersonReminder], days: Int) -> Bool {
        reminders.reduce(0) { $0 + days / max(1, $1.reminder.rule.recurrence.shortestGap) + 1 } <= most
    }

    /// - Throws: `TooMany`, unless it `hasRoom`.
    init(
        of reminders: [PersonReminder], in range: ClosedRange<CivilDay>, now: Timestamp,
        from transaction: PostgresTransaction
    ) throws {
        self.reminders = reminders
        let stored = reminders.map(\.reminder)
        let keys = stored.map(\.key)
        let acts = try transaction.execute(ReadLastActs(of: keys)).byReminder
        let known = Dictionary(grouping: try transaction.execute(ListCareActs(of: keys, in: range)), by: \.reminder)
        let people = try TankPeople(of: stored, in: transaction)
        let courses = stored.map { reminder in
            var acts = acts[reminder.key.reminder] ?? StoredActs()
            // Those of the range too, each once: of a day the course takes one.
            acts.acts += known[reminder.key.reminder, default: []].map(\.act)
            acts.settledCount = acts.settledCount ?? 0
            return reminder.course(acts)
        }
        guard Self.hasRoom(for: reminders, days: range.upperBound - range.lowerBound) else { throw TooMany() }
        var wanted: [String: Set<CivilTime>] = [:]
        for reminder in stored {
            wanted[reminder.rule.zone, default: []].formUnion(known[reminder.key.reminder, default: []].map(\.act.on))
        }
        let instants = try CivilInstants(of: courses, around: now, range: range, beside: wanted, in: transaction)
        occurrences = []
        for (reminder, course) in zip(stored, courses) {
            let found = instants[reminder.rule.zone]
            let acts = known[reminder.key.reminder, default: []]
            let all =
                course.occurrences(found, now: now, today: reminder.today, in: range) + course.settledOccurrences(found)
            for occurrence in all where range.contains(CivilDay(occurrence.on)) {
                let act = acts.last {
                    CivilDay($0.act.on) == CivilDay(occurrence.on) && ($0.act.what != .later) == occurrence.isSettled
                }
                var occurrence = occurrence
                occurrence.act = act?.act
                occurrences.append(
                    ShownOccurrence(
                        reminder: reminder.key.reminder, occurrence: occurrence, act: act?.id,
                        by: people.person(act?.account, of: reminder)))
            }
        }
        occurrences.sort { ($0.occurrence.at, $0.reminder.rawValue) < ($1.occurrence.at, $1.reminder.rawValue) }
    }

    struct TooMany: Error {}
}
