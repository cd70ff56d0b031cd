import Instants
import Postgres
import Store
import WaterQuality

/// The form of what a webhook of a person's is sent; no row for anything else.
struct ReadEndpointForm: Statement {
    static let sql = """
        SELECT \(StoredForm.columns) FROM endpoint e
        WHERE e.endpoint_id = $1 AND e.account_id = $2 AND e.channel = 'webhook' AND e.retired_at IS NULL
        """
    let endpoint: Endpoint.ID
    let account: Account.ID

    init(_ endpoint: Endpoint.ID, of account: Account.ID) {
        self.endpoint = endpoint
        self.account = account
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(account)
    }

    static func decode(_ row: inout RowReader) throws -> StoredForm { try StoredForm(&row) }
}

/// Sets the form of what a webhook of a person's is sent; no row when it is not theirs.
struct SetEndpointForm: Statement {
    static let sql = """
        UPDATE endpoint SET form = $3, sealed_template = $4, template_type = $5
        WHERE endpoint_id = $1 AND account_id = $2 AND channel = 'webhook' AND retired_at IS NULL
        RETURNING endpoint_id
        """
    let endpoint: Endpoint.ID
    let account: Account.ID
    let form: StoredForm

    init(_ endpoint: Endpoint.ID, of account: Account.ID, to form: StoredForm) {
        self.endpoint = endpoint
        self.account = account
        self.form = form
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(account)
        parameters.append(form.form.rawValue)
        parameters.append(form.sealedTemplate)
        parameters.append(form.templateType)
    }

    static func decode(_ row: inout RowReader) throws -> Endpoint.ID { try row.read() }
}

/// The first device of a person, their unit for its temperature, and the time, by the database's clock and by the person's wall.
struct FindExampleWatch: Statement {
    static let sql = """
        SELECT v.hardware_id, o.name, s.unit, now(), now() AT TIME ZONE usable_time_zone(a.time_zone) AT TIME ZONE 'UTC'
        FROM account a
        LEFT JOIN LATERAL (
            SELECT slot, device_id, account_id, name FROM ownership
            WHERE account_id = a.account_id AND unlinked_at IS NULL
            ORDER BY linked_at, device_id LIMIT 1) o ON true
        LEFT JOIN device v ON v.slot = o.slot AND v.device_id = o.device_id
        LEFT JOIN setting s ON s.slot = o.slot AND s.device_id = o.device_id AND s.account_id = o.account_id
            AND s.parameter = \(Parameter.temperature.rawValue) AND s.valid_until IS NULL
        WHERE a.account_id = $1
        """

    struct Row: Sendable {
        /// Nil of a person who has no device yet.
        var device: String?
        var name: String?
        var unit: Unit?
        var now: Timestamp
        var wall: Timestamp
    }

    let account: Account.ID
    init(of account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: row.read(), name: row.read(), unit: row.read(String?.self).flatMap(Unit.init(rawValue:)),
            now: row.read(), wall: row.read())
    }
}
