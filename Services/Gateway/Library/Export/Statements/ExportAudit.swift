import Postgres
import Store
import WaterQuality

/// The named person's audit log as JSON, the oldest first.
struct ExportAudit: ExportedPage {
    typealias Cursor = Int64

    static let sql = """
        SELECT entry_id, json_strip_nulls(json_build_object(
            'id', entry_id, 'at', at, 'action', action, 'outcome', outcome, 'times', times, 'actor', actor, 'byThemselves', is_own,
            'actorName', CASE WHEN NOT is_own OR actor = 'token' THEN actor_name END, 'device', hardware_id,
            'parameter', ($3::text[])[parameter + 1], 'target', target, 'subject', subject, 'changes', changes, 'session', session_id,
            'request', request, 'network', network, 'client', client))::text
        FROM person_change WHERE entry_id > $1
        ORDER BY entry_id
        LIMIT $2
        """

    let after: Int64
    let limit: Int64

    init(of _: Account.ID, after: Int64?, limit: Int) {
        self.after = after ?? 0
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(after)
        parameters.append(limit)
        parameters.append(Parameter.allCases.map(\.name))
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<Int64> {
        try ExportedRow(cursor: row.read(), json: row.read())
    }
}

/// Notes that the named person takes everything along.
struct NoteExport: Statement {
    static let sql = "SELECT note_export()"
}
