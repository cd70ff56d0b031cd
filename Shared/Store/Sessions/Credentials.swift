package import Postgres
package import WaterQuality

/// Finds the account of an address in lower case, and its password hash, for the operator's tool.
package struct FindCredentials: Statement {
    package static let sql = "SELECT account_id, password_hash FROM account WHERE email = $1"

    package struct Row: Sendable {
        package var account: Account.ID
        /// nil where the person has no password.
        package var passwordHash: String?
    }

    let email: String
    package init(email: String) { self.email = email }
    package func bind(_ parameters: inout Parameters) { parameters.append(email) }
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(account: row.read(), passwordHash: row.read())
    }
}

/// Finds the account of an address in lower case, and the beginning of its password hash: cost and salt.
package struct FindPasswordSalt: Statement {
    package static let sql = "SELECT account, salt FROM find_password_salt($1)"

    package struct Row: Sendable {
        package var account: Account.ID
        package var salt: String
    }

    let email: String
    package init(email: String) { self.email = email }
    package func bind(_ parameters: inout Parameters) { parameters.append(email) }
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(account: row.read(), salt: row.read())
    }
}

/// Compares a hash derived from a password with the person's. The stored hash never leaves the database.
package struct CheckPassword: Statement {
    package static let sql = "SELECT check_password($1, $2)"
    let account: Account.ID
    let derivedHash: String

    package init(of account: Account.ID, derivedHash: String) {
        self.account = account
        self.derivedHash = derivedHash
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(derivedHash)
    }

    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Changes a person's password and ends all of their sessions but one. False if the password has changed since the
/// check.
package struct ReplacePassword: Statement {
    package static let sql = "SELECT replace_password($1, $2, $3, $4)"
    let account: Account.ID
    let checkedHash: String?
    let nextHash: String
    let kept: SessionID?

    /// - Parameters:
    ///   - checkedHash: The hash that the former password was checked against; nil where there is none.
    ///   - kept: The session to keep; `nil` ends all.
    package init(_ account: Account.ID, checkedHash: String?, nextHash: String, keeping kept: SessionID?) {
        self.account = account
        self.checkedHash = checkedHash
        self.nextHash = nextHash
        self.kept = kept
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(checkedHash)
        parameters.append(nextHash)
        parameters.append(kept)
    }

    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// Stores another hash of the same password. False if the password has changed since the check.
package struct RehashPassword: Statement {
    package static let sql = "SELECT rehash_password($1, $2, $3)"
    let account: Account.ID
    let checkedHash: String
    let nextHash: String

    package init(_ account: Account.ID, checkedHash: String, nextHash: String) {
        self.account = account
        self.checkedHash = checkedHash
        self.nextHash = nextHash
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(checkedHash)
        parameters.append(nextHash)
    }

    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
