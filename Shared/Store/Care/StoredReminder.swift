package import Instants
package import Postgres
package import WaterQuality

/// A reminder as it is stored.
package struct StoredReminder: Sendable {
    package var key: ReminderKey
    package var tank: Int64
    package var device: Device.ID
    package var name: String
    package var activity: Word<CareActivity>
    package var rule: ReminderRule
    package var notes: String
    /// Since when the rule holds.
    package var since: Timestamp
    package var endedAt: Timestamp?
    /// Counts the changes of what people set.
    package var version: Int32
    /// Counts these, and what was done about it.
    package var changes: Int64
    package var changedAt: Timestamp
    /// Up to when what came due has been handed over.
    package var lookedAt: Timestamp
    /// The day at the time of reading, by the reminder's clock.
    package var today: CivilDay

    /// Columns of the row `r`.
    /// - Parameter now: The time of reading, in SQL.
    package static func columns(now: String) -> String {
        """
        r.slot, r.reminder_id, r.tank_id, r.device_id, r.name, r.activity, \(RuleColumns.read), r.notes, r.since, r.ended_at, r.version,
            r.changes, r.changed_at, r.looked_at, ((\(now)) AT TIME ZONE usable_time_zone(r.zone))::date - date '1970-01-01'
        """
    }

    package init(_ row: inout RowReader) throws {
        key = try ReminderKey(&row)
        tank = try row.read()
        device = try row.read()
        name = try row.read()
        activity = try row.read()
        rule = try RuleColumns.rule(&row)
        notes = try row.read()
        since = try row.read()
        endedAt = try row.read()
        version = try row.read()
        changes = try row.read()
        changedAt = try row.read()
        lookedAt = try row.read()
        today = try row.readDay()
    }

    package func course(_ acts: StoredActs?) -> ReminderCourse {
        ReminderCourse(
            rule, since: since, isEnded: endedAt != nil, acts: acts?.acts ?? [], settledCount: acts?.settledCount)
    }
}

/// The last acts about a reminder.
package struct StoredActs: Sendable {
    package var acts: [CareAct] = []
    /// `nil` where it does not matter how many there were in all.
    package var settledCount: Int?

    package init() {}
}

extension RowReader {
    /// A day that is read as its distance from 1970-01-01.
    package mutating func readDay() throws -> CivilDay { CivilDay(number: Int(try read(Int32.self))) }

    /// A civil time that is read as if it were one of UTC.
    package mutating func readCivilTime() throws -> CivilTime { try read(Timestamp.self).civilTime() }
}
