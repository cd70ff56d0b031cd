import Instants
import Postgres
import Store
import WaterQuality

/// Somebody who shares or has shared a tank, and their part in it.
struct TankMember: Sendable {
    var account: Account.ID
    var person: CarePerson
    /// Whether they share it now.
    var isThere: Bool
    /// Whether they own the device.
    var isOwner: Bool
}

/// Lists who shares or has shared some tanks of the person.
struct ListTankPeople: Statement {
    static let sql = """
        SELECT p.slot, p.tank_id, p.account_id, p.part, p.name, p.is_oneself, p.is_there, p.part = p.tank_id
        FROM tank_person p WHERE (p.slot, p.tank_id) IN (SELECT * FROM unnest($1::smallint[], $2::bigint[]))
        """
    let slots: [Slot]
    let tanks: [Int64]

    init(of tanks: [(slot: Slot, tank: Int64)]) {
        slots = tanks.map(\.slot)
        self.tanks = tanks.map(\.tank)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(slots)
        parameters.append(tanks)
    }

    static func decode(_ row: inout RowReader) throws -> (slot: Slot, tank: Int64, member: TankMember) {
        (
            try row.read(), try row.read(),
            try TankMember(
                account: row.read(), person: CarePerson(part: row.read(), name: row.read(), isMe: row.read()),
                isThere: row.read(), isOwner: row.read())
        )
    }
}

/// Lists who is told of some reminders.
struct ListTold: Statement {
    static let sql = """
        SELECT p.reminder_id, p.account_id FROM unnest($1::smallint[], $2::uuid[]) AS w (slot, reminder_id)
        JOIN reminder_person p ON p.slot = w.slot AND p.reminder_id = w.reminder_id
        """
    let keys: [ReminderKey]
    init(of keys: [ReminderKey]) { self.keys = keys }
    func bind(_ parameters: inout Parameters) { parameters.append(keys) }

    static func decode(_ row: inout RowReader) throws -> (reminder: ReminderID, account: Account.ID) {
        (try row.read(), try row.read())
    }
}

/// Has somebody told of a reminder.
struct AddTold: Statement {
    static let sql =
        "INSERT INTO reminder_person (slot, reminder_id, account_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
    let key: ReminderKey
    let account: Account.ID

    func bind(_ parameters: inout Parameters) {
        parameters.append(key.slot)
        parameters.append(key.reminder)
        parameters.append(account)
    }
}

/// Has somebody told of a reminder no more.
struct RemoveTold: Statement {
    static let sql = "DELETE FROM reminder_person WHERE slot = $1 AND reminder_id = $2 AND account_id = $3"
    let key: ReminderKey
    let account: Account.ID

    func bind(_ parameters: inout Parameters) {
        parameters.append(key.slot)
        parameters.append(key.reminder)
        parameters.append(account)
    }
}
