import Instants
import Postgres
import Store
import WaterQuality

/// The key of a test by hand.
struct HandTestKey: Hashable, Sendable {
    struct ID: RowUUID {
        let rawValue: UInt128
    }

    var slot: Slot
    var id: ID

    init(_ row: inout RowReader) throws {
        slot = try row.read()
        id = try row.read()
    }
}

extension Parameters {
    /// Two arrays: the slots and the ids.
    fileprivate mutating func append(_ keys: [HandTestKey]) {
        append(keys.map(\.slot))
        append(keys.map { "\($0.id)" })
    }
}

/// A test by hand of which the others who share the water have not been told.
struct HandTestToJudge: Sendable {
    var key: HandTestKey
    var device: DeviceKey
    var tank: Int64
    /// The maker; `nil`: somebody who is gone.
    var by: Account.ID?
    /// When it was written down, or changed.
    var writtenAt: Timestamp
}

/// Takes tests that have not been judged since they were written, until the end of the transaction; those that others take are left out.
struct TakeHandTests: Statement {
    static let sql = """
        SELECT slot, test_id, slot, device_id, tank_id, account_id, written_at FROM hand_test
        WHERE judged_at IS NULL
        ORDER BY slot, written_at
        LIMIT $1
        FOR UPDATE SKIP LOCKED
        """
    let limit: Int64
    init(limit: Int) { self.limit = Int64(limit) }
    func bind(_ parameters: inout Parameters) { parameters.append(limit) }

    static func decode(_ row: inout RowReader) throws -> HandTestToJudge {
        try HandTestToJudge(
            key: HandTestKey(&row), device: DeviceKey(&row), tank: row.read(), by: row.read(), writtenAt: row.read())
    }
}

/// The values of some tests that are the newest by hand of their parameter, each with the one before it.
struct ReadHandJudgements: Statement {
    static let sql = """
        SELECT v.slot, v.test_id, v.at, \(HandValueColumns.of("v")), former.parameter IS NOT NULL, \(HandValueColumns.of("former"))
        FROM unnest($1::smallint[], $2::uuid[]) AS wanted (slot, test_id)
        JOIN hand_value v ON v.slot = wanted.slot AND v.test_id = wanted.test_id
        LEFT JOIN LATERAL (
            SELECT f.* FROM hand_value f
            WHERE f.slot = v.slot AND f.tank_id = v.tank_id AND f.parameter = v.parameter AND f.at <= v.at
                AND (f.at, f.test_id) < (v.at, v.test_id)
            ORDER BY f.at DESC, f.test_id DESC
            LIMIT 1
        ) former ON true
        WHERE v.parameter < \(Parameter.count) AND NOT EXISTS (
            SELECT FROM hand_value n
            WHERE n.slot = v.slot AND n.tank_id = v.tank_id AND n.parameter = v.parameter AND n.at >= v.at
                AND (n.at, n.test_id) > (v.at, v.test_id))
        ORDER BY v.slot, v.at, v.test_id, v.parameter
        """

    struct Row: Sendable {
        var test: HandTestKey
        var judgement: HandJudgement
    }

    let keys: [HandTestKey]
    init(_ keys: [HandTestKey]) { self.keys = keys }
    func bind(_ parameters: inout Parameters) { parameters.append(keys) }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (test, at) = try (HandTestKey(&row), row.read(Timestamp.self))
        guard let value = try HandValueColumns.read(&row) else { throw UnreadableRow() }
        let hasFormer = try row.read(Bool.self)
        let former = try HandValueColumns.read(&row)
        return Row(test: test, judgement: HandJudgement(value, at: at, after: hasFormer ? former : nil))
    }
}

/// Notes that tests have been judged.
struct NoteJudged: Statement {
    static let sql = """
        UPDATE hand_test t SET judged_at = now() FROM unnest($1::smallint[], $2::uuid[]) AS n (slot, test_id)
        WHERE t.slot = n.slot AND t.test_id = n.test_id
        """
    let keys: [HandTestKey]
    init(_ keys: [HandTestKey]) { self.keys = keys }
    func bind(_ parameters: inout Parameters) { parameters.append(keys) }
}

/// Finds open episodes of which no value by hand speaks any more: it is too old, was taken back, or is of another tank.
struct FindMuteHandEpisodes: Statement {
    static let sql = """
        SELECT e.slot, e.device_id, e.parameter, e.account_id, e.kind FROM episode e
        WHERE e.kind = 'byHand' AND e.closed_at IS NULL AND \(Subject.isKnown("e.parameter")) AND NOT EXISTS (
            SELECT FROM ownership o
            JOIN hand_value v ON v.slot = o.slot AND v.tank_id = o.tank_id AND v.parameter = e.parameter
                AND v.at >= e.opened_at AND v.at > now() - interval '\(HandJudgement.lasts.components.seconds) s'
            WHERE o.slot = e.slot AND o.device_id = e.device_id AND o.account_id = e.account_id AND o.unlinked_at IS NULL)
        ORDER BY e.slot, e.device_id
        LIMIT $1
        """
    let limit: Int64
    init(limit: Int) { self.limit = Int64(limit) }
    func bind(_ parameters: inout Parameters) { parameters.append(limit) }
    static func decode(_ row: inout RowReader) throws -> Subject { try Subject(&row) }
}

/// The columns of a value by hand.
private enum HandValueColumns {
    static func of(_ table: String) -> String {
        ["parameter", "read", "unit", "value", "choice", "lower", "upper"].map { "\(table).\($0)" }.joined(
            separator: ", ")
    }

    /// - Returns: `nil` where there is none, or only a newer version knows its unit: it is judged by its canonical value then.
    static func read(_ row: inout RowReader) throws -> HandValue? {
        let (parameter, read) = try (row.read(Parameter?.self), row.read(Double?.self))
        let (unit, value) = try (row.read(String?.self), row.read(Float?.self))
        let choice = try row.read(String?.self)
        let (lower, upper) = try (row.read(Float?.self), row.read(Float?.self))
        guard let parameter, let read, let value else { return nil }
        return HandValue(
            parameter: parameter, read: read, unit: unit.flatMap(Unit.init(rawValue:)) ?? parameter.canonicalUnit,
            value: value, choice: choice, lower: lower, upper: upper)
    }
}
