package import Postgres

/// What tells that whoever signs in was there before.
package enum Familiarity: String, CaseIterable, Sendable {
    /// The client's number, which nobody else knows.
    case client
    /// The network that they ask from.
    case network
}

/// Looks for an earlier session of the account of an address, by client and network. One row always: `nil` for a stranger and for
/// an address without an account.
package struct FindFamiliarity: Statement {
    package static let sql = "SELECT find_familiarity($1, $2, $3)"
    let email: String
    let client: SessionClient

    package init(email: String, client: SessionClient) {
        self.email = email
        self.client = client
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(email)
        parameters.append(client.id)
        parameters.append(client.address)
    }

    package static func decode(_ row: inout RowReader) throws -> Familiarity? {
        try row.read()
    }
}
