import Instants
import Postgres
import Store

/// Finds since when the Ingestors have not kept up with what devices send; `nil` while they do.
struct FindLateIntake: Statement {
    static let sql = "SELECT intake_late_since()"
    static func decode(_ row: inout RowReader) throws -> Timestamp? { try row.read() }
}
