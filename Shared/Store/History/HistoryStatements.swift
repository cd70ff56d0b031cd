package import Instants
package import Postgres
package import WaterQuality

/// Finds how far back a slot's history reaches, and how far it is rolled up.
package struct FindKeptHistory: Statement {
    package static let sql = of("$1")

    /// The query for the slot that an SQL expression gives.
    static func of(_ slot: String) -> String {
        """
        SELECT
            \(KeptSamples.since),
            (SELECT to_date(right(min(relname), 6), 'YYYYMM')::timestamp AT TIME ZONE 'UTC' FROM pg_class
                WHERE relispartition AND relkind = 'r' AND relname >= 'sample_hour_0' AND relname < 'sample_hour_A'),
            hours_until, judged_since, outside_since
        FROM rollup_progress WHERE slot = \(slot)
        """
    }

    let slot: Slot
    package func bind(_ parameters: inout Parameters) { parameters.append(slot) }

    package static func decode(_ row: inout RowReader) throws -> KeptHistory {
        try KeptHistory(
            messagesSince: row.read() ?? .distantFuture,
            hoursSince: row.read() ?? .distantFuture,
            rolledUpUntil: row.read(), judgedSince: row.read(), outsideSince: row.read(), due: [])
    }
}

/// Finds the hours of a device that are due again, ascending.
struct FindDueHours: Statement {
    static let sql = """
        SELECT DISTINCT hour FROM rollup_due
        WHERE slot = $1 AND (device_id = $2 OR device_id IS NULL) AND hour >= $3 AND hour < $4
        ORDER BY hour
        """
    let device: DeviceKey
    let period: Range<Timestamp>

    func bind(_ parameters: inout Parameters) { parameters.append(device, in: period) }

    static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}

/// The input shared by the three aggregations.
struct HistorySource: Sendable {
    let device: DeviceKey
    let parameter: Parameter
    let period: Range<Timestamp>
    /// The time that one point covers.
    let step: Duration

    func bind(_ parameters: inout Parameters) {
        parameters.append(device, in: period)
        parameters.append(step.wholeMicroseconds)
        parameters.append(parameter)
    }

    static func decode(_ row: inout RowReader) throws -> History.Point {
        try History.Point(
            time: row.read(), minimum: row.read(), maximum: row.read(),
            sum: row.read(), count: row.read())
    }

    /// The column of the parameter `$6`.
    static func column(_ suffix: String = "") -> String { Parameter.column(numbered: "$6", suffix) }

    static func rollUps(_ table: String) -> String {
        """
        SELECT date_bin($5 * interval '1 us', starts_at, 'epoch'), min(least), max(greatest), sum(total), sum(number)::bigint
        FROM (
            SELECT starts_at, \(column("_min")) AS least, \(column("_max")) AS greatest, \(column("_sum")) AS total,
                \(column("_count")) AS number
            FROM \(table)
            WHERE slot = $1::smallint AND device_id = $2::integer
                AND starts_at >= $3::timestamptz AND starts_at < $4::timestamptz
        ) AS part
        WHERE number IS NOT NULL
        GROUP BY 1
        """
    }
}

struct AddUpSamples: Statement {
    static let sql = """
        SELECT date_bin($5 * interval '1 us', event_time, 'epoch'), min(value), max(value), sum(value::double precision),
            count(value)
        FROM (
            SELECT event_time, \(HistorySource.column()) AS value
            FROM sample
            WHERE slot = $1::smallint AND device_id = $2::integer
                AND event_time >= $3::timestamptz AND event_time < $4::timestamptz
                -- not what was measured in work on the water, as in roll-ups
                AND NOT event_time <@ (
                    SELECT coalesce(range_agg(w.period), '{}') FROM device_work w
                    WHERE w.slot = $1::smallint AND w.device_id = $2::integer AND w.period && tstzrange($3, $4))
        ) AS message
        WHERE value IS NOT NULL
        GROUP BY 1
        """
    let source: HistorySource
    init(_ source: HistorySource) { self.source = source }
    func bind(_ parameters: inout Parameters) { source.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> History.Point { try HistorySource.decode(&row) }
}

struct AddUpHours: Statement {
    static let sql = HistorySource.rollUps("sample_hour")
    let source: HistorySource
    init(_ source: HistorySource) { self.source = source }
    func bind(_ parameters: inout Parameters) { source.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> History.Point { try HistorySource.decode(&row) }
}

struct AddUpDays: Statement {
    static let sql = HistorySource.rollUps("sample_day")
    let source: HistorySource
    init(_ source: HistorySource) { self.source = source }
    func bind(_ parameters: inout Parameters) { source.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> History.Point { try HistorySource.decode(&row) }
}

/// The periods for which a person may see a device's readings, oldest first: a first owner's begins before they linked
/// it.
package struct ListOwnedPeriods: Statement {
    package static let sql = """
        SELECT readings_from, coalesce(unlinked_at, 'infinity') FROM ownership
        WHERE slot = $1 AND device_id = $2 AND account_id = $3
        ORDER BY linked_at
        """
    let device: DeviceKey
    let account: Account.ID

    package init(of device: DeviceKey, by account: Account.ID) {
        self.device = device
        self.account = account
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(account)
    }

    package static func decode(_ row: inout RowReader) throws -> Range<Timestamp> {
        let (since, until) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        return since..<max(since, until)
    }
}
