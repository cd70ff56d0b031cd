import Postgres

/// Tells people whose ways take no alerts, by their other ways.
struct TellFailedWays: Statement {
    static let sql = "SELECT failed, unreachable FROM tell_failed_ways()"

    struct Found: Sendable {
        /// How many ways take no alerts.
        var failed: Int64
        /// How many people have no way that does.
        var unreachable: Int64
    }

    /// - Returns: nil while another notifier looks.
    static func decode(_ row: inout RowReader) throws -> Found? {
        guard let failed = try row.read(Int64?.self), let unreachable = try row.read(Int64?.self) else { return nil }
        return Found(failed: failed, unreachable: unreachable)
    }
}
