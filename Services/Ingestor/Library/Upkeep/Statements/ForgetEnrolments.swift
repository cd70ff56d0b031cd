import Postgres

/// Forgets batches of devices that have been done for an hour, and ends those that have waited for a day; how many of them.
struct ForgetEnrolments: Statement {
    static let sql = "SELECT forget_enrolments($1)"
    let limit: Int32
    func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}
