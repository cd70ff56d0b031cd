import Postgres
import Store
import WaterQuality

/// Exports the zones of an account, as JSON.
struct ExportZones: Statement {
    static let sql = """
        SELECT json_build_object('id', z.zone_id, 'name', z.name, 'favourite', z.favourite, 'outline', (
            SELECT json_agg(json_build_object(
                'latitude', z.outline[n] / 1e6::double precision, 'longitude', z.outline[n + 1] / 1e6::double precision) ORDER BY n)
            FROM generate_series(1, cardinality(z.outline), 2) AS n))::text
        FROM person_zone z WHERE z.account_id = $1 ORDER BY z.place
        """
    let account: Account.ID
    init(of account: Account.ID) { self.account = account }
    func bind(_ parameters: inout Parameters) { parameters.append(account) }
    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}
