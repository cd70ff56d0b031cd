import Instants
import Postgres
import Store
import WaterQuality

/// A person's settings of their account.
struct AccountSettings: Hashable, Sendable {
    enum ColourScheme: String, CaseIterable, Sendable {
        case system, light, dark
    }

    var locale: String
    var timeZone: String
    /// Seconds between two alerts of one parameter; `nil` for the operator's value.
    var throttleSeconds: Int32?
    var colourScheme: Word<ColourScheme>
    /// How others see the person; `nil`: by the part of their address before the @.
    var name: String?

    init(locale: String, timeZone: String, throttleSeconds: Int32?, colourScheme: Word<ColourScheme>, name: String?) {
        self.locale = locale
        self.timeZone = timeZone
        self.throttleSeconds = throttleSeconds
        self.colourScheme = colourScheme
        self.name = name
    }

    init(_ row: inout RowReader) throws {
        try self.init(
            locale: row.read(), timeZone: row.read(), throttleSeconds: row.read(), colourScheme: row.read(),
            name: row.read())
    }
}

/// An account with its settings.
struct ReadAccount: Statement {
    static let sql = """
        SELECT email, shown_name(display_name, email), created_at, settings_version, locale, time_zone, throttle_seconds,
            colour_scheme, display_name
        FROM account WHERE account_id = $1
        """

    struct Row: Sendable {
        var email: String
        /// As others see the person.
        var name: String
        var createdAt: Timestamp
        /// The version of the settings.
        var version: Int32
        var settings: AccountSettings
    }

    let account: Account.ID
    init(_ account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            email: row.read(), name: row.read(), createdAt: row.read(), version: row.read(),
            settings: AccountSettings(&row))
    }
}

/// The time zone of a person or a project.
struct ReadTimeZone: Statement {
    static let sql = "SELECT time_zone FROM account WHERE account_id = $1"
    let account: Account.ID
    init(of account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}
