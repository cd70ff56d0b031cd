package import Instants
package import Postgres
package import WaterQuality

/// A day of a device that is due for QARTOD's tests.
package struct DueDay: Hashable, Sendable {
    package var device: DeviceKey
    package var start: Timestamp
    /// Whether testing it has failed before.
    package var hasFailed: Bool
    /// Whether it is no longer tested: messages of its window may be gone, or it has waited for a week.
    package var isGivenUp: Bool

    init(device: DeviceKey, start: Timestamp) {
        self.device = device
        self.start = start
        hasFailed = false
        isGivenUp = false
    }

    init(_ row: inout RowReader) throws {
        device = try DeviceKey(&row)
        start = try row.read()
        hasFailed = try row.read()
        isGivenUp = try row.read()
    }

    fileprivate func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(start)
    }
}

/// Claims the days that have waited longest, failed ones last. No row if none waits, or another transaction works on
/// the roll-ups. The claim keeps others out until the end of the transaction.
package struct ClaimDueDays: Statement {
    package static let sql = """
        WITH ours AS MATERIALIZED (
            SELECT pg_try_advisory_xact_lock(7133703) AS locked
        ), kept AS MATERIALIZED (
            SELECT \(KeptSamples.since) AS since
        )
        SELECT due.slot, due.device_id, due.day, due.failures > 0,
            clock_is_trusted() AND due.since < now() - interval '7 days' OR coalesce(due.day - $2 * interval '1 us' < kept.since, true)
        FROM ours, kept, LATERAL (
            SELECT slot, device_id, day, since, failures FROM quality_due ORDER BY failures, since LIMIT $1
        ) AS due
        WHERE ours.locked
        ORDER BY due.failures, due.since
        """

    let limit: Int64
    package init(limit: Int) { self.limit = Int64(limit) }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(limit)
        parameters.append(DayReview.reach.wholeMicroseconds)
    }

    package static func decode(_ row: inout RowReader) throws -> DueDay { try DueDay(&row) }
}

/// Removes the mark of a day.
package struct EndDueDay: Statement {
    package static let sql = "DELETE FROM quality_due WHERE slot = $1 AND device_id = $2 AND day = $3"
    let day: DueDay
    package init(_ day: DueDay) { self.day = day }
    package func bind(_ parameters: inout Parameters) { day.bind(&parameters) }
}

/// Moves a day that failed behind all others.
package struct PostponeDueDay: Statement {
    package static let sql = """
        UPDATE quality_due SET failures = failures + 1 WHERE slot = $1 AND device_id = $2 AND day = $3
        """
    let day: DueDay
    package init(_ day: DueDay) { self.day = day }
    package func bind(_ parameters: inout Parameters) { day.bind(&parameters) }
}

/// The times in a day's window at which the device's ownership ended, oldest first. Later readings are another owner's.
package struct FindOwnerChanges: Statement {
    package static let sql = """
        SELECT unlinked_at FROM ownership
        WHERE slot = $1::smallint AND device_id = $2::integer AND role = 'owner'
            AND unlinked_at >= $3::timestamptz AND unlinked_at < $4::timestamptz
        ORDER BY unlinked_at
        """

    let day: DueDay
    package init(_ day: DueDay) { self.day = day }
    package func bind(_ parameters: inout Parameters) { parameters.append(day) }
    package static func decode(_ row: inout RowReader) throws -> Timestamp { try row.read() }
}

/// The hours of a day's window, oldest first: the least and the greatest value of each parameter.
package struct ReadWindowHours: Statement {
    package static let sql = """
        SELECT starts_at, \(SampleColumns.each { "\($0)_min, \($0)_max, \($0)_flagged" })
        FROM sample_hour
        WHERE slot = $1::smallint AND device_id = $2::integer AND starts_at >= $3::timestamptz AND starts_at < $4::timestamptz
        ORDER BY starts_at
        """

    package struct Row: Sendable {
        package var start: Timestamp
        package var least = Readings()
        package var greatest = Readings()
        /// The bits of the parameters with flagged values.
        package var flagged: UInt32 = 0
    }

    let day: DueDay
    package init(_ day: DueDay) { self.day = day }

    package func bind(_ parameters: inout Parameters) { parameters.append(day) }

    package static func decode(_ row: inout RowReader) throws -> Row {
        var found = Row(start: try row.read())
        for parameter in Parameter.allCases {
            found.least[parameter] = try row.read()
            found.greatest[parameter] = try row.read()
            if try row.read(Int32?.self) != nil { found.flagged |= parameter.bit }
        }
        return found
    }
}

/// A page of the messages of a day's window, oldest first, with the values of some parameters.
package struct ReadWindowSamples: Statement {
    package static let sql = """
        SELECT event_time, \(columns) FROM sample
        WHERE slot = $1::smallint AND device_id = $2::integer AND event_time >= $3::timestamptz AND event_time < $4::timestamptz
            AND event_time > $6::timestamptz
        ORDER BY event_time
        LIMIT $7
        """

    private static let columns = Parameter.allCases
        .map { "CASE WHEN $5::integer & \($0.bit) <> 0 THEN \($0.name) END" }.joined(separator: ", ")

    let day: DueDay
    let parameters: ParameterSet
    let after: Timestamp
    let limit: Int64

    /// - Parameter after: The time of the previous page's last message; `nil` for the first page.
    package init(_ day: DueDay, _ parameters: ParameterSet, after: Timestamp?, limit: Int) {
        self.day = day
        self.parameters = parameters
        self.after = after ?? .distantPast
        self.limit = Int64(limit)
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(day)
        parameters.append(self.parameters)
        parameters.append(after)
        parameters.append(limit)
    }

    package static func decode(_ row: inout RowReader) throws -> ListSamples.Row {
        try ListSamples.Row(time: row.read(), readings: Readings(&row))
    }
}

extension Parameters {
    fileprivate mutating func append(_ day: DueDay) {
        let window = DayReview.window(of: day.start)
        append(day.device.slot)
        append(day.device.device)
        append(window.lowerBound)
        append(window.upperBound)
    }
}
