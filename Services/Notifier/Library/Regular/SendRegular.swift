import Postgres

/// How many of what is told regularly were due in one transaction, and how many of them were sent.
struct RegularTurn: Sendable {
    var due: Int32
    var sent: Int32

    /// - Returns: nil while another notifier looks, or the clock is in doubt.
    static func read(_ row: inout RowReader) throws -> RegularTurn? {
        guard let due = try row.read(Int32?.self), let sent = try row.read(Int32?.self) else { return nil }
        return RegularTurn(due: due, sent: sent)
    }
}

/// Sends the summaries that are due, each once.
struct SendSummaries: Statement {
    static let sql = "SELECT due, sent FROM send_summaries($1)"
    let limit: Int32

    func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    static func decode(_ row: inout RowReader) throws -> RegularTurn? { try RegularTurn.read(&row) }
}

/// Looks at the endpoints whose turn it is, and sends a quiet note to each that has shown nothing for a week.
struct SendProofs: Statement {
    static let sql = "SELECT due, sent FROM send_proofs($1)"
    let limit: Int32

    func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    static func decode(_ row: inout RowReader) throws -> RegularTurn? { try RegularTurn.read(&row) }
}
