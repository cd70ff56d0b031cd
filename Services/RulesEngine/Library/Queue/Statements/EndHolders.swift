import Postgres
import Store

/// Ends transactions of Gateways that hold other services up. The result is how many; `nil` where the schema's owner may not.
struct EndHolders: Statement {
    static let sql = "SELECT end_holders()"
    static func decode(_ row: inout RowReader) throws -> Int32? { try row.read() }
}
