import Instants
import Postgres
import Store

/// Numbers of the installation: of its backlogs, people and devices.
struct ReadOperationFigures: Statement {
    static let sql = """
        SELECT batches, batches_since, alerts, alerts_since, deliveries, deliveries_since, people, unreached, projects, live, silent,
            unheard, unlinked, away
        FROM operation_figures()
        """

    struct Row: Sendable {
        var batches: Backlog
        var alerts: Backlog
        /// Since when the oldest is overdue; of what is to be tried again later nothing is.
        var deliveries: Backlog
        var people: Int64
        /// People who watch water, and whom no alert reaches.
        var unreached: Int64
        var projects: Int64
        var devices: Devices
        /// Names of the services that have no connection to the database.
        var away: [String]
    }

    /// A backlog; 100,000 are counted at most.
    struct Backlog: Sendable {
        var count: Int64
        /// When the oldest came; `nil`: none waits.
        var since: Timestamp?
    }

    struct Devices: Sendable {
        var live: Int64
        var silent: Int64
        /// Linked, and nothing has come of them yet.
        var unheard: Int64
        var unlinked: Int64
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            batches: Backlog(count: row.read(), since: row.read()),
            alerts: Backlog(count: row.read(), since: row.read()),
            deliveries: Backlog(count: row.read(), since: row.read()), people: row.read(), unreached: row.read(),
            projects: row.read(),
            devices: Devices(live: row.read(), silent: row.read(), unheard: row.read(), unlinked: row.read()),
            away: row.read())
    }
}

/// Counts of the last hour's rejects, by reason, and of the last day's deliveries, by channel and outcome.
struct ReadOperationTallies: Statement {
    static let sql = "SELECT what, name, outcome, times FROM operation_tallies()"

    struct Row: Sendable {
        /// `reject` or `delivery`.
        var what: String
        /// The reason or the channel.
        var name: String
        /// The state of a delivery; `nil` for a reject.
        var outcome: String?
        var times: Int64
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(what: row.read(), name: row.read(), outcome: row.read(), times: row.read())
    }
}

/// The doctor's last findings, as JSON, and when it looked.
struct ReadOperationFindings: Statement {
    static let sql = "SELECT looked_at, findings::text FROM operation_findings()"
    static func decode(_ row: inout RowReader) throws -> (lookedAt: Timestamp?, findings: String?) {
        try (row.read(), row.read())
    }
}
