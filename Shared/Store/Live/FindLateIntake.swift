package import Instants
package import Postgres

/// Finds since when the Ingestors have not kept up with what devices send; `nil` while they do.
package struct FindLateIntake: Statement {
    package static let sql = "SELECT intake_late_since()"
    package init() {}
    package static func decode(_ row: inout RowReader) throws -> Timestamp? { try row.read() }
}
