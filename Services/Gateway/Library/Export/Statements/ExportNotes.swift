import Instants
import Postgres
import Store
import WaterQuality

/// A kind of thing that people note of a tank's water at a time: tests by hand, calibrations, what they deleted and approved.
protocol NoteOfTank: RowOfTank {
    /// The members of its JSON beside those of every kind, from a row `n`; `$6` are the names of parameters by their numbers.
    static var members: String { get }
}

/// Exports a page of what was noted of tanks that are or were the person's, and of their own in others', as JSON, tank by tank, in the order of
/// its time.
struct ExportNotes<Note: NoteOfTank>: ExportedPage {
    static var sql: String {
        """
        SELECT n.slot, n.tank_id, n.at, n.\(Note.id), json_build_object(
            'id', n.\(Note.id), 'device', d.hardware_id, 'at', n.at, 'note', n.note, 'byThemselves', n.account_id IS NOT DISTINCT FROM $1,
            \(Note.members))::text
        FROM person_tank k
        JOIN device d ON d.slot = k.slot AND d.device_id = k.device_id
        JOIN \(Note.table) n ON n.slot = k.slot AND n.tank_id = k.tank_id
        WHERE (k.role = 'owner' OR n.account_id = $1) AND (n.slot, n.tank_id, n.at, n.\(Note.id)) > (
            coalesce($2, -1::smallint), coalesce($3, 0::bigint), coalesce($4, '-infinity'::timestamptz),
            coalesce($5, '00000000-0000-0000-0000-000000000000'::uuid))
        ORDER BY n.slot, n.tank_id, n.at, n.\(Note.id)
        LIMIT $7
        """
    }

    struct Cursor: Sendable {
        var tank: TankKey
        var at: Timestamp
        var id: Note.ID
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
        parameters.append(after?.tank.slot)
        parameters.append(after?.tank.tank)
        parameters.append(after?.at)
        parameters.append(after?.id)
        parameters.append(Parameter.allCases.map(\.name))
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> ExportedRow<Cursor> {
        let tank = try TankKey(slot: row.read(), tank: row.read())
        return try ExportedRow(cursor: Cursor(tank: tank, at: row.read(), id: row.read()), json: row.read())
    }
}

enum HandTestNote: NoteOfTank {
    typealias ID = HandTestID
    static let table = "hand_test"
    static let id = "test_id"
    static let members = """
        'version', n.version, 'kit', n.kit, 'writtenAt', n.written_at, 'values', coalesce((
            SELECT json_agg(json_build_object(
                'parameter', coalesce(($6::text[])[v.parameter + 1], v.parameter::text), 'value', v.read, 'unit', v.unit,
                'canonicalValue', v.value, 'lower', v.lower, 'upper', v.upper, 'choice', v.choice) ORDER BY v.parameter)
            FROM hand_value v WHERE v.slot = n.slot AND v.test_id = n.test_id), '[]')
        """
}

extension CalibrationNote: NoteOfTank {
    static let members = """
        'version', n.version, 'parameter', coalesce(($6::text[])[n.parameter + 1], n.parameter::text), 'kind', n.kind, 'unit', n.unit,
        'standards', n.standards, 'before', n.befores, 'after', n.afters, 'millivolts', n.millivolts, 'temperature', n.temperature
        """
}

enum DeletionNote: NoteOfTank {
    typealias ID = DeletionID
    static let table = "deletion"
    static let id = "deletion_id"
    static let members = """
        'from', n.since, 'until', n.until, 'messages', n.messages, 'readings', n.readings, 'parameters', (
            SELECT json_agg(name ORDER BY number) FROM unnest($6::text[]) WITH ORDINALITY AS p (name, number)
            WHERE n.parameters >> (number::integer - 1) & 1 = 1)
        """
}

enum ApprovalNote: NoteOfTank {
    typealias ID = ApprovalID
    static let table = "approval"
    static let id = "approval_id"
    static let members = """
        'from', n.since, 'until', n.until, 'withdrawnAt', n.withdrawn_at, 'withdrawnReason', n.withdrawn_reason,
        'withdrawnByThemselves', n.withdrawn_by = $1
        """
}
