package import Postgres

/// Ends transactions of Gateways that hold other services up. The result is how many; `nil` where the schema's owner may not.
package struct EndHolders: Statement {
    package static let sql = "SELECT end_holders()"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Int32? { try row.read() }
}
