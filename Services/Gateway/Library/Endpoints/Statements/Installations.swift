import Postgres
import Store
import WaterQuality

/// Looks the address of a browser or an app up before it is registered.
struct NumberInstalled: Statement {
    static let sql = "SELECT endpoint, standing, is_gone, others FROM number_installed($1, $2, $3, $4, $5)"

    /// The owner of an address. The raw values are the database's answers.
    enum Standing: String, Sendable {
        case mine
        /// Another account's, on the same browser by its keys, or the same app: alerts go to whoever signed in there last.
        case same
        /// Nobody's.
        case free
        /// Somebody else's, who uses it.
        case taken
    }

    struct Row: Sendable {
        /// The present or future number of the endpoint, for which secrets are sealed.
        var endpoint: Endpoint.ID
        var standing: Standing
        /// Whether the push service has ended this very registration.
        var isGone: Bool
        /// The number of other usable endpoints of the person, without those that this one replaces.
        var others: Int64
    }

    let channel: Endpoint.Channel
    let target: String
    /// A hash of a browser's keys; nil for an app.
    let fingerprint: [UInt8]?
    let client: ClientID
    let account: Account.ID

    func bind(_ parameters: inout Parameters) {
        parameters.append(channel)
        parameters.append(target)
        parameters.append(fingerprint)
        parameters.append(client)
        parameters.append(account)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(endpoint: row.read(), standing: row.read(), isGone: row.read(), others: row.read())
    }
}

/// Registers a browser or an app in place of its installation's former one; an unchanged registration stays. No row when somebody else
/// uses the address.
struct AddInstalled: Statement {
    static let sql = """
        SELECT endpoint FROM add_installed($1, $2, $3, $4, $5, $6, $7, $8) AS added (endpoint) WHERE endpoint IS NOT NULL
        """
    let endpoint: Endpoint.ID
    let account: Account.ID
    let channel: Endpoint.Channel
    let target: String
    /// The browser's keys or the app's token, sealed for the endpoint's number.
    let sealedSecret: [UInt8]
    /// A hash of a browser's keys; nil for an app.
    let fingerprint: [UInt8]?
    /// The id of the key that a browser subscribed with; nil for an app.
    let vapidKey: String?
    /// The person's installation. Signing out there pauses the endpoint.
    let client: ClientID

    func bind(_ parameters: inout Parameters) {
        parameters.append(endpoint)
        parameters.append(account)
        parameters.append(channel)
        parameters.append(target)
        parameters.append(sealedSecret)
        parameters.append(fingerprint)
        parameters.append(vapidKey)
        parameters.append(client)
    }

    static func decode(_ row: inout RowReader) throws -> Endpoint.ID { try row.read() }
}

/// The browsers, or the apps, that a person registered from an installation, the latest first.
struct FindInstalled: Statement {
    static let sql = """
        SELECT endpoint_id FROM endpoint
        WHERE account_id = $1 AND client_id = $2 AND channel = ANY ($3::text[]) AND retired_at IS NULL
        ORDER BY created_at DESC, endpoint_id DESC
        """
    let channels: [Endpoint.Channel]
    let account: Account.ID
    let client: ClientID

    init(_ channels: [Endpoint.Channel], of account: Account.ID, from client: ClientID) {
        self.channels = channels
        self.account = account
        self.client = client
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(client)
        parameters.append(channels)
    }

    static func decode(_ row: inout RowReader) throws -> Endpoint.ID { try row.read() }
}
