import Instants
import Postgres
import Store
import WaterQuality

/// Takes the reminders of which something has come due by a time, and those that were not looked at for a day. None: there are none, another
/// notifier looks, or the clock is in doubt.
struct TakeDueReminders: Statement {
    static let sql = "SELECT \(StoredReminder.columns(now: "$1")) FROM take_due_reminders($1, $2) AS r"
    let now: Timestamp
    let limit: Int32

    init(by now: Timestamp, limit: Int32) {
        self.now = now
        self.limit = limit
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(now)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> StoredReminder { try StoredReminder(&row) }
}

/// Sets the first of the reminders back that `TakeDueReminders` takes by this time: by an hour.
struct SetBackReminder: Statement {
    static let sql = "SELECT set_back_reminder($1)"
    let now: Timestamp
    init(dueBy now: Timestamp) { self.now = now }
    func bind(_ parameters: inout Parameters) { parameters.append(now) }
}

/// Writes what came of looks at reminders, and hands over what is to be told.
struct SettleLooks: Statement {
    static let sql = """
        SELECT settle_looks($1, $2, $3, $4, ARRAY(SELECT t AT TIME ZONE 'UTC' FROM unnest($5::timestamptz[]) WITH ORDINALITY AS u (t, place)
            ORDER BY place), $6, $7, $8)
        """
    let now: Timestamp
    let looks: [(reminder: ReminderKey, plan: ReminderPlan)]

    init(_ looks: [(reminder: ReminderKey, plan: ReminderPlan)], at now: Timestamp) {
        self.now = now
        self.looks = looks
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(now)
        parameters.append(looks.map(\.reminder))
        parameters.append(looks.map(\.plan.nextAt))
        parameters.append(looks.map { look in look.plan.told.map { Timestamp($0.on) } })
        parameters.append(looks.map(\.plan.told?.at))
        parameters.append(looks.map { Int16(clamping: $0.plan.missed) })
        parameters.append(looks.map(\.plan.came))
    }
}

/// Has what reached nobody wait to be told again, of all people.
struct TellCareAgain: Statement {
    static let sql = "SELECT tell_care_again($1)"
    let now: Timestamp
    func bind(_ parameters: inout Parameters) { parameters.append(now) }
}

/// Tells the person who has waited longest of what is due, of all of it in one message.
struct TellCare: Statement {
    static let sql = "SELECT due, sent FROM tell_care($1)"
    let now: Timestamp
    func bind(_ parameters: inout Parameters) { parameters.append(now) }
    static func decode(_ row: inout RowReader) throws -> RegularTurn? { try RegularTurn.read(&row) }
}

/// Replaces the first message of what somebody has done since.
struct ReplaceCare: Statement {
    static let sql = "SELECT due, sent FROM replace_care($1)"
    let now: Timestamp
    func bind(_ parameters: inout Parameters) { parameters.append(now) }
    static func decode(_ row: inout RowReader) throws -> RegularTurn? { try RegularTurn.read(&row) }
}

extension PostgresTransaction {
    /// Looks at the reminders that have come due: what is open of them waits to be told from now on.
    /// - Returns: How many there were.
    func lookAtReminders(at now: Timestamp, limit: Int32) throws -> Int {
        let due = try execute(TakeDueReminders(by: now, limit: limit))
        guard !due.isEmpty else { return 0 }
        let acts = try execute(ReadLastActsOfAll(of: due.map(\.key))).byReminder
        let courses = due.map { $0.course(acts[$0.key.reminder]) }
        let instants = try CivilInstants(of: courses, around: now, in: self)
        let looks = zip(due, courses).map { reminder, course in
            (
                reminder: reminder.key,
                plan: course.plan(
                    instants[reminder.rule.zone], lookedAt: reminder.lookedAt, now: now, today: reminder.today)
            )
        }
        _ = try execute(SettleLooks(looks, at: now))
        return due.count
    }
}
