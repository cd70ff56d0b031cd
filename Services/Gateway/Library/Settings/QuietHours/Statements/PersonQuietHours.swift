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

/// Sets a person's quiet hours, in place of those before.
struct SetQuietHours: Statement {
    static let sql = """
        INSERT INTO quiet_hours (account_id, begins_at, ends_at, days, silence_rings)
        VALUES ($1, time '00:00' + $2 * interval '1 minute', time '00:00' + $3 * interval '1 minute', $4, $5)
        ON CONFLICT (account_id) DO UPDATE SET
            begins_at = excluded.begins_at, ends_at = excluded.ends_at, days = excluded.days,
            silence_rings = excluded.silence_rings
        """
    let account: Account.ID
    let hours: QuietHours

    init(_ hours: QuietHours, of account: Account.ID) {
        self.hours = hours
        self.account = account
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(Int32(hours.from))
        parameters.append(Int32(hours.until))
        parameters.append(hours.mask)
        parameters.append(hours.silenceRings)
    }
}

struct RemoveQuietHours: Statement {
    static let sql = "DELETE FROM quiet_hours WHERE account_id = $1"
    let account: Account.ID
    init(of account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
}
