package import Postgres
package import WaterQuality

/// One of the last acts about a reminder.
package struct LastAct: Sendable {
    package var reminder: ReminderID
    package var act: CareAct
    /// How many were settled in all; `nil` where that does not matter.
    package var settledCount: Int64?

    static let columns =
        "reminder_id, what, on_at AT TIME ZONE 'UTC', acted_at, acted_on - date '1970-01-01', until_at, settled"

    init(_ row: inout RowReader) throws {
        reminder = try row.read()
        let what = try row.read(CareAct.What.self)
        let on = try row.readCivilTime()
        act = try CareAct(what, on: on, at: row.read(), day: row.readDay(), until: row.read())
        settledCount = try row.read()
    }
}

/// Reads the last acts about some reminders of the named person's tanks: as many as say what of them is open.
package struct ReadLastActs: Statement {
    package static let sql = "SELECT \(LastAct.columns) FROM last_acts($1, $2)"
    let keys: [ReminderKey]
    package init(of keys: [ReminderKey]) { self.keys = keys }
    package func bind(_ parameters: inout Parameters) { parameters.append(keys) }
    package static func decode(_ row: inout RowReader) throws -> LastAct { try LastAct(&row) }
}

/// Reads the last acts about some reminders, whosever they are.
package struct ReadLastActsOfAll: Statement {
    package static let sql = "SELECT \(LastAct.columns) FROM last_acts_of_all($1, $2)"
    let keys: [ReminderKey]
    package init(of keys: [ReminderKey]) { self.keys = keys }
    package func bind(_ parameters: inout Parameters) { parameters.append(keys) }
    package static func decode(_ row: inout RowReader) throws -> LastAct { try LastAct(&row) }
}

extension [LastAct] {
    package var byReminder: [ReminderID: StoredActs] {
        reduce(into: [:]) { found, row in
            found[row.reminder, default: StoredActs()].acts.append(row.act)
            found[row.reminder]?.settledCount = row.settledCount.map(Int.init)
        }
    }
}
