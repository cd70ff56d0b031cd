import Postgres
import Store
import WaterQuality

/// Exports what the keepers of the tanks that a person owns or owned said of them, and of other tanks what the person said themselves.
struct ExportTankAnswers: ExportedPage {
    static let sql = """
        SELECT a.slot, a.tank_id, a.version, json_build_object(
            'device', d.hardware_id, 'version', a.version, 'at', a.at, 'byThemselves', a.account_id IS NOT DISTINCT FROM $1,
            'kind', a.kind, 'species', a.species, 'litres', a.litres, 'outdoors', a.outdoors, 'winter', a.winter, 'plants', a.plants,
            'carbonDioxide', a.carbon_dioxide, 'probes', (
                SELECT json_agg(coalesce(($5::text[])[n + 1], n::text) ORDER BY n) FROM generate_series(0, 31) n
                WHERE a.probes >> n & 1 = 1))::text
        FROM person_tank t
        JOIN tank_answers a ON a.slot = t.slot AND a.tank_id = t.tank_id
        JOIN device d ON d.slot = a.slot AND d.device_id = a.device_id
        WHERE (a.slot, a.tank_id, a.version) > ($2, $3, $4) AND (t.role = 'owner' OR a.account_id = $1)
        ORDER BY a.slot, a.tank_id, a.version
        LIMIT $6
        """

    struct Cursor: Sendable {
        var slot: Slot
        var tank: Int64
        var version: Int32
    }

    let account: Account.ID
    let after: Cursor
    let limit: Int64

    init(of account: Account.ID, after: Cursor?, limit: Int) {
        self.account = account
        self.after = after ?? Cursor(slot: Slot.all[0], tank: 0, version: 0)
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(after.slot)
        parameters.append(after.tank)
        parameters.append(after.version)
        parameters.append(Parameter.allCases.map(\.name))
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<Cursor> {
        try ExportedRow(cursor: Cursor(slot: row.read(), tank: row.read(), version: row.read()), json: row.read())
    }
}
