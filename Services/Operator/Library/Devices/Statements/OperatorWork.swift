import Instants
import Postgres
import Store
import WaterQuality

/// Enters work on a device's water for an operator, in the tank of its owner.
struct EnterWork: Statement {
    static let sql = "SELECT enter_work($1, $2, NULL, gen_random_uuid(), $3, $4, $5, NULL, true, NULL)"

    /// The words of the function for what is added.
    enum Outcome: String, CaseIterable, Sendable {
        case created, foreign, tooLong, tooMuch, tooLate, tooEarly
    }

    let device: DeviceKey
    let kind: Work.Kind
    let from: Timestamp
    let until: Timestamp

    init(_ device: DeviceKey, _ kind: Work.Kind, from: Timestamp, until: Timestamp) {
        (self.device, self.kind, self.from, self.until) = (device, kind, from, until)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(kind)
        parameters.append(from)
        parameters.append(until)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Finishes all work that goes on on a device's water; a row for each.
struct FinishWork: Statement {
    static let sql = """
        SELECT change_work($1, $2, NULL, w.work_id, 'finish', NULL) FROM water_work w
        JOIN ownership o ON o.slot = w.slot AND o.ownership_id = w.tank_id AND o.unlinked_at IS NULL
        WHERE w.slot = $1 AND w.device_id = $2 AND w.ends_at > now() AND w.begins_at <= now()
        """

    let device: DeviceKey
    init(_ device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

/// The last work on a device's water, newest first, of all its owners.
struct ListRecentWork: Statement {
    static let sql = """
        SELECT w.kind, w.begins_at, w.ends_at, w.begins_at <= now() AND w.ends_at > now(), coalesce(a.email, a.display_name) FROM water_work w
        LEFT JOIN account a ON a.account_id = w.account_id
        WHERE w.slot = $1 AND w.device_id = $2
        ORDER BY w.begins_at DESC
        LIMIT 50
        """

    struct Row: Sendable {
        var kind: String
        var from: Timestamp
        var until: Timestamp
        var isCurrent: Bool
        var email: String?
    }

    let device: DeviceKey
    init(_ device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(kind: row.read(), from: row.read(), until: row.read(), isCurrent: row.read(), email: row.read())
    }
}
