import Instants
import Postgres
import WaterQuality

/// The input shared by the statements of a series: one parameter of one device in a period.
struct SeriesSource: Sendable {
    let device: DeviceKey
    let parameter: Parameter
    let period: Range<Timestamp>

    func bind(_ parameters: inout Parameters) {
        parameters.append(device, in: period)
        parameters.append(parameter)
    }

    /// The column of the parameter `$5`.
    static func column(_ suffix: String = "") -> String { Parameter.column(numbered: "$5", suffix) }

    static func rollUps(_ view: String) -> String {
        """
        SELECT * FROM (
            SELECT starts_at, \(column("_min")) AS least, \(column("_max")) AS greatest, \(column("_sum")) AS total,
                \(column("_count")) AS number, \(column("_flagged")) AS flagged, worked
            FROM \(view)
            WHERE slot = $1::smallint AND device_id = $2::integer
                AND starts_at >= $3::timestamptz AND starts_at < $4::timestamptz
        ) AS part
        WHERE number IS NOT NULL OR worked IS NOT NULL
        """
    }
}

/// The values that the person may see in a period, in any order.
struct ReadSeriesSamples: Statement {
    static let sql = """
        SELECT event_time, value FROM (
            SELECT event_time, \(SeriesSource.column()) AS value FROM person_sample
            WHERE slot = $1::smallint AND device_id = $2::integer
                AND event_time >= $3::timestamptz AND event_time < $4::timestamptz
        ) AS message
        WHERE value IS NOT NULL
        """
    let source: SeriesSource
    init(_ source: SeriesSource) { self.source = source }
    func bind(_ parameters: inout Parameters) { source.bind(&parameters) }

    static func decode(_ row: inout RowReader) throws -> SeriesRow {
        try SeriesRow(time: row.read(), value: row.read())
    }
}

/// The last values that the person may see before a period, in any order: they give the usual pause and the value that
/// held when it began.
struct ReadSeriesBefore: Statement {
    static let sql = """
        SELECT event_time, value FROM (
            SELECT event_time, \(SeriesSource.column()) AS value FROM person_sample
            WHERE slot = $1::smallint AND device_id = $2::integer
                AND event_time >= $3::timestamptz AND event_time < $4::timestamptz
            ORDER BY event_time DESC LIMIT $6
        ) AS message
        WHERE value IS NOT NULL
        """
    let source: SeriesSource

    /// - Parameter source: The period itself, not the time before it.
    init(_ source: SeriesSource) {
        let start = source.period.lowerBound
        self.source = SeriesSource(
            device: source.device, parameter: source.parameter, period: start - HoldTime.before..<start)
    }

    func bind(_ parameters: inout Parameters) {
        source.bind(&parameters)
        parameters.append(Int64(HoldTime.messagesBefore))
    }

    static func decode(_ row: inout RowReader) throws -> SeriesRow {
        try SeriesRow(time: row.read(), value: row.read())
    }
}

/// The whole hours that the person may see in a period, in any order.
struct ReadSeriesHours: Statement {
    static let sql = SeriesSource.rollUps("person_sample_hour")
    let source: SeriesSource
    init(_ source: SeriesSource) { self.source = source }
    func bind(_ parameters: inout Parameters) { source.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> SeriesRow {
        try SeriesRow(rollUp: &row, span: RollUpSchedule.hour)
    }
}

/// The whole days that the person may see in a period, in any order.
struct ReadSeriesDays: Statement {
    static let sql = SeriesSource.rollUps("person_sample_day")
    let source: SeriesSource
    init(_ source: SeriesSource) { self.source = source }
    func bind(_ parameters: inout Parameters) { source.bind(&parameters) }
    static func decode(_ row: inout RowReader) throws -> SeriesRow {
        try SeriesRow(rollUp: &row, span: RollUpSchedule.day)
    }
}

extension SeriesRow {
    fileprivate init(rollUp row: inout RowReader, span: Duration) throws {
        self.init(
            time: try row.read(), span: span, least: try row.read(Float?.self) ?? 0,
            greatest: try row.read(Float?.self) ?? 0, sum: try row.read(Double?.self) ?? 0,
            count: Int64(try row.read(Int32?.self) ?? 0))
        flagged = try row.read(Int32?.self).flatMap(FlaggedValues.init(rawValue:))
        worked = Int64(try row.read(Int32?.self) ?? 0)
    }
}

/// The hours of a person's device that are due again, ascending.
struct FindPersonDueHours: Statement {
    static let sql = """
        SELECT DISTINCT hour FROM person_rollup_due
        WHERE slot = $1 AND device_id = $2 AND hour >= $3 AND hour < $4
        ORDER BY hour
        """
    let device: DeviceKey
    let period: Range<Timestamp>

    func bind(_ parameters: inout Parameters) { parameters.append(device, in: period) }

    static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}

/// The days of a person's device that are due for QARTOD's tests, for the first time or again.
struct FindPersonDueDays: Statement {
    static let sql = """
        SELECT DISTINCT day FROM person_quality_due
        WHERE slot = $1 AND device_id = $2 AND day >= $3 AND day < $4
        """
    let device: DeviceKey
    let period: Range<Timestamp>

    func bind(_ parameters: inout Parameters) { parameters.append(device, in: period) }

    static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}

/// Whether a person's roll-ups of a device reach further back than the finer data still stored.
struct FindOlderRollUps: Statement {
    static let sql = """
        SELECT EXISTS (SELECT FROM person_sample_hour WHERE slot = $1 AND device_id = $2 AND starts_at < $3::timestamptz)
                OR EXISTS (SELECT FROM person_sample_day WHERE slot = $1 AND device_id = $2 AND starts_at < $3::timestamptz),
            EXISTS (SELECT FROM person_sample_day WHERE slot = $1 AND device_id = $2 AND starts_at < $4::timestamptz)
        """
    let device: DeviceKey
    let kept: KeptHistory

    init(of device: DeviceKey, _ kept: KeptHistory) {
        self.device = device
        self.kept = kept
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(kept.begins(.message))
        parameters.append(kept.begins(.hour))
    }

    static func decode(_ row: inout RowReader) throws -> OlderRollUps {
        try OlderRollUps(thanMessages: row.read(), thanHours: row.read())
    }
}

/// The stored times outside of a watch, by days.
struct ReadTimeOutside: Statement {
    static let sql = """
        SELECT day, seconds FROM time_outside
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND parameter = $4 AND day >= $5 AND day < $6
        """

    struct Row: Sendable {
        var day: Timestamp
        /// The seconds outside in each of its 24 hours.
        var seconds: [Int16]
    }

    let watch: WatchKey
    let period: Range<Timestamp>

    init(_ watch: WatchKey, in period: Range<Timestamp>) {
        self.watch = watch
        self.period = period
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(watch.device.slot)
        parameters.append(watch.device.device)
        parameters.append(watch.account)
        parameters.append(watch.parameter)
        parameters.append(period.lowerBound.roundedDown(to: RollUpSchedule.day))
        parameters.append(period.upperBound)
    }

    static func decode(_ row: inout RowReader) throws -> Row { try Row(day: row.read(), seconds: row.read()) }
}

/// The seconds outside in the hours of a watch, as far as they are stored.
struct HoursOutside: Sendable {
    /// The time before which nothing is stored.
    var since = Timestamp.distantFuture
    private var hours: [Timestamp: Int16] = [:]

    init() {}
    init(since: Timestamp) { self.since = since }

    mutating func add(_ row: ReadTimeOutside.Row) {
        for (hour, seconds) in row.seconds.enumerated() where seconds > 0 {
            hours[row.day + RollUpSchedule.hour * hour] = seconds
        }
    }

    func seconds(in period: Range<Timestamp>) -> Int64 {
        hours.reduce(0) { $1.key >= since && period.contains($1.key) ? $0 + Int64($1.value) : $0 }
    }
}

/// A person's limits for a parameter of a device in a period, piece by piece; those that change by the clock for its last 400 days.
struct ListLimits: Statement {
    static let sql = """
        SELECT l.holds_from, l.holds_until, l.low, l.high FROM setting s
        CROSS JOIN LATERAL limits_between(
            s.periods, s.minimum, s.maximum, s.critical_minimum, s.critical_maximum,
            CASE WHEN s.periods IS NULL THEN s.valid_from ELSE greatest(s.valid_from, $5, $6::timestamptz - interval '400 days') END,
            CASE WHEN s.periods IS NULL THEN coalesce(s.valid_until, 'infinity') ELSE least(s.valid_until, $6) END) l
        WHERE slot = $1 AND device_id = $2 AND account_id = $3 AND parameter = $4
            AND (valid_until > $5 OR valid_until IS NULL) AND valid_from < $6
        """
    let watch: WatchKey
    let period: Range<Timestamp>

    init(_ watch: WatchKey, in period: Range<Timestamp>) {
        self.watch = watch
        self.period = period
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(watch.device.slot)
        parameters.append(watch.device.device)
        parameters.append(watch.account)
        parameters.append(watch.parameter)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
    }

    static func decode(_ row: inout RowReader) throws -> LimitVersion {
        let (from, until) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        return try LimitVersion(period: from..<max(from, until), minimum: row.read(), maximum: row.read())
    }
}
