package import Instants
package import Postgres
package import WaterQuality

/// Lets a person operate the installation in the app, or no longer. No row is changed where it was so before.
package struct SetOperator: Statement {
    package static let sql = "UPDATE account SET operates = $2 WHERE account_id = $1 AND operates <> $2"
    let account: Account.ID
    let isOperator: Bool

    package init(_ account: Account.ID, _ isOperator: Bool) {
        self.account = account
        self.isOperator = isOperator
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(isOperator)
    }
}

/// The operators in the app: by the tool's word, and until when by the provider's, in each case once a person.
package struct ListOperators: Statement {
    package static let sql = """
        SELECT a.email, CASE WHEN NOT a.operates THEN p.until END
        FROM account a LEFT JOIN LATERAL (
            SELECT max(s.operates_at) + interval '12 hours' AS until FROM session s
            WHERE s.account_id = a.account_id AND s.identity_id IS NOT NULL AND is_live(s)
                AND EXISTS (SELECT FROM operation o WHERE o.provider_gives)) AS p ON true
        WHERE a.operates OR p.until > now()
        ORDER BY a.email
        """

    package struct Row: Sendable {
        package var email: String
        /// Until when by the provider's word; `nil`: by the tool's.
        package var until: Timestamp?
    }

    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Row { try Row(email: row.read(), until: row.read()) }
}

/// Whether the sign-in provider makes operators of those whom it counts among them.
package struct SetProviderGives: Statement {
    package static let sql = "UPDATE operation SET provider_gives = $1 WHERE provider_gives <> $1"
    let gives: Bool
    package init(_ gives: Bool) { self.gives = gives }
    package func bind(_ parameters: inout Parameters) { parameters.append(gives) }
}
