import Instants
import Postgres
import Store
import WaterQuality

/// Exports a page of the calibration logs that a person sees, as JSON, tank by tank, in the order of their time.
struct ExportCalibrations: Statement {
    static let sql = """
        SELECT c.slot, c.tank_id, c.at, c.calibration_id, json_build_object(
            'id', c.calibration_id, 'device', d.hardware_id, 'parameter', coalesce(($6::text[])[c.parameter + 1], c.parameter::text),
            'kind', c.kind, 'at', c.at, 'unit', c.unit, 'standards', c.standards, 'before', c.befores, 'after', c.afters,
            'millivolts', c.millivolts, 'temperature', c.temperature, 'note', c.note,
            'byThemselves', c.account_id IS NOT DISTINCT FROM $1, 'version', c.version)::text
        FROM person_tank k
        JOIN device d ON d.slot = k.slot AND d.device_id = k.device_id
        JOIN calibration c ON c.slot = k.slot AND c.tank_id = k.tank_id
        WHERE (c.slot, c.tank_id, c.at, c.calibration_id) > (
            coalesce($2, -1::smallint), coalesce($3, 0::bigint), coalesce($4, '-infinity'::timestamptz),
            coalesce($5, '00000000-0000-0000-0000-000000000000'::uuid))
        ORDER BY c.slot, c.tank_id, c.at, c.calibration_id
        LIMIT $7
        """

    struct Cursor: Sendable {
        var slot: Slot
        var tank: Int64
        var at: Timestamp
        var id: CalibrationID
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
        parameters.append(after?.id)
        parameters.append(Parameter.allCases.map(\.name))
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(cursor: Cursor(slot: row.read(), tank: row.read(), at: row.read(), id: row.read()), json: row.read())
    }
}
