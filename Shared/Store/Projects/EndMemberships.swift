package import Postgres

/// Ends memberships in projects whose time is over. The result is their number; 0 while the server's clock is in doubt.
package struct EndMemberships: Statement {
    package static let sql = "SELECT end_memberships($1)"
    let limit: Int32
    package init(limit: Int32) { self.limit = limit }
    package func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    package static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}
