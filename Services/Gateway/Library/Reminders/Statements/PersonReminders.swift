import Instants
import Postgres
import Store
import WaterQuality

/// A reminder of one of the person's tanks, with the device's id from its maker.
struct PersonReminder: Sendable {
    var reminder: StoredReminder
    var hardwareID: String

    static let select = """
        SELECT \(StoredReminder.columns(now: "now()")), d.hardware_id
        FROM reminder r JOIN device d ON d.slot = r.slot AND d.device_id = r.device_id
        """

    init(_ row: inout RowReader) throws {
        reminder = try StoredReminder(&row)
        hardwareID = try row.read()
    }
}

/// Lists the reminders of a tank that go on, in the order of their names.
struct ListTankReminders: Statement {
    static let sql = """
        \(PersonReminder.select)
        WHERE r.slot = $1 AND r.tank_id = $2 AND r.ended_at IS NULL
        ORDER BY r.name, r.reminder_id
        LIMIT 300
        """
    let tank: TankKey
    init(of tank: TankKey) { self.tank = tank }

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank.slot)
        parameters.append(tank.tank)
    }

    static func decode(_ row: inout RowReader) throws -> PersonReminder { try PersonReminder(&row) }
}

/// Lists the reminders of all of the person's tanks that go on, or did until some time; of one tank alone where that is given.
struct ListPersonReminders: Statement {
    static let sql = """
        \(PersonReminder.select)
        WHERE (r.slot, r.tank_id) IN (
                SELECT t.slot, t.tank_id FROM person_tank t WHERE $2::smallint IS NULL OR t.slot = $2 AND t.tank_id = $3)
            AND (r.ended_at IS NULL OR r.ended_at > $1)
        ORDER BY r.slot, r.tank_id, r.name, r.reminder_id
        LIMIT \(most)
        """

    /// More are not listed.
    static let most = 2000

    let since: Timestamp
    let slot: Slot?
    let tank: Int64?

    init(since: Timestamp, slot: Slot? = nil, tank: Int64? = nil) {
        self.since = since
        self.slot = slot
        self.tank = tank
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(since)
        parameters.append(slot)
        parameters.append(tank)
    }

    static func decode(_ row: inout RowReader) throws -> PersonReminder { try PersonReminder(&row) }
}

/// Finds a reminder of the person's tanks.
struct FindReminder: Statement {
    static let sql = "\(PersonReminder.select) WHERE r.slot = $1 AND r.reminder_id = $2"
    let key: ReminderKey
    init(_ key: ReminderKey) { self.key = key }

    func bind(_ parameters: inout Parameters) {
        parameters.append(key.slot)
        parameters.append(key.reminder)
    }

    static func decode(_ row: inout RowReader) throws -> PersonReminder { try PersonReminder(&row) }
}

/// Finds a reminder of the person's tanks and keeps it as it is until the end of the transaction. The database names the day, so that it is the
/// same for what was read before.
struct LockReminder: Statement {
    static let sql = "\(FindReminder.sql) FOR NO KEY UPDATE OF r"
    let key: ReminderKey
    init(_ key: ReminderKey) { self.key = key }

    func bind(_ parameters: inout Parameters) {
        parameters.append(key.slot)
        parameters.append(key.reminder)
    }

    static func decode(_ row: inout RowReader) throws -> PersonReminder { try PersonReminder(&row) }
}

/// What a person sets of a reminder.
struct ReminderContent: Hashable, Sendable {
    var name: String
    var activity: CareActivity
    var rule: ReminderRule
    var notes: String
}

/// Has those who add reminders to a tank do so one after the other, until the end of the transaction.
struct LockTankReminders: Statement {
    static let sql = "SELECT lock_tank_reminders($1)"
    let tank: TankKey
    init(of tank: TankKey) { self.tank = tank }
    func bind(_ parameters: inout Parameters) { parameters.append(tank.tank) }
}

/// Adds a reminder to a tank. No row: there are as many as a tank may have, or the id is another's. Lock them first (`LockTankReminders`), in a
/// statement of its own: one that waits for the lock does not see what was added meanwhile.
struct AddReminder: Statement {
    static let sql = """
        INSERT INTO reminder (slot, tank_id, device_id, reminder_id, account_id, name, activity, notes, since, looked_at, planned_at,
            \(RuleColumns.names.joined(separator: ", ")))
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $9, \(RuleColumns.values(from: 11))
        WHERE (SELECT count(*) FROM reminder WHERE slot = $1 AND tank_id = $2 AND ended_at IS NULL) < $10
        ON CONFLICT DO NOTHING
        RETURNING reminder_id
        """

    /// The most reminders of a tank that go on.
    static let most: Int64 = 100

    let tank: Tank
    let id: ReminderID
    let account: Account.ID
    let content: ReminderContent
    let now: Timestamp

    func bind(_ parameters: inout Parameters) {
        parameters.append(tank.key)
        parameters.append(tank.device)
        parameters.append(id)
        parameters.append(account)
        parameters.append(content.name)
        parameters.append(content.activity)
        parameters.append(content.notes)
        parameters.append(now)
        parameters.append(Self.most)
        parameters.append(content.rule)
    }

    static func decode(_ row: inout RowReader) throws -> ReminderID { try row.read() }
}

/// Changes what people set of a reminder, which is locked. With another rule it begins anew: nothing of before is missed.
struct ChangeReminder: Statement {
    static let sql = """
        UPDATE reminder SET name = $3, activity = $4, notes = $5, version = version + 1, changes = changes + 1, changed_at = now(),
            since = CASE WHEN $7 THEN $6 ELSE since END, looked_at = CASE WHEN $7 THEN $6 ELSE looked_at END,
            (\(RuleColumns.names.joined(separator: ", "))) = ROW (\(RuleColumns.values(from: 8)))
        WHERE slot = $1 AND reminder_id = $2
        """
    let key: ReminderKey
    let content: ReminderContent
    let now: Timestamp
    let isAnotherRule: Bool

    func bind(_ parameters: inout Parameters) {
        parameters.append(key.slot)
        parameters.append(key.reminder)
        parameters.append(content.name)
        parameters.append(content.activity)
        parameters.append(content.notes)
        parameters.append(now)
        parameters.append(isAnotherRule)
        parameters.append(content.rule)
    }
}

/// Ends a reminder; what was done about it stays.
struct EndReminder: Statement {
    static let sql = """
        UPDATE reminder SET ended_at = greatest(now(), since), next_at = NULL, version = version + 1, changes = changes + 1, changed_at = now()
        WHERE slot = $1 AND reminder_id = $2 AND ended_at IS NULL
        """
    let key: ReminderKey

    func bind(_ parameters: inout Parameters) {
        parameters.append(key.slot)
        parameters.append(key.reminder)
    }
}

/// Writes when a reminder, which is locked, is looked at next, and that it changed.
struct PlanReminder: Statement {
    static let sql = """
        UPDATE reminder SET next_at = $3, planned_at = $4, changes = changes + CASE WHEN $5 THEN 1 ELSE 0 END,
            changed_at = CASE WHEN $5 THEN now() ELSE changed_at END, looked_at = $6
        WHERE slot = $1 AND reminder_id = $2
        """
    let key: ReminderKey
    let nextAt: Timestamp?
    /// Up to when everything counts as told.
    let lookedAt: Timestamp
    let now: Timestamp
    /// Whether something was done about it.
    let isActed: Bool

    func bind(_ parameters: inout Parameters) {
        parameters.append(key.slot)
        parameters.append(key.reminder)
        parameters.append(nextAt)
        parameters.append(now)
        parameters.append(isActed)
        parameters.append(lookedAt)
    }
}
