import Instants
import Postgres
import Store
import WaterQuality

/// Answers what goes on with a device of the named person's.
struct GiveAnswer: Statement {
    static let sql = "SELECT give_answer($1, $2, $4, $5, $6, $7) WHERE $3 = current_account()"

    /// The raw values are those of the database's function.
    enum Outcome: String, CaseIterable, Sendable {
        /// Also where it had been said before.
        case done
        /// Somebody else is on it.
        case faster
        /// Nothing of it goes on, or ever did.
        case over
        /// The person does not have the device.
        case unknown
    }

    let subject: SnoozeKey
    let answer: AlarmAnswer

    init(_ answer: AlarmAnswer, to subject: SnoozeKey) {
        self.subject = subject
        self.answer = answer
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(subject)
        parameters.append(answer)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// The people who are on something, of the named person's devices, in the order of these.
struct ListAnswers: Statement {
    static let sql = """
        SELECT hardware_id, kind, parameter, side, person, is_own, since, until, solved_at FROM list_answers()
        """

    static func decode(_ row: inout RowReader) throws -> ShownAnswer {
        try ShownAnswer(
            subject: ShownSubject(
                device: row.read(), kind: row.read(), parameter: row.read(), side: row.read()),
            name: row.read(), isOwn: row.read(), since: row.read(), until: row.read(), solvedAt: row.read())
    }
}

/// The names of the others who have a device of the named person's.
struct ListCompany: Statement {
    static let sql = "SELECT list_company($1, $2)"
    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// Enters the transaction by the link of an alarm, which names its person. No row where there is no such link.
struct EnterAnswer: Statement {
    static let sql = "SELECT account, locale, slot, alert_id, uid, until, holds FROM enter_answer($1)"

    struct Row: Sendable {
        var account: Account.ID
        var locale: String
        var alert: AlertReference
        /// Until when the link is of use.
        var until: Timestamp
        /// Whether it still is. Nobody is named where not.
        var holds: Bool
    }

    let token: String
    func bind(_ parameters: inout Parameters) { parameters.append(token) }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (account, locale) = try (row.read(Account.ID.self), row.read(String.self))
        let key = try AlertKey(&row)
        let uid = try row.read(Alert.UID?.self)
        return try Row(
            account: account, locale: locale, alert: uid.map(AlertReference.uid) ?? .numbered(key), until: row.read(),
            holds: row.read())
    }
}

/// The other alarms, reminders and calls that were told in one message with one of the named person's, and go on: at most three hundred, in
/// the order of their devices.
struct ListTogether: Statement {
    static let sql = """
        WITH chosen AS (
            SELECT o.* FROM alert a JOIN alert o ON o.account_id = a.account_id AND o.group_id = a.group_id
                -- what is told together is decided within seconds; devices that fall silent at once are found within minutes
                AND o.decided_at BETWEEN a.decided_at - interval '10 minutes' AND a.decided_at + interval '10 minutes'
            WHERE a.slot = $1 AND a.alert_id = $2 AND o.uid <> a.uid AND o.purpose IN ('alarm', 'reminder', 'escalation') AND NOT o.ended
                AND (call_goes_on(o.slot, o.alert_id) OR EXISTS (
                    SELECT FROM episode e WHERE e.slot = o.slot AND e.episode_id = o.episode_id AND e.closed_at IS NULL))
                AND o.state <> 'cancelled' AND o.audience IS NOT DISTINCT FROM a.audience
                AND ($3::bigint IS NULL OR EXISTS (
                    SELECT FROM delivery d WHERE d.slot = o.slot AND d.alert_id = o.alert_id AND d.endpoint_id = $3))
            ORDER BY o.slot, o.device_id, o.alert_id
            LIMIT 300
        )
        \(StoredAlert.listing)
        """
    let alert: AlertKey
    let endpoint: Endpoint.ID?

    /// - Parameter endpoint: The endpoint that was told, where it may have been told less than others.
    init(with alert: AlertKey, at endpoint: Endpoint.ID? = nil) {
        self.alert = alert
        self.endpoint = endpoint
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(alert.slot)
        parameters.append(alert.alert)
        parameters.append(endpoint)
    }

    static func decode(_ row: inout RowReader) throws -> StoredAlert { try StoredAlert(listed: &row) }
}

/// The device of one of the named person's alerts, where they have it now, and whether what the alert is about goes on.
struct ReadAlarmState: Statement {
    static let sql = """
        SELECT a.slot, a.device_id, call_goes_on(a.slot, a.alert_id) OR EXISTS (
            SELECT FROM episode e
            WHERE e.slot = a.slot AND e.device_id = a.device_id AND e.account_id = a.account_id AND e.kind = a.kind
                AND e.parameter IS NOT DISTINCT FROM a.parameter AND e.side IS NOT DISTINCT FROM a.side AND e.closed_at IS NULL)
        FROM alert a
        JOIN ownership o ON o.slot = a.slot AND o.device_id = a.device_id AND o.account_id = a.account_id
            AND o.unlinked_at IS NULL
        WHERE a.slot = $1 AND a.alert_id = $2
        """

    struct Row: Sendable {
        var device: DeviceKey
        var isOpen: Bool
    }

    let alert: AlertKey
    init(of alert: AlertKey) { self.alert = alert }

    func bind(_ parameters: inout Parameters) {
        parameters.append(alert.slot)
        parameters.append(alert.alert)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(device: DeviceKey(slot: row.read(), device: row.read()), isOpen: row.read())
    }
}
