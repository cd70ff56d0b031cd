import Instants
import Postgres
import Store
import WaterQuality

/// Notes the last alarm of the canary that an endpoint has taken. No row where no canary is set up.
struct LookAtCanary: Statement {
    static let sql = "SELECT person, every_seconds, arrived_at, is_owed FROM look_at_canary($1)"

    struct Row: Sendable {
        /// The canary's account.
        var account: Account.ID
        /// How often an alarm is due.
        var every: Duration
        /// When the last one was taken; before the first, when the canary was set up.
        var arrivedAt: Timestamp
        /// Whether whoever asks has to call the heartbeat for it now: this answer is given once, to one Notifier.
        var isOwed: Bool
    }

    /// Whether whoever asks can call the heartbeat.
    let beats: Bool

    func bind(_ parameters: inout Parameters) { parameters.append(beats) }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            account: row.read(), every: .seconds(row.read(Int32.self)), arrivedAt: row.read(), isOwed: row.read())
    }
}
