package import Postgres
package import WaterQuality

/// Locks an account, so that only one transaction at a time adds endpoints and their count stays valid.
package struct LockAccount: Statement {
    package static let sql = "SELECT account_id FROM account WHERE account_id = $1 FOR NO KEY UPDATE"
    let account: Account.ID
    package init(_ account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account) }
}

/// Finds or reserves the number of an endpoint. Secrets are sealed for this number.
package struct NumberEndpoint: Statement {
    package static let sql = """
        SELECT endpoint, account, in_use, others FROM number_endpoint($1, $2, $3)
        """

    package struct Row: Sendable {
        package var endpoint: Endpoint.ID
        /// The endpoint's current account; `nil` if the endpoint is new.
        package var account: Account.ID?
        package var isInUse: Bool
        /// The number of other usable endpoints of the person.
        package var others: Int64
    }

    let channel: Endpoint.Channel
    let target: String
    let account: Account.ID

    package init(channel: Endpoint.Channel, target: String, account: Account.ID) {
        self.channel = channel
        self.target = target
        self.account = account
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(channel)
        parameters.append(target)
        parameters.append(account)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(endpoint: row.read(), account: row.read(), isInUse: row.read(), others: row.read())
    }
}

/// Registers an endpoint. A retired or paused endpoint becomes usable again. Another account's endpoint moves only if
/// it is not in use, so that nobody takes an address away; if it is in use there is no row.
package struct AddEndpoint: Statement {
    package static let sql = """
        SELECT endpoint FROM add_endpoint($1, $2, $3, $4, $5, $6) AS added (endpoint) WHERE endpoint IS NOT NULL
        """
    let endpoint: Endpoint.ID
    let account: Account.ID
    let channel: Endpoint.Channel
    let target: String
    let sealedSecret: [UInt8]
    let client: ClientID?

    /// - Parameter client: The installation with which the person registers the endpoint. Signing out there pauses it.
    package init(
        endpoint: Endpoint.ID, account: Account.ID, channel: Endpoint.Channel, target: String, sealedSecret: [UInt8],
        client: ClientID? = nil
    ) {
        self.endpoint = endpoint
        self.account = account
        self.channel = channel
        self.target = target
        self.sealedSecret = sealedSecret
        self.client = client
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(account)
        parameters.append(channel)
        parameters.append(target)
        parameters.append(sealedSecret)
        parameters.append(client)
    }

    package static func decode(_ row: inout RowReader) throws -> Endpoint.ID { try row.read() }
}

/// Requests a test message to one endpoint of a person, or to all of them.
package struct AddTestAlert: Statement {
    package static let sql = "SELECT outcome, of_slot, alert FROM add_test_alert($1, $2, $3, $4)"

    /// The result. The raw values are the database's.
    package enum Outcome: String, Sendable {
        case added
        /// The person has no such endpoint in use, or none at all.
        case nowhere
        case tooMany
    }

    package struct Row: Sendable {
        package var outcome: Outcome
        /// The added alert.
        package var alert: AlertKey?
    }

    let account: Account.ID
    let uid: Alert.UID
    let endpoint: Endpoint.ID?
    let most: Int32

    /// - Parameters:
    ///   - endpoint: The endpoint; `nil` for all.
    ///   - most: The most tests of a person in ten minutes.
    package init(account: Account.ID, uid: Alert.UID, endpoint: Endpoint.ID? = nil, most: Int32 = .max) {
        self.account = account
        self.uid = uid
        self.endpoint = endpoint
        self.most = most
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(uid)
        parameters.append(endpoint)
        parameters.append(most)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        let outcome: Outcome = try row.read()
        let slot: Slot? = try row.read()
        let alert: Alert.ID? = try row.read()
        guard let slot, let alert else { return Row(outcome: outcome, alert: nil) }
        return Row(outcome: outcome, alert: AlertKey(slot: slot, alert: alert))
    }
}

/// The number of usable endpoints of a person.
package struct CountEndpoints: Statement {
    package static let sql = "SELECT count(*) FROM usable_endpoint WHERE account_id = $1"
    let account: Account.ID
    package init(of account: Account.ID) { self.account = account }
    package func bind(_ parameters: inout Parameters) { parameters.append(account) }
    package static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}

/// Takes an endpoint out of use. Its pending deliveries become due, so that a notifier ends them unsent; a request that
/// has begun may still arrive. No row if no endpoint in use has this number.
package struct RemoveEndpoint: Statement {
    package static let sql = """
        WITH removed AS (
            UPDATE endpoint e SET retired_at = now(), retired_because = 'the operator removed it'
            FROM usable_endpoint u, account a
            WHERE e.endpoint_id = $1 AND u.endpoint_id = e.endpoint_id AND a.account_id = e.account_id
            RETURNING e.endpoint_id, e.target, a.email
        ), due AS (
            UPDATE delivery d SET next_attempt_at = now() FROM removed r
            WHERE d.endpoint_id = r.endpoint_id AND d.state = 'pending' AND d.holder IS NULL
        )
        SELECT target, email, pg_notify('alert', '') FROM removed
        """

    package struct Row: Sendable {
        package var target: String
        package var email: String
    }

    let endpoint: Endpoint.ID
    package init(_ endpoint: Endpoint.ID) { self.endpoint = endpoint }
    package func bind(_ parameters: inout Parameters) { parameters.append(endpoint) }
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(target: row.read(), email: row.read())
    }
}

/// Withdraws a test that no notifier has begun to send; affects no row if one has.
package struct WithdrawTestAlert: Statement {
    package static let sql = """
        UPDATE alert SET state = 'cancelled'
        WHERE slot = $1 AND alert_id = $2 AND kind = 'test' AND state = 'decided'
        """
    let alert: AlertKey
    package init(_ alert: AlertKey) { self.alert = alert }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(alert.slot)
        parameters.append(alert.alert)
    }
}

/// The result of an alert's delivery to each endpoint.
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
        package var endpoint: Endpoint.ID
        package var channel: Word<Endpoint.Channel>
        package var target: String
        package var state: Word<Delivery.State>
        /// The number of recorded attempts. A lease that was given back unsent does not count.
        package var attempts: Int16
        package var outcome: Word<Delivery.Outcome>?
        package var status: Int16?
        package var detail: String?
    }

    let alert: AlertKey
    package init(_ alert: AlertKey) { self.alert = alert }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(alert.slot)
        parameters.append(alert.alert)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            endpoint: row.read(), channel: row.read(), target: row.read(), state: row.read(), attempts: row.read(),
            outcome: row.read(), status: row.read(), detail: row.read())
    }
}
