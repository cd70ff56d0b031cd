import Postgres
import Store
import WaterQuality

/// Exports a page of the former versions of samples of tanks that are or were the person's, and of those that they took in others', as JSON.
struct ExportFieldVersions: ExportedPage {
    static let sql = """
        SELECT v.slot, v.tank_id, v.sample_id, v.version, json_build_object(
            'id', v.sample_id, 'version', v.version, 'state', v.state, 'at', v.written_at, 'byThemselves', v.account_id IS NOT DISTINCT FROM $1,
            'content', v.content)::text
        FROM person_tank t
        JOIN field_sample s ON s.slot = t.slot AND s.tank_id = t.tank_id
        JOIN field_sample_version v ON v.slot = s.slot AND v.tank_id = s.tank_id AND v.sample_id = s.sample_id
        WHERE (t.role = 'owner' OR s.account_id = $1) AND (v.slot, v.tank_id, v.sample_id, v.version) > ($2, $3, $4, $5)
        ORDER BY v.slot, v.tank_id, v.sample_id, v.version
        LIMIT $6
        """

    struct Cursor: Sendable {
        var tank: TankKey
        var sample: FieldSampleID
        var version: Int32
    }

    let account: Account.ID
    let after: Cursor
    let limit: Int64

    init(of account: Account.ID, after: Cursor?, limit: Int) {
        self.account = account
        self.after =
            after
            ?? Cursor(tank: TankKey(slot: Slot.all[0], tank: 0), sample: FieldSampleID(rawValue: 0), version: 0)
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(account)
        parameters.append(after.tank)
        parameters.append(after.sample)
        parameters.append(after.version)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<Cursor> {
        let tank = try TankKey(slot: row.read(), tank: row.read())
        return try ExportedRow(
            cursor: Cursor(tank: tank, sample: row.read(), version: row.read()), json: row.read())
    }
}

/// Exports a page of the protocols that the person made, in each of their versions, as JSON.
struct ExportFieldProtocols: ExportedPage {
    static let sql = """
        SELECT p.protocol_id, p.version, json_build_object('id', p.protocol_id, 'version', p.version, 'content', p.content)::text
        FROM own_protocol p
        WHERE (p.protocol_id, p.version) > ($1, $2)
        ORDER BY p.protocol_id, p.version
        LIMIT $3
        """

    struct Cursor: Sendable {
        var id: String
        var version: Int32
    }

    let after: Cursor
    let limit: Int64

    init(after: Cursor?, limit: Int) {
        self.after = after ?? Cursor(id: "", version: 0)
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(after.id)
        parameters.append(after.version)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<Cursor> {
        try ExportedRow(cursor: Cursor(id: row.read(), version: row.read()), json: row.read())
    }
}

/// Exports a page of who receives samples of the devices and places that the person sees, as JSON.
struct ExportReceivers: ExportedPage {
    static let sql = """
        SELECT s.sending_id, json_build_object('device', s.hardware_id, 'project', s.project, 'since', s.since)::text
        FROM person_sending s
        WHERE NOT s.is_receiver AND s.sending_id > $1
        ORDER BY s.sending_id
        LIMIT $2
        """

    typealias Cursor = SendingID

    let after: SendingID
    let limit: Int64

    init(after: SendingID?, limit: Int) {
        self.after = after ?? SendingID(rawValue: 0)
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(after)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<SendingID> {
        try ExportedRow(cursor: row.read(), json: row.read())
    }
}
