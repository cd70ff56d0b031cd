import Postgres
import Store

/// Those of some alerts that may still be sent: what they say holds, and nobody has withdrawn them.
struct FindTrueAlerts: Statement {
    static let sql = """
        SELECT a.slot, a.alert_id FROM unnest($1::smallint[], $2::bigint[]) AS wanted (slot, alert_id)
        JOIN alert a ON a.slot = wanted.slot AND a.alert_id = wanted.alert_id
        \(AlertTruth.current("s", of: "a"))
        WHERE a.state <> 'cancelled' AND (\(AlertTruth.holds("a", by: "s")) OR \(AlertTruth.isPast("a")))
        """
    let alerts: [AlertKey]
    init(_ alerts: [AlertKey]) { self.alerts = alerts }
    func bind(_ parameters: inout Parameters) { parameters.append(alerts) }
    static func decode(_ row: inout RowReader) throws -> AlertKey { try AlertKey(&row) }
}
