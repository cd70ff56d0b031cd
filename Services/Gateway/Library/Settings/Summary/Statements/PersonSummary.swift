import Postgres
import Store
import WaterQuality

/// The named person's choice of regular messages; the standard where they chose nothing.
struct ReadSummary: Statement {
    static let sql = """
        SELECT c.rhythm, c.weekday, extract(epoch FROM c.at_time)::integer / 60, c.proofs, a.time_zone, c.next_at
        FROM account a LEFT JOIN summary_choice c ON c.account_id = a.account_id
        WHERE a.account_id = $1
        """
    let account: Account.ID
    init(of account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }

    static func decode(_ row: inout RowReader) throws -> SummaryState {
        let rhythm = try row.read(String?.self).flatMap(SummaryChoice.Rhythm.init(rawValue:))
        let weekday = try row.read(Int16?.self).flatMap { Weekday(number: Int($0)) }
        let at = try row.read(Int32?.self)
        let proofs = try row.read(String?.self).flatMap(SummaryChoice.Proofs.init(rawValue:))
        var choice = SummaryChoice.standard
        if let rhythm, let weekday, let at, let proofs {
            choice = SummaryChoice(rhythm: rhythm, weekday: weekday, at: Int(at), proofs: proofs)
        }
        return try SummaryState(choice: choice, timeZone: row.read(), nextAt: row.read())
    }
}

/// Sets what the named person is told regularly, in place of what was before.
struct SetSummary: Statement {
    static let sql = "SELECT set_summary($1, $2, time '00:00' + $3::integer * interval '1 minute', $4)"
    let choice: SummaryChoice

    init(_ choice: SummaryChoice) { self.choice = choice }

    func bind(_ parameters: inout Parameters) {
        parameters.append(choice.rhythm.rawValue)
        parameters.append(Int16(choice.weekday.number))
        parameters.append(Int32(choice.at))
        parameters.append(choice.proofs.rawValue)
    }
}

/// Sends the named person a summary now.
struct AskSummary: Statement {
    static let sql = "SELECT outcome FROM ask_summary($1)"

    /// The result. The raw values are the database's.
    enum Outcome: String, Sendable {
        case added
        /// No endpoint is in use but calls.
        case nowhere
        /// The person has no device.
        case nothing
        case tooMany
    }

    let uid: Alert.UID
    func bind(_ parameters: inout Parameters) { parameters.append(uid) }
    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}
