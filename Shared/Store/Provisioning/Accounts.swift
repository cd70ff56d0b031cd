package import Instants
package import Postgres
package import WaterQuality

/// Adds an account; `uniqueViolation` if the address has one already.
package struct AddAccount: Statement {
    package static let sql = """
        INSERT INTO account (email, password_hash, locale, time_zone) VALUES ($1, $2, $3, $4) RETURNING account_id
        """
    let email: String
    let passwordHash: String
    let locale: String
    let timeZone: String

    /// - Parameters:
    ///   - email: The address, in lower case.
    ///   - timeZone: A name that `FindTimeZone` returned.
    package init(email: String, passwordHash: String, locale: String, timeZone: String) {
        self.email = email
        self.passwordHash = passwordHash
        self.locale = locale
        self.timeZone = timeZone
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(email)
        parameters.append(passwordHash)
        parameters.append(locale)
        parameters.append(timeZone)
    }

    package static func decode(_ row: inout RowReader) throws -> Account.ID { try row.read() }
}

/// Finds an account by its address in lower case.
package struct FindAccount: Statement {
    package static let sql = "SELECT account_id, locale, time_zone FROM account WHERE email = $1"

    package struct Row: Sendable {
        package var account: Account.ID
        package var locale: String
        package var timeZone: String
    }

    let email: String
    package init(email: String) { self.email = email }
    package func bind(_ parameters: inout Parameters) { parameters.append(email) }
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(account: row.read(), locale: row.read(), timeZone: row.read())
    }
}

/// Lets a person in by their password for a while where the house takes none; or no longer, for no hours.
package struct LetPasswordIn: Statement {
    package static let sql = """
        UPDATE account SET password_until = CASE WHEN $2 > 0 THEN now() + make_interval(hours => $2) END
        WHERE account_id = $1 RETURNING password_until, password_hash IS NOT NULL
        """

    package struct Row: Sendable {
        package var until: Timestamp?
        package var hasPassword: Bool
    }

    let account: Account.ID
    let hours: Int32

    package init(_ account: Account.ID, hours: Int32) {
        self.account = account
        self.hours = hours
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(hours)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(until: row.read(), hasPassword: row.read())
    }
}

/// The canonical spelling of an IANA time zone; no row if there is no zone of that name.
package struct FindTimeZone: Statement {
    package static let sql = "SELECT name FROM pg_timezone_names WHERE lower(name) = lower($1) LIMIT 1"
    let name: String
    package init(_ name: String) { self.name = name }
    package func bind(_ parameters: inout Parameters) { parameters.append(name) }
    package static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// The IANA time zones that this server knows, by their current names.
package struct ListTimeZones: Statement {
    package static let sql = """
        SELECT name FROM pg_timezone_names
        WHERE name = 'UTC' OR name ~ '^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/'
        ORDER BY name
        """
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}
