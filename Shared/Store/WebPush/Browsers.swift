package import Postgres
package import WaterQuality

/// What is known of a browser's address before it is registered.
package struct NumberWebPush: Statement {
    package static let sql = "SELECT endpoint, standing, is_gone, others FROM number_web_push($1, $2, $3, $4)"

    /// Whose the address is. The raw values are what the database answers.
    package enum Standing: String, Sendable {
        case mine
        /// Another account's, and by its keys the same browser: whoever signed in there last is told.
        case same
        /// Nobody's.
        case free
        /// Somebody else's, who uses it.
        case taken
    }

    package struct Row: Sendable {
        /// The number that it has or will have. Keys are sealed for this number.
        package var endpoint: Endpoint.ID
        package var standing: Standing
        /// Whether its push service said of this very subscription that it has ended.
        package var isGone: Bool
        /// The number of other usable endpoints of the person, without those that this one replaces.
        package var others: Int64
    }

    let target: String
    let fingerprint: [UInt8]
    let client: ClientID
    let account: Account.ID

    package init(target: String, fingerprint: [UInt8], client: ClientID, account: Account.ID) {
        self.target = target
        self.fingerprint = fingerprint
        self.client = client
        self.account = account
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(target)
        parameters.append(fingerprint)
        parameters.append(client)
        parameters.append(account)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(endpoint: row.read(), standing: row.read(), isGone: row.read(), others: row.read())
    }
}

/// Registers a browser in place of the one that its installation had before; one that is registered as it is stays so. No row when
/// somebody else uses it.
package struct AddWebPush: Statement {
    package static let sql = """
        SELECT endpoint FROM add_web_push($1, $2, $3, $4, $5, $6, $7) AS added (endpoint) WHERE endpoint IS NOT NULL
        """
    let endpoint: Endpoint.ID
    let account: Account.ID
    let target: String
    let sealedKeys: [UInt8]
    let fingerprint: [UInt8]
    let vapidKey: String
    let client: ClientID

    /// - Parameters:
    ///   - sealedKeys: The browser's keys, sealed for the endpoint's number.
    ///   - fingerprint: A hash of them.
    ///   - vapidKey: The id of the key that the browser subscribed with.
    ///   - client: The person's installation. Signing out there pauses it.
    package init(
        endpoint: Endpoint.ID, account: Account.ID, target: String, sealedKeys: [UInt8], fingerprint: [UInt8],
        vapidKey: String, client: ClientID
    ) {
        self.endpoint = endpoint
        self.account = account
        self.target = target
        self.sealedKeys = sealedKeys
        self.fingerprint = fingerprint
        self.vapidKey = vapidKey
        self.client = client
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(account)
        parameters.append(target)
        parameters.append(sealedKeys)
        parameters.append(fingerprint)
        parameters.append(vapidKey)
        parameters.append(client)
    }

    package static func decode(_ row: inout RowReader) throws -> Endpoint.ID { try row.read() }
}

/// The browser that a person registered from an installation; no row when there is none.
package struct FindBrowser: Statement {
    package static let sql = """
        SELECT endpoint_id FROM endpoint
        WHERE account_id = $1 AND client_id = $2 AND channel = 'webPush' AND retired_at IS NULL
        ORDER BY created_at DESC LIMIT 1
        """
    let account: Account.ID
    let client: ClientID

    package init(of account: Account.ID, from client: ClientID) {
        self.account = account
        self.client = client
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(client)
    }

    package static func decode(_ row: inout RowReader) throws -> Endpoint.ID { try row.read() }
}
