package import Instants
package import Postgres
package import WaterQuality

/// Opens an account, by an invitation if one is given. SQLSTATE 22023 for a time zone that the server does not know.
package struct OpenAccount: Statement {
    package static let sql = "SELECT outcome, account FROM open_account($1, $2, $3, $4, $5)"

    package enum Outcome: String, Sendable {
        case opened
        /// The address has an account. The invitation is used up, as it would be otherwise.
        case taken
        /// The invitation does not exist, was used, has expired or is for another address.
        case refused
    }

    package struct Row: Sendable {
        package var outcome: Outcome
        /// The opened account.
        package var account: Account.ID?
    }

    let email: String
    let passwordHash: String
    let locale: String
    let timeZone: String
    let invitation: [UInt8]?

    /// - Parameters:
    ///   - email: The address, in lower case.
    ///   - invitation: The hash of the invitation's token; `nil` if none is needed.
    package init(email: String, passwordHash: String, locale: String, timeZone: String, invitation: [UInt8]?) {
        self.email = email
        self.passwordHash = passwordHash
        self.locale = locale
        self.timeZone = timeZone
        self.invitation = invitation
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(email)
        parameters.append(passwordHash)
        parameters.append(locale)
        parameters.append(timeZone)
        parameters.append(invitation)
    }

    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(outcome: row.read(), account: row.read())
    }
}

/// The state of an invitation to open an account.
package enum InvitationState: String, CaseIterable, Sendable {
    case open, used, expired
}

/// Shows an invitation before it is used; no row if there is none.
package struct LookAtAccountInvitation: Statement {
    package static let sql = "SELECT state, email, expires_at FROM look_at_account_invitation($1)"

    package struct Row: Sendable {
        package var state: InvitationState
        /// The only address that the invitation is for.
        package var email: String?
        package var expiresAt: Timestamp
    }

    let hash: [UInt8]
    package init(hash: [UInt8]) { self.hash = hash }
    package func bind(_ parameters: inout Parameters) { parameters.append(hash) }
    package static func decode(_ row: inout RowReader) throws -> Row {
        try Row(state: row.read(), email: row.read(), expiresAt: row.read())
    }
}
