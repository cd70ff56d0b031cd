package import Instants
package import Postgres
package import WaterQuality

/// An entry of the audit log.
package struct AuditEntry: Sendable {
    /// Later ones have greater numbers.
    package var number: Int64
    package var at: Timestamp
    package var action: Word<AuditAction>
    /// `done` or `refused`.
    package var outcome: String
    /// Of what is refused again and again: how often by then, within the hour.
    package var times: Int32
    package var actor: Word<AuditActor>
    /// As whoever reads sees them: a name or an address; a token's; of somebody who is gone a word that stands for them.
    package var actorName: String?
    package var device: String?
    package var parameter: Word<Parameter>?
    /// The id of what was acted on; of a request its route.
    package var target: String?
    /// A name: of a client, a token, a device; or the host of an endpoint.
    package var subject: String?
    /// A JSON object: each field with an array of its value before and after, limits in the canonical unit.
    package var changes: String?
    package var session: SessionID?
    package var request: String?
    /// /24, or /48 of IPv6.
    package var network: String?
    package var client: String?

    /// The columns that `init(_:)` reads, of `person_change` or of what has the same names.
    package static let columns = """
        entry_id, at, action, outcome, times, actor, actor_name, hardware_id, parameter, target, subject, changes::text,
        session_id, request, network, client
        """

    package init(_ row: inout RowReader) throws {
        number = try row.read()
        at = try row.read()
        action = try row.read()
        outcome = try row.read()
        times = try row.read()
        actor = try row.read()
        actorName = try row.read()
        device = try row.read()
        parameter = try row.read()
        target = try row.read()
        subject = try row.read()
        changes = try row.read()
        session = try row.read()
        request = try row.read()
        network = try row.read()
        client = try row.read()
    }
}

/// An entry as a line of a table, for other programs.
extension AuditEntry {
    package static let tableColumns = [
        "id", "at", "action", "outcome", "times", "actor", "actorName", "device", "parameter", "target", "subject",
        "changes", "session", "request", "network", "client",
    ]

    /// One cell for each column, as it stands; empty where there is nothing.
    package var cells: [String] {
        [
            "\(number)", at.iso8601, action.rawValue, outcome, "\(times)", actor.rawValue, actorName ?? "",
            device ?? "", parameter?.name ?? "", target ?? "", subject ?? "", changes ?? "",
            session.map { "\($0)" } ?? "", request ?? "", network ?? "", client ?? "",
        ]
    }
}
