import Instants
import Postgres
import Store
import WaterQuality

/// Exports a page of the tests by hand of tanks that are or were the person's, and of their own in others', as JSON, tank by tank, in the order of
/// their time.
struct ExportHandTests: Statement {
    static let sql = """
        SELECT t.slot, t.tank_id, t.at, t.test_id, json_build_object(
            'id', t.test_id, 'device', d.hardware_id, 'at', t.at, 'kit', t.kit, 'note', t.note,
            'byThemselves', t.account_id IS NOT DISTINCT FROM $1, 'writtenAt', t.written_at, 'version', t.version,
            'values', coalesce((
                SELECT json_agg(json_build_object(
                    'parameter', coalesce(($6::text[])[v.parameter + 1], v.parameter::text), 'value', v.read, 'unit', v.unit,
                    'canonicalValue', v.value, 'lower', v.lower, 'upper', v.upper, 'choice', v.choice) ORDER BY v.parameter)
                FROM hand_value v WHERE v.slot = t.slot AND v.test_id = t.test_id), '[]'))::text
        FROM person_tank k
        JOIN device d ON d.slot = k.slot AND d.device_id = k.device_id
        JOIN hand_test t ON t.slot = k.slot AND t.tank_id = k.tank_id
        WHERE (k.role = 'owner' OR t.account_id = $1) AND (t.slot, t.tank_id, t.at, t.test_id) > (
            coalesce($2, -1::smallint), coalesce($3, 0), coalesce($4, '-infinity'), coalesce($5, '00000000-0000-0000-0000-000000000000'))
        ORDER BY t.slot, t.tank_id, t.at, t.test_id
        LIMIT $7
        """

    struct Cursor: Sendable {
        var slot: Slot
        var tank: Int64
        var at: Timestamp
        var test: HandTestID
    }

    struct Row: Sendable {
        var cursor: Cursor
        var json: String
    }

    let account: Account.ID
    let after: Cursor?
    let limit: Int64

    init(of account: Account.ID, after: Cursor?, limit: Int) {
        self.account = account
        self.after = after
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(after?.slot)
        parameters.append(after?.tank)
        parameters.append(after?.at)
        parameters.append(after?.test)
        parameters.append(Parameter.allCases.map(\.name))
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            cursor: Cursor(slot: row.read(), tank: row.read(), at: row.read(), test: row.read()), json: row.read())
    }
}
