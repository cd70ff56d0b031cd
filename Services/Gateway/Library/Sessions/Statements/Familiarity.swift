import Postgres
import Store

/// Whether somebody has signed in to the account of an address on this client before. Always one row: false for a
/// stranger and for an address without an account. Decided by the client's number, which nobody else knows; a network
/// is shared with people who would like to know who has an account.
struct FindFamiliarity: Statement {
    static let sql = "SELECT find_familiarity($1, $2, NULL) IS NOT NULL"
    let email: String
    let client: ClientID?

    init(email: String, on client: ClientID?) {
        self.email = email
        self.client = client
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(email)
        parameters.append(client)
    }

    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
