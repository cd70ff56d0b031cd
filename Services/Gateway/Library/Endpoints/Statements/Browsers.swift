import Postgres
import Store
import WaterQuality

/// Looks a browser's address up before it is registered.
struct NumberWebPush: Statement {
    static let sql = "SELECT endpoint, standing, is_gone, others FROM number_web_push($1, $2, $3, $4)"

    /// The owner of an address. The raw values are the database's answers.
    enum Standing: String, Sendable {
        case mine
        /// Another account's, on the same browser by its keys: alerts go to whoever signed in there last.
        case same
        /// Nobody's.
        case free
        /// Somebody else's, who uses it.
        case taken
    }

    struct Row: Sendable {
        /// The present or future number of the endpoint, for which keys are sealed.
        var endpoint: Endpoint.ID
        var standing: Standing
        /// Whether the push service has ended this very subscription.
        var isGone: Bool
        /// The number of other usable endpoints of the person, without those that this one replaces.
        var others: Int64
    }

    let target: String
    let fingerprint: [UInt8]
    let client: ClientID
    let account: Account.ID

    func bind(_ parameters: inout Parameters) {
        parameters.append(target)
        parameters.append(fingerprint)
        parameters.append(client)
        parameters.append(account)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(endpoint: row.read(), standing: row.read(), isGone: row.read(), others: row.read())
    }
}

/// Registers a browser in place of its installation's former one; an unchanged registration stays. No row when somebody
/// else uses the address.
struct AddWebPush: Statement {
    static let sql = """
        SELECT endpoint FROM add_web_push($1, $2, $3, $4, $5, $6, $7) AS added (endpoint) WHERE endpoint IS NOT NULL
        """
    let endpoint: Endpoint.ID
    let account: Account.ID
    let target: String
    /// The browser's keys, sealed for the endpoint's number.
    let sealedKeys: [UInt8]
    /// A hash of the keys.
    let fingerprint: [UInt8]
    /// The id of the key that the browser subscribed with.
    let vapidKey: String
    /// The person's installation. Signing out there pauses the endpoint.
    let client: ClientID

    func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(account)
        parameters.append(target)
        parameters.append(sealedKeys)
        parameters.append(fingerprint)
        parameters.append(vapidKey)
        parameters.append(client)
    }

    static func decode(_ row: inout RowReader) throws -> Endpoint.ID { try row.read() }
}

/// The browser that a person registered from an installation; no row when there is none.
struct FindBrowser: Statement {
    static let sql = """
        SELECT endpoint_id FROM endpoint
        WHERE account_id = $1 AND client_id = $2 AND channel = 'webPush' AND retired_at IS NULL
        ORDER BY created_at DESC LIMIT 1
        """
    let account: Account.ID
    let client: ClientID

    init(of account: Account.ID, from client: ClientID) {
        self.account = account
        self.client = client
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(client)
    }

    static func decode(_ row: inout RowReader) throws -> Endpoint.ID { try row.read() }
}
