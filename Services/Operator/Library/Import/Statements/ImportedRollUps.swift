import Instants
import Postgres
import Store
import WaterQuality

/// An import's rows rolled up to hours, or days, for a period whose messages, or hours, are no longer kept.
struct ImportedRollUps: Sendable {
    let device: DeviceKey
    let period: Range<Timestamp>
    /// Whether the file's roll-ups of a parameter replace the stored ones.
    let replacing: Bool

    /// - Parameter period: Whole days (UTC).
    init(of device: DeviceKey, in period: Range<Timestamp>, replacing: Bool) {
        self.device = device
        self.period = period
        self.replacing = replacing
    }

    private static let parts = ["sum", "min", "max", "count"]

    private static func columns(_ row: String, of parameter: String) -> String {
        "(" + parts.map { "\(row).\(parameter)_\($0)" }.joined(separator: ", ") + ")"
    }

    private static func differs(_ parameter: String) -> String {
        "n.\(parameter)_count IS NOT NULL AND \(columns("k", of: parameter)) IS DISTINCT FROM \(columns("n", of: parameter))"
    }

    private static func changes(_ parameter: String) -> String {
        "(k.\(parameter)_count IS NULL OR $5::boolean) AND \(differs(parameter))"
    }

    static let anyDiffers = SampleColumns.each(separator: " OR ") { "(\(differs($0)))" }
    static let anyChanges = SampleColumns.each(separator: " OR ") { "(\(changes($0)))" }

    /// SQL for the rows' roll-ups `n` beside the stored ones `k`.
    static func source(_ table: String, _ step: String) -> String {
        """
        (SELECT date_bin(\(step), event_time, 'epoch') AS starts_at, \(found)
            FROM sample WHERE event_time >= $3::timestamptz AND event_time < $4::timestamptz
            GROUP BY 1
        ) n
        LEFT JOIN \(table) k ON k.slot = $1::smallint AND k.device_id = $2::integer AND k.starts_at = n.starts_at
            AND k.starts_at >= $3::timestamptz AND k.starts_at < $4::timestamptz
        """
    }

    private static let found = SampleColumns.each {
        "sum(\($0)::double precision) AS \($0)_sum, min(\($0)) AS \($0)_min, max(\($0)) AS \($0)_max, "
            + "nullif(count(\($0)), 0)::integer AS \($0)_count"
    }

    static func compare(_ table: String, _ step: String) -> String {
        "SELECT \(ImportOutcome.counts(changes: anyChanges, differs: anyDiffers)) FROM \(source(table, step))"
    }

    /// SQL that stores roll-ups. Stored parameters stay, unless they are replaced. Additions to a stored hour are not
    /// judged, because the values beside them are gone.
    static func store(_ table: String, _ step: String) -> String {
        """
        INSERT INTO \(table) AS stored (slot, device_id, starts_at, \(RollUpColumns.names), \(SampleColumns.each { "\($0)_flagged" }))
        SELECT $1::smallint, $2::integer, n.starts_at, \(SampleColumns.each { parameter in
            parts.map { "CASE WHEN \(changes(parameter)) THEN n.\(parameter)_\($0) ELSE k.\(parameter)_\($0) END" }
                .joined(separator: ", ")
        }), k.worked,
            \(SampleColumns.each {
                "CASE WHEN (\(changes($0))) AND NOT date_bin('24 hours', n.starts_at, 'epoch') = ANY ($6::timestamptz[]) THEN 0 ELSE k.\($0)_flagged END"
            })
        FROM \(source(table, step))
        WHERE \(anyChanges)
        ON CONFLICT (slot, device_id, starts_at) DO UPDATE SET
            (\(RollUpColumns.names), \(SampleColumns.each { "\($0)_flagged" }))
            = ROW (\(SampleColumns.each { parameter in parts.map { "excluded.\(parameter)_\($0)" }.joined(separator: ", ") }),
                excluded.worked, \(SampleColumns.each { "excluded.\($0)_flagged" }))
        """
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device, in: period)
        parameters.append(replacing)
    }
}

/// Counts what will become of hours, before they are stored.
struct CompareImportedHours: Statement {
    static let sql = ImportedRollUps.compare("sample_hour", "interval '1 hour'")
    let rollUps: ImportedRollUps
    init(_ rollUps: ImportedRollUps) { self.rollUps = rollUps }
    func bind(_ parameters: inout Parameters) { rollUps.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> ImportOutcome { try ImportOutcome(&row) }
}

/// Counts what will become of days, before they are stored.
struct CompareImportedDays: Statement {
    static let sql = ImportedRollUps.compare("sample_day", "interval '24 hours'")
    let rollUps: ImportedRollUps
    init(_ rollUps: ImportedRollUps) { self.rollUps = rollUps }
    func bind(_ parameters: inout Parameters) { rollUps.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> ImportOutcome { try ImportOutcome(&row) }
}

/// Stores hours whose messages are not kept.
struct StoreImportedHours: Statement {
    static let sql = ImportedRollUps.store("sample_hour", "interval '1 hour'")
    let rollUps: ImportedRollUps
    let judged: [Timestamp]

    /// - Parameter judged: Days that QARTOD's tests judge afterwards. Values stored for other days count as not judged.
    init(_ rollUps: ImportedRollUps, judged: [Timestamp]) {
        self.rollUps = rollUps
        self.judged = judged
    }

    func bind(_ parameters: inout Parameters) {
        rollUps.bind(&parameters)
        parameters.append(judged)
    }
}

/// Stores days whose hours are not kept.
struct StoreImportedDays: Statement {
    static let sql = ImportedRollUps.store("sample_day", "interval '24 hours'")
    let rollUps: ImportedRollUps
    let judged: [Timestamp]

    init(_ rollUps: ImportedRollUps, judged: [Timestamp]) {
        self.rollUps = rollUps
        self.judged = judged
    }

    func bind(_ parameters: inout Parameters) {
        rollUps.bind(&parameters)
        parameters.append(judged)
    }
}

/// Adds up the stored hours of a period to days.
struct RollUpImportedDays: Statement {
    static let sql = """
        INSERT INTO sample_day AS known (slot, device_id, starts_at, \(RollUpColumns.names), \(SampleColumns.each { "\($0)_flagged" }))
        SELECT slot, device_id, date_bin('24 hours', starts_at, 'epoch'), \(RollUpColumns.ofHours),
            \(SampleColumns.each { "CASE WHEN bool_or(\($0)_flagged = 0) THEN 0 END" })
        FROM sample_hour
        WHERE slot = $1::smallint AND device_id = $2::integer AND starts_at >= $3::timestamptz AND starts_at < $4::timestamptz
        GROUP BY 1, 2, 3
        ON CONFLICT (slot, device_id, starts_at) DO UPDATE SET
            (\(RollUpColumns.names)) = ROW (\(RollUpColumns.replacing)),
            (\(SampleColumns.each { "\($0)_flagged" }))
                = ROW (\(SampleColumns.each { "coalesce(known.\($0)_flagged, excluded.\($0)_flagged)" }))
        """
    let device: DeviceKey
    let period: Range<Timestamp>

    init(of device: DeviceKey, in period: Range<Timestamp>) {
        self.device = device
        self.period = period
    }

    func bind(_ parameters: inout Parameters) { parameters.append(device, in: period) }
}
