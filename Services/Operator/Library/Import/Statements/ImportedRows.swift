import Instants
import Postgres
import Store
import WaterQuality

/// The rows of files being imported, in whatever order they come: a temporary table of the session.
///
/// The table is called `sample` like the table of messages, and hides that from the session's own statements: whatever
/// rolls up, judges and measures messages does the same with these rows, before any of them is stored. The table that
/// others see is `public.sample`.
enum ImportedRows: CopyStatement {
    static let sql =
        "COPY sample (event_time, \(SampleColumns.each { $0 }), slot, device_id) FROM STDIN (FORMAT binary)"

    static let creation = """
        CREATE TEMPORARY TABLE sample (LIKE public.sample);
        ALTER TABLE sample ALTER flags SET DEFAULT \(Sample.Flags.notEvaluated.rawValue),
            ALTER received_at DROP NOT NULL
        """

    /// Run after all rows are in.
    static let completion = "CREATE INDEX ON pg_temp.sample (event_time); ANALYZE pg_temp.sample"

    static func append(
        _ readings: Readings, at time: Timestamp, of device: DeviceKey, to rows: inout CopyBuffer
    ) {
        rows.startRow(fields: 3 + Parameter.allCases.count)
        rows.append(time)
        for parameter in Parameter.allCases { rows.append(readings[parameter]) }
        rows.append(device.slot.rawValue)
        rows.append(device.device.rawValue)
    }
}

/// Finds what an import may store of a device, and in which form.
struct FindImportBounds: Statement {
    static let sql = """
        SELECT d.slot, d.device_id, clock_is_trusted(), coalesce(a.email, a.display_name),
            coalesce(o.readings_from, start_of_readings(d.slot, d.device_id, 'owner', now())),
            -- no device sends as a site
            CASE d.kind WHEN 'site' THEN date_trunc('hour', now()) ELSE now() - $2 * interval '1 us' END, d.kind,
            -- rows become messages from the first day on that is not dropped before tomorrow
            (SELECT date_trunc('day', now() - keep + interval '1 day', 'UTC') FROM retention WHERE kind = 'samples'),
            (SELECT date_trunc('month', now() - keep + interval '1 day', 'UTC') FROM retention WHERE kind = 'hours')
        FROM device d
        LEFT JOIN ownership o ON o.slot = d.slot AND o.device_id = d.device_id AND o.role = 'owner' AND o.unlinked_at IS NULL
        LEFT JOIN account a ON a.account_id = o.account_id
        WHERE d.slot = $1 AND d.hardware_id = $3
        """

    /// The latest days, left to the device; of a site, as which no device sends, only the hour that goes on is left. Evaluation looks back no further:
    /// neither the rhythm nor the clock of a device is learnt from earlier readings, and no screen is notified of them.
    static let reserved = Duration.seconds(8 * 86_400)

    struct Row: Sendable {
        var device: DeviceKey
        var isClockTrusted: Bool
        /// The present owner's e-mail address.
        var owner: String?
        /// Start of the readings that the owner sees; earlier ones are of a former owner's time.
        var ownedSince: Timestamp
        /// End of the time that may be imported; later readings are the device's own to send, and of a site not yet over.
        var until: Timestamp
        var kind: Word<Device.Kind>
        /// The first day that is kept as messages, and the first month kept as hours. Days are kept for ever.
        var messagesSince: Timestamp
        var hoursSince: Timestamp
    }

    let hardwareID: Device.HardwareID
    init(_ hardwareID: Device.HardwareID) { self.hardwareID = hardwareID }

    func bind(_ parameters: inout Parameters) {
        parameters.append(Slot(of: hardwareID))
        parameters.append(Self.reserved.wholeMicroseconds)
        parameters.append(hardwareID.text)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(
            device: DeviceKey(&row), isClockTrusted: row.read(), owner: row.read(),
            ownedSince: row.read(), until: row.read(), kind: row.read(), messagesSince: row.read(),
            hoursSince: row.read())
    }
}

/// Deletes rows outside the period, and those at its end.
struct DiscardImportedRows: Statement {
    static let sql = "DELETE FROM sample WHERE event_time < $1 OR event_time >= $2"
    let period: Range<Timestamp>
    init(except period: Range<Timestamp>) { self.period = period }

    func bind(_ parameters: inout Parameters) {
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
    }
}

/// Lists the days (UTC) of the rows that are being imported, oldest first, with what is stored of each.
struct ListImportedDays: Statement {
    static let sql = """
        SELECT i.day, i.number,
            EXISTS (SELECT FROM public.sample s WHERE s.slot = $1 AND s.device_id = $2
                AND s.event_time >= i.day AND s.event_time < i.day + interval '24 hours'),
            EXISTS (SELECT FROM sample_hour h WHERE h.slot = $1 AND h.device_id = $2
                AND h.starts_at >= i.day AND h.starts_at < i.day + interval '24 hours'),
            EXISTS (SELECT FROM sample_day a WHERE a.slot = $1 AND a.device_id = $2 AND a.starts_at = i.day)
        FROM (
            SELECT date_bin('24 hours', event_time, 'epoch') AS day, count(*) AS number FROM sample GROUP BY 1
        ) i
        ORDER BY i.day
        """

    struct Row: Hashable, Sendable {
        var start: Timestamp
        var rows: Int64
        var hasMessages: Bool
        var hasHours: Bool
        var hasDay: Bool

        init(
            start: Timestamp, rows: Int64, hasMessages: Bool = false, hasHours: Bool = false, hasDay: Bool = false
        ) {
            self.start = start
            self.rows = rows
            self.hasMessages = hasMessages
            self.hasHours = hasHours
            self.hasDay = hasDay
        }
    }

    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(start: row.read(), rows: row.read(), hasMessages: row.read(), hasHours: row.read(), hasDay: row.read())
    }
}

/// Makes the partitions of hours of some past days.
struct MakePastHourPartitions: Statement {
    static let sql = """
        SELECT make_past_hour_partitions(
            ($1::timestamptz AT TIME ZONE 'UTC')::date, ($2::timestamptz AT TIME ZONE 'UTC')::date)
        """
    let days: Range<Timestamp>

    /// - Parameter days: Whole days (UTC).
    init(_ days: Range<Timestamp>) { self.days = days }

    func bind(_ parameters: inout Parameters) {
        parameters.append(days.lowerBound)
        parameters.append(days.upperBound - .microseconds(1))
    }

    static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}

/// Keeps all others from rolling up until the end of the transaction.
struct LockRollUps: Statement {
    static let sql = "SELECT pg_advisory_xact_lock(7133703)"
}

/// Finds when limits of a device were first in force; no row, or nil, where none ever were.
struct FindFirstLimits: Statement {
    static let sql = "SELECT min(valid_from) FROM setting WHERE slot = $1 AND device_id = $2"
    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> Timestamp? { try row.read() }
}
