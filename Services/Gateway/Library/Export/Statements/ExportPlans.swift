import Postgres
import Store
import WaterQuality

/// Exports the plans of an account, as JSON: with the type of the picture, whose file has the id for its name, and where its tanks stand in thousandths.
struct ExportPlans: Statement {
    static let sql = """
        SELECT p.plan_id, json_build_object(
            'id', p.plan_id, 'name', p.name, 'picture', p.type, 'places', coalesce((
                SELECT json_agg(json_build_object('device', t.hardware_id, 'x', t.x, 'y', t.y) ORDER BY t.hardware_id)
                FROM person_plan_place t WHERE t.plan_id = p.plan_id), '[]'))::text
        FROM person_plan p WHERE p.account_id = $1 ORDER BY p.place
        """

    struct Row: Sendable {
        var id: SitePlanID
        var json: String
    }

    let account: Account.ID
    init(of account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
    static func decode(_ row: inout RowReader) throws -> Row { try Row(id: row.read(), json: row.read()) }
}
