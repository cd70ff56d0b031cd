import Instants
import Postgres
import Store
import WaterQuality

/// An act as it is stored.
struct StoredAct: Sendable {
    var id: CareActID
    var reminder: ReminderID
    var act: CareAct
    /// Who did it; `nil`: somebody who is gone.
    var account: Account.ID?
    var version: Int32

    static let select = """
        SELECT a.act_id, a.reminder_id, a.what, a.on_at AT TIME ZONE 'UTC', a.acted_at,
            (a.acted_at AT TIME ZONE usable_time_zone(r.zone))::date - date '1970-01-01', a.until_at, a.account_id, a.version
        FROM reminder_act a JOIN reminder r ON r.slot = a.slot AND r.reminder_id = a.reminder_id
        """

    init(_ row: inout RowReader) throws {
        id = try row.read()
        reminder = try row.read()
        let what = try row.read(CareAct.What.self)
        let on = try row.readCivilTime()
        act = try CareAct(what, on: on, at: row.read(), day: row.readDay(), until: row.read())
        account = try row.read()
        version = try row.read()
    }
}

/// Lists the acts about some reminders whose occurrences lie between two days, those days included.
struct ListCareActs: Statement {
    static let sql = """
        \(StoredAct.select)
        WHERE (a.slot, a.reminder_id) IN (SELECT * FROM unnest($1::smallint[], $2::uuid[]))
            AND a.on_at::date BETWEEN $3::date AND $4::date
        ORDER BY a.reminder_id, a.on_at
        """
    let keys: [ReminderKey]
    let range: ClosedRange<CivilDay>

    init(of keys: [ReminderKey], in range: ClosedRange<CivilDay>) {
        self.keys = keys
        self.range = range
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(keys)
        parameters.append(range.lowerBound.text)
        parameters.append(range.upperBound.text)
    }

    static func decode(_ row: inout RowReader) throws -> StoredAct { try StoredAct(&row) }
}

/// Lists who did some reminders last, and when.
struct ListLastDone: Statement {
    static let sql = """
        SELECT w.reminder_id, l.acted_at, l.account_id FROM unnest($1::smallint[], $2::uuid[]) AS w (slot, reminder_id)
        CROSS JOIN LATERAL (
            SELECT a.acted_at, a.account_id FROM reminder_act a
            WHERE a.slot = w.slot AND a.reminder_id = w.reminder_id AND a.what = 'done' ORDER BY a.on_at::date DESC LIMIT 1) l
        """
    let keys: [ReminderKey]
    init(of keys: [ReminderKey]) { self.keys = keys }
    func bind(_ parameters: inout Parameters) { parameters.append(keys) }

    static func decode(
        _ row: inout RowReader
    ) throws -> (reminder: ReminderID, at: Timestamp, account: Account.ID?) {
        (try row.read(), try row.read(), try row.read())
    }
}

/// Lists the acts about a reminder, the newest first, after a row that is known.
struct PageCareActs: Statement {
    static let sql = """
        \(StoredAct.select)
        WHERE a.slot = $1 AND a.reminder_id = $2
            AND (a.on_at::date, a.what = 'later') < (date '1970-01-01' + $3::integer, $4::boolean)
        ORDER BY a.on_at::date DESC, a.what = 'later' DESC
        LIMIT $5
        """
    let key: ReminderKey
    let place: Place
    let limit: Int64

    /// The place of an act among those of its reminder.
    struct Place: Hashable, Sendable {
        var day: CivilDay
        /// Whether the occurrence was put off by it.
        var isLater: Bool

        /// Before all of them.
        fileprivate static let start = Place(day: days.upperBound, isLater: false)
        /// The days of which the database knows a date.
        static let days = CivilDay(number: 0)...CivilDay(number: 1_000_000)
    }

    /// - Parameter place: That of the last act of the page before.
    init(of key: ReminderKey, below place: Place?, limit: Int) {
        self.key = key
        self.place = place ?? .start
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(key.slot)
        parameters.append(key.reminder)
        parameters.append(Int32(place.day.number))
        parameters.append(place.isLater)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> StoredAct { try StoredAct(&row) }
}

/// Finds what is known of an act: by its id, or of the same occurrence by another id.
struct FindActs: Statement {
    static let sql = """
        \(StoredAct.select)
        WHERE a.slot = $1 AND (a.act_id = $2 OR a.reminder_id = $3 AND a.on_at::date = $4::date)
        """
    let key: ReminderKey
    let id: CareActID
    let day: CivilDay

    func bind(_ parameters: inout Parameters) {
        parameters.append(key.slot)
        parameters.append(id)
        parameters.append(key.reminder)
        parameters.append(day.text)
    }

    static func decode(_ row: inout RowReader) throws -> StoredAct { try StoredAct(&row) }
}

/// Adds an act. No row: the id is another's.
struct AddAct: Statement {
    static let sql = """
        INSERT INTO reminder_act (slot, tank_id, reminder_id, act_id, on_at, what, acted_at, until_at, account_id)
        VALUES ($1, $2, $3, $4, $5 AT TIME ZONE 'UTC', $6, $7, $8, $9)
        ON CONFLICT DO NOTHING
        RETURNING act_id
        """
    let key: ReminderKey
    let tank: Int64
    let id: CareActID
    let act: CareAct
    let account: Account.ID

    func bind(_ parameters: inout Parameters) {
        parameters.append(key.slot)
        parameters.append(tank)
        parameters.append(key.reminder)
        parameters.append(id)
        parameters.append(Timestamp(act.on))
        parameters.append(act.what)
        parameters.append(act.at)
        parameters.append(act.until)
        parameters.append(account)
    }

    static func decode(_ row: inout RowReader) throws -> CareActID { try row.read() }
}

/// Changes an act of the person's own.
struct ChangeAct: Statement {
    static let sql = """
        UPDATE reminder_act SET what = $3, acted_at = $4, until_at = $5, version = version + 1 WHERE slot = $1 AND act_id = $2
        """
    let slot: Slot
    let id: CareActID
    let act: CareAct

    func bind(_ parameters: inout Parameters) {
        parameters.append(slot)
        parameters.append(id)
        parameters.append(act.what)
        parameters.append(act.at)
        parameters.append(act.until)
    }
}

/// Undoes an act.
struct UndoAct: Statement {
    static let sql = "DELETE FROM reminder_act WHERE slot = $1 AND reminder_id = $2 AND act_id = $3"
    let key: ReminderKey
    let id: CareActID

    func bind(_ parameters: inout Parameters) {
        parameters.append(key.slot)
        parameters.append(key.reminder)
        parameters.append(id)
    }
}
