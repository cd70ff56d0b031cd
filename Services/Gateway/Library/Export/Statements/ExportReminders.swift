import Postgres
import Store
import WaterQuality

/// Exports the reminders of the tanks that a person owns or owned, and what was done about them; of tanks that they watch, the reminders they made
/// and what they did themselves.
struct ExportReminders: ExportedPage {
    static let sql = """
        SELECT r.slot, r.reminder_id, json_build_object(
            'id', r.reminder_id, 'device', d.hardware_id, 'name', r.name, 'activity', r.activity, 'every', r.every, 'interval', r.step,
            'weekdays', r.weekdays, 'day', r.month_day, 'weekday', r.month_weekday, 'which', r.which, 'until', r.until_on, 'count', r.times,
            'at', to_char(r.at_time, 'HH24:MI'), 'zone', r.zone, 'startsOn', r.starts_on, 'notes', r.notes, 'madeAt', r.made_at,
            'endedAt', r.ended_at,
            'acts', coalesce((
                SELECT json_agg(json_build_object(
                    'id', a.act_id, 'what', a.what, 'on', to_char(a.on_at, 'YYYY-MM-DD"T"HH24:MI'), 'at', a.acted_at, 'until', a.until_at,
                    'byThemselves', a.account_id IS NOT DISTINCT FROM $1) ORDER BY a.on_at)
                FROM reminder_act a
                WHERE a.slot = r.slot AND a.reminder_id = r.reminder_id AND (t.role = 'owner' OR a.account_id = $1)), '[]'))::text
        FROM person_tank t
        JOIN reminder r ON r.slot = t.slot AND r.tank_id = t.tank_id
        JOIN device d ON d.slot = r.slot AND d.device_id = r.device_id
        WHERE (r.slot, r.reminder_id) > ($2, $3) AND (t.role = 'owner' OR r.account_id = $1 OR EXISTS (
            SELECT FROM reminder_act a WHERE a.slot = r.slot AND a.reminder_id = r.reminder_id AND a.account_id = $1))
        ORDER BY r.slot, r.reminder_id
        LIMIT $4
        """

    typealias Cursor = ReminderKey

    let account: Account.ID
    let after: ReminderKey
    let limit: Int64

    /// - Parameter after: The last row of the page before; `nil` for the first.
    init(of account: Account.ID, after: ReminderKey?, limit: Int) {
        self.account = account
        self.after = after ?? ReminderKey(slot: Slot.all[0], reminder: ReminderID(rawValue: 0))
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(after.slot)
        parameters.append(after.reminder)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<ReminderKey> {
        try ExportedRow(cursor: ReminderKey(&row), json: row.read())
    }
}
