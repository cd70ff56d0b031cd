import Instants
import Postgres
import Store
import WaterQuality
import Words

/// What a calendar program is given of a person's reminders: a month back and a year ahead, or less of a great many.
struct FedCalendar: Sendable {
    let feed: EnterFeed.Row
    let host: String
    let link: String

    /// How many days back and ahead, from the most. The last has room for as many reminders as `ListPersonReminders` lists, so that a calendar
    /// which programs know never fails for its size.
    static let spans = [
        (back: 30, ahead: 366), (back: 30, ahead: 180), (back: 30, ahead: 92), (back: 30, ahead: 31),
        (back: 7, ahead: 31),
        (back: 2, ahead: 7),
    ]

    func text(now: Timestamp, from transaction: PostgresTransaction) throws -> String {
        let language = Language(locale: feed.locale)
        let today = CivilDay(now)
        let since = Timestamp((today + -Self.spans[0].back).at(minutes: 0))
        let reminders = try transaction.execute(
            ListPersonReminders(since: since, slot: feed.slot, tank: feed.tank))
        let span =
            Self.spans.first { CareCalendar.hasRoom(for: reminders, days: $0.back + $0.ahead) }
            ?? Self.spans[Self.spans.count - 1]
        let range = today + -span.back...today + span.ahead
        let calendar = try CareCalendar(of: reminders, in: range, now: now, from: transaction)
        let byID = Dictionary(reminders.map { ($0.reminder.key.reminder, $0.reminder) }) { first, _ in first }
        let names = Dictionary(
            try transaction.execute(ListTankNames()).map { ("\($0.slot.rawValue)/\($0.tank)", $0.name) }
        ) { first, _ in first }
        let events = calendar.occurrences.compactMap { shown -> ICalendar.Event? in
            guard let reminder = byID[shown.reminder], shown.occurrence.state != .skipped else { return nil }
            let tank = names["\(reminder.key.slot.rawValue)/\(reminder.tank)"] ?? ""
            let name =
                tank.isEmpty
                ? reminder.name : language.text("language.heading", ["device": tank, "title": reminder.name])
            let isDone = shown.occurrence.state == .done
            let activity = reminder.activity.known ?? .other
            return ICalendar.Event(
                uid: "\(shown.reminder)-\(shown.occurrence.on.minuteText.filter { $0 != "-" && $0 != ":" })@\(host)",
                sequence: reminder.changes, changedAt: reminder.changedAt,
                at: shown.occurrence.laterUntil ?? shown.occurrence.at,
                summary: isDone ? language.text("care.done", ["name": name]) : name, description: reminder.notes,
                category: language.text("care.\(activity.rawValue)"), alarm: feed.alarms && !isDone ? name : nil)
        }
        return ICalendar(name: feed.name, link: link, events: events).text
    }
}
