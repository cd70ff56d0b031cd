import Instants
import Postgres
import Store
import WaterQuality

/// The messages of an import in a period, which lies in days that are kept message by message.
struct ImportedMessages: Sendable {
    let device: DeviceKey
    let period: Range<Timestamp>
    /// Whether the file's values replace stored ones that were never evaluated.
    let replacing: Bool

    init(of device: DeviceKey, in period: Range<Timestamp>, replacing: Bool) {
        self.device = device
        self.period = period
        self.replacing = replacing
    }

    /// Only history changes: samples that were evaluated stay as they are.
    static let changes =
        "k.flags & \(Sample.Flags.notEvaluated.rawValue) <> 0 AND ("
        + Parameter.allCases.map {
            "n.\($0.name) IS NOT NULL AND (\(SampleColumns.isFree($0, of: "k")) OR $5::boolean AND k.\($0.name) <> n.\($0.name))"
        }.joined(separator: " OR ") + ")"
    static let differs = SampleColumns.each(separator: " OR ") {
        "n.\($0) IS NOT NULL AND k.\($0) IS DISTINCT FROM n.\($0)"
    }
    static let source = """
        sample n LEFT JOIN public.sample k ON k.slot = $1::smallint AND k.device_id = $2::integer AND k.event_time = n.event_time
            AND k.event_time >= $3::timestamptz AND k.event_time < $4::timestamptz
        WHERE n.event_time >= $3::timestamptz AND n.event_time < $4::timestamptz
        """

    func bind(_ parameters: inout Parameters) {
        parameters.append(device, in: period)
        parameters.append(replacing)
    }
}

/// Counts what will become of messages, before they are stored.
struct CompareImportedMessages: Statement {
    static let sql = """
        SELECT \(ImportOutcome.counts(changes: ImportedMessages.changes, differs: ImportedMessages.differs))
        FROM \(ImportedMessages.source)
        """
    let messages: ImportedMessages
    init(_ messages: ImportedMessages) { self.messages = messages }
    func bind(_ parameters: inout Parameters) { messages.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> ImportOutcome { try ImportOutcome(&row) }
}

/// Stores messages as history, and marks their hours as due. No engine is notified.
///
/// Imported rows count as received when they were measured: no device sent them, and queries for when a device was last heard
/// must not find the day of the import.
struct StoreImportedMessages: Statement {
    static let sql = """
        WITH stored AS (
            INSERT INTO public.sample AS k (slot, flags, device_id, event_time, received_at, \(SampleColumns.each { $0 }))
            SELECT n.slot, n.flags, n.device_id, n.event_time, n.event_time, \(SampleColumns.each { "n.\($0)" })
            FROM \(ImportedMessages.source) AND (k.slot IS NULL OR (\(ImportedMessages.changes)))
            ORDER BY n.event_time
            ON CONFLICT (slot, device_id, event_time) DO UPDATE SET
                \(Parameter.allCases.map { parameter in
                    """
                    \(parameter.name) = CASE WHEN NOT \(DeletedColumn.isKept(parameter, of: "k")) THEN NULL
                        WHEN $5::boolean THEN coalesce(excluded.\(parameter.name), k.\(parameter.name))
                        ELSE coalesce(k.\(parameter.name), excluded.\(parameter.name)) END
                    """
                }.joined(separator: ", "))
            WHERE k.flags & \(Sample.Flags.notEvaluated.rawValue) <> 0
            RETURNING slot, device_id, event_time
        )
        INSERT INTO rollup_due (slot, device_id, hour)
        SELECT DISTINCT slot, device_id, date_bin('1 hour', event_time, 'epoch') FROM stored
        """
    let messages: ImportedMessages
    init(_ messages: ImportedMessages) { self.messages = messages }
    func bind(_ parameters: inout Parameters) { messages.bind(&parameters) }
}
