package import Postgres
package import WaterQuality

/// Lets one at a time add endpoints for a person, so that counting them before means something.
package struct LockAccount: Statement {
    package static let sql = "SELECT account_id FROM account WHERE account_id = $1 FOR NO KEY UPDATE"
    let account: Account.ID
    package init(_ account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account.rawValue) }
}

/// The number that an endpoint has, or will have: secrets are sealed for it.
package struct NumberEndpoint: Statement {
    package static let sql = """
        SELECT coalesce(e.endpoint_id, nextval('endpoint_id')), e.account_id,
            (SELECT count(*) FROM endpoint o
                WHERE o.account_id = $3 AND o.retired_at IS NULL AND NOT (o.channel = $1 AND o.target = $2))
        FROM (VALUES (true)) AS one LEFT JOIN endpoint e ON e.channel = $1 AND e.target = $2
        """

    package struct Row: Sendable {
        package var endpoint: Int64
        /// Whose it is until now; nil when it is new.
        package var account: Account.ID?
        /// How many other usable endpoints the person has.
        package var others: Int64
    }

    let channel: String
    let target: String
    let account: Account.ID

    package init(channel: String, target: String, account: Account.ID) {
        self.channel = channel
        self.target = target
        self.account = account
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(channel)
        parameters.append(target)
        parameters.append(account.rawValue)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let endpoint: Int64 = try row.read()
        let account: Int64? = try row.read()
        return try Row(endpoint: endpoint, account: account.map(Account.ID.init(rawValue:)), others: row.read())
    }
}

/// Registers an endpoint. Registered again, by anybody, it moves to that account and is usable again.
package struct AddEndpoint: Statement {
    package static let sql = """
        INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (channel, target) DO UPDATE SET
            account_id = excluded.account_id, sealed_secret = excluded.sealed_secret, former_secret = NULL,
            former_until = NULL, retired_at = NULL, retired_because = NULL
        RETURNING endpoint_id
        """
    let endpoint: Int64
    let account: Account.ID
    let channel: String
    let target: String
    let sealedSecret: [UInt8]

    package init(endpoint: Int64, account: Account.ID, channel: String, target: String, sealedSecret: [UInt8]) {
        self.endpoint = endpoint
        self.account = account
        self.channel = channel
        self.target = target
        self.sealedSecret = sealedSecret
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(account.rawValue)
        parameters.append(channel)
        parameters.append(target)
        parameters.append(sealedSecret)
    }

    package static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}

/// Asks the notifiers to send a test message to all endpoints of a person.
package struct AddTestAlert: Statement {
    package static let sql = """
        WITH added AS (
            INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time)
            VALUES ($1 % 64, $1, nextval('alert_id'), 'test', 'test', now(), now())
            RETURNING slot, alert_id
        )
        SELECT slot, alert_id, pg_notify('alert', '') FROM added
        """
    let account: Account.ID
    package init(account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account.rawValue) }
    package static func decode(_ row: inout RowReader) throws -> AlertReference {
        try AlertReference(slot: Slot(stored: row.read()), alert: Alert.ID(rawValue: row.read()))
    }
}

/// How many usable endpoints a person has.
package struct CountEndpoints: Statement {
    package static let sql = "SELECT count(*) FROM endpoint WHERE account_id = $1 AND retired_at IS NULL"
    let account: Account.ID
    package init(of account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account.rawValue) }
    package static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}

/// Takes a test back that no notifier has begun to send; no row is affected when one has.
package struct WithdrawTestAlert: Statement {
    package static let sql = """
        UPDATE alert SET state = 'cancelled'
        WHERE slot = $1 AND alert_id = $2 AND kind = 'test' AND state = 'decided'
        """
    let alert: AlertReference
    package init(_ alert: AlertReference) { self.alert = alert }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(alert.slot.rawValue)
        parameters.append(alert.alert.rawValue)
    }
}

/// What became of an alert at each endpoint.
package struct ReadDeliveries: Statement {
    package static let sql = """
        SELECT d.endpoint_id, e.channel, e.target, d.state, d.tries, t.outcome, t.status, t.detail
        FROM delivery d JOIN endpoint e ON e.endpoint_id = d.endpoint_id
        LEFT JOIN LATERAL (
            SELECT outcome, status, detail FROM delivery_attempt t
            WHERE t.slot = d.slot AND t.alert_id = d.alert_id AND t.endpoint_id = d.endpoint_id
            ORDER BY attempt DESC LIMIT 1) t ON true
        WHERE d.slot = $1 AND d.alert_id = $2
        ORDER BY d.endpoint_id
        """

    package struct Row: Sendable {
        package var endpoint: Int64
        package var channel: String
        package var target: String
        package var state: String
        /// Those that were recorded; a lease that was given back unsent is none.
        package var attempts: Int16
        package var outcome: String?
        package var status: Int16?
        package var detail: String?
    }

    let alert: AlertReference
    package init(_ alert: AlertReference) { self.alert = alert }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(alert.slot.rawValue)
        parameters.append(alert.alert.rawValue)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            endpoint: row.read(), channel: row.read(), target: row.read(), state: row.read(), attempts: row.read(),
            outcome: row.read(), status: row.read(), detail: row.read())
    }
}
