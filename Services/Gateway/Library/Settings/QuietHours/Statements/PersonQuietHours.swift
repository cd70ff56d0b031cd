import Postgres
import Store
import WaterQuality

/// The named person's quiet hours, and what is gathered.
struct ReadQuietHours: Statement {
    static let sql = """
        SELECT extract(epoch FROM q.begins_at)::integer / 60, extract(epoch FROM q.ends_at)::integer / 60, q.days,
            q.silence_rings, a.time_zone, c.until, g.waiting, g.until
        FROM account a
        LEFT JOIN quiet_hours q ON q.account_id = a.account_id
        LEFT JOIN current_quiet_hours c ON c.account_id = a.account_id
        CROSS JOIN what_is_gathered() g
        WHERE a.account_id = $1
        """
    let account: Account.ID
    init(of account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }

    static func decode(_ row: inout RowReader) throws -> QuietHoursState {
        let hours = try QuietHours(&row)
        return try QuietHoursState(
            hours: hours, timeZone: row.read(), quietUntil: row.read(), waiting: row.read(), waitingUntil: row.read())
    }
}

/// Sets the named person's quiet hours, in place of those before.
struct SetQuietHours: Statement {
    static let sql = """
        SELECT set_quiet_hours(
            time '00:00' + $1::integer * interval '1 minute', time '00:00' + $2::integer * interval '1 minute', $3, $4)
        """
    let hours: QuietHours

    init(_ hours: QuietHours) { self.hours = hours }

    func bind(_ parameters: inout Parameters) {
        parameters.append(Int32(hours.from))
        parameters.append(Int32(hours.until))
        parameters.append(hours.days.mask)
        parameters.append(hours.silenceRings)
    }
}

/// Removes the named person's quiet hours, if they have any.
struct RemoveQuietHours: Statement {
    static let sql = "SELECT remove_quiet_hours()"
}
