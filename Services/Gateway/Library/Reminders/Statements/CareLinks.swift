import Instants
import Postgres
import Store
import WaterQuality

/// Names the person of a message's link. No row: it is no link, or its time is over.
struct EnterCare: Statement {
    static let sql = "SELECT account, alert_id, locale FROM enter_care($1)"
    let token: String
    func bind(_ parameters: inout Parameters) { parameters.append(token) }

    static func decode(_ row: inout RowReader) throws -> (account: Account.ID, alert: Alert.ID, locale: String) {
        (try row.read(), try row.read(), try row.read())
    }
}

/// Lists what a message told the named person, and what became of it.
struct ListToldOccurrences: Statement {
    static let sql = """
        SELECT t.slot, t.reminder_id, r.slot, r.tank_id, t.account_id, o.name, r.name, t.on_at AT TIME ZONE 'UTC',
            a.act_id IS NULL AND r.ended_at IS NULL, p.name,
            coalesce(a.account_id = t.account_id, false), a.what, a.until_at
        FROM reminder_telling t
        JOIN reminder r ON r.slot = t.slot AND r.reminder_id = t.reminder_id
        JOIN ownership o ON o.slot = r.slot AND o.tank_id = r.tank_id AND o.account_id = t.account_id AND o.unlinked_at IS NULL
        LEFT JOIN LATERAL (
            SELECT * FROM reminder_act c WHERE c.slot = t.slot AND c.reminder_id = t.reminder_id AND c.on_at::date = t.on_at::date
            ORDER BY c.what = 'later' LIMIT 1) a ON true
        LEFT JOIN tank_person p ON p.slot = r.slot AND p.tank_id = r.tank_id AND p.account_id = a.account_id
        WHERE t.account_id = $1 AND t.alert_id = $2
        ORDER BY t.on_at, o.name, r.name, r.reminder_id
        """
    let account: Account.ID
    let alert: Alert.ID

    init(of account: Account.ID, by alert: Alert.ID) {
        self.account = account
        self.alert = alert
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(alert)
    }

    static func decode(_ row: inout RowReader) throws -> ToldOccurrence {
        try ToldOccurrence(
            key: ReminderKey(&row), tank: TankKey(slot: row.read(), tank: row.read()), account: row.read(),
            tankName: row.read(), name: row.read(),
            on: row.readCivilTime(), isOpen: row.read(), by: row.read(), isYou: row.read(),
            what: row.read(String?.self).flatMap(CareAct.What.init(rawValue:)), until: row.read())
    }
}
