package import Instants
package import Postgres
package import WaterQuality

/// The limits of a watch that a device's values may have violated in an hour: by the hour's least and greatest value,
/// because the previous hour ended outside, or because the limits began in it, while a value held.
package struct LimitsInQuestion: Sendable {
    package var account: Account.ID
    package var device: Device.ID
    package var parameter: Parameter
    package var limits: LimitVersion
    /// The time from which readings of the device are the person's.
    package var readingsFrom: Timestamp
}

/// Finds the limits to check for a rolled-up hour, ordered by device.
package struct FindLimitsInQuestion: Statement {
    package static let sql = """
        SELECT g.account_id, g.device_id, g.parameter, l.holds_from - v.lag, l.holds_until - v.lag, l.low, l.high,
            coalesce((
                SELECT o.readings_from FROM ownership o
                WHERE o.slot = g.slot AND o.device_id = g.device_id AND o.account_id = g.account_id
                    AND o.linked_at <= g.valid_from
                ORDER BY o.linked_at DESC LIMIT 1), g.valid_from)
        FROM setting g
        LEFT JOIN device_clock c ON c.slot = g.slot AND c.device_id = g.device_id
        -- Since when they are in force by the device's clock.
        CROSS JOIN LATERAL (
            SELECT g.valid_from - k.lag AS since, coalesce(g.valid_until, 'infinity') - k.lag AS until, k.lag
            FROM (SELECT make_interval(secs => coalesce(c.lag_seconds, 0)) AS lag) k
        ) v
        CROSS JOIN LATERAL limits_between(
            g.periods, g.minimum, g.maximum, NULL, NULL, greatest(v.since, $2) + v.lag, least(v.until, $2 + interval '1 hour') + v.lag) l
        LEFT JOIN sample_hour h ON h.slot = g.slot AND h.device_id = g.device_id AND h.starts_at = $2::timestamptz
        LEFT JOIN time_outside t ON t.slot = g.slot AND t.device_id = g.device_id AND t.account_id = g.account_id
            AND t.parameter = g.parameter AND t.day = $5::timestamptz
        WHERE g.slot = $1::smallint AND (cardinality($3::integer[]) = 0 OR g.device_id = ANY ($3::integer[]))
            AND g.parameter < \(Parameter.count) -- a newer version has more
            AND v.since < $2::timestamptz + interval '1 hour' AND v.until > greatest(v.since, $2)
            -- The nearest step counts, halves away from zero: a tenth of a step is left for how values are stored.
            AND (\(column("_min")) * ($4::integer[])[g.parameter + 1] < l.low - 0.4
                OR \(column("_max")) * ($4::integer[])[g.parameter + 1] > l.high + 0.4
                OR t.seconds[$6::integer] > 0
                -- What holds from the hours before was within the limits of its time.
                OR v.since >= $2::timestamptz OR g.periods IS NOT NULL)
        ORDER BY g.device_id
        """

    private static func column(_ suffix: String) -> String {
        Parameter.column(numbered: "g.parameter", of: "h", suffix)
    }

    let hour: ClaimedHour
    let devices: [Device.ID]

    /// - Parameter devices: The devices to check; empty for the whole slot.
    package init(_ hour: ClaimedHour, devices: [Device.ID]) {
        self.hour = hour
        self.devices = devices
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(hour.slot)
        parameters.append(hour.start)
        parameters.append(devices)
        parameters.append(Parameter.allCases.map(\.stepsPerUnit))
        let before = HourOfDay(hour.start - RollUpSchedule.hour)
        parameters.append(before.day)
        parameters.append(before.place)
    }

    package static func decode(_ row: inout RowReader) throws -> LimitsInQuestion {
        let (account, device, parameter) = try (
            row.read(Account.ID.self), row.read(Device.ID.self), row.read(Parameter.self)
        )
        let (from, until) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        return try LimitsInQuestion(
            account: account, device: device, parameter: parameter,
            limits: LimitVersion(period: from..<max(from, until), minimum: row.read(), maximum: row.read()),
            readingsFrom: row.read())
    }
}

/// The values of a device's hour, and of the messages before it, which give the usual pause and the value that held
/// when it began; ascending.
package struct ReadHourWithBefore: Statement {
    package static let sql = """
        (SELECT event_time, \(columns) FROM sample
        WHERE slot = $1::smallint AND device_id = $2::integer
            AND event_time >= $4::timestamptz - $5 * interval '1 us' AND event_time < $4::timestamptz
            AND \(DeletedColumn.isMessage("sample"))
        ORDER BY event_time DESC LIMIT $6)
        UNION ALL
        (SELECT event_time, \(columns) FROM sample
        WHERE slot = $1::smallint AND device_id = $2::integer
            AND event_time >= $4::timestamptz AND event_time < $4::timestamptz + interval '1 hour'
            AND \(DeletedColumn.isMessage("sample"))
        ORDER BY event_time LIMIT $7)
        ORDER BY event_time
        """

    private static let columns = Parameter.allCases
        .map { "CASE WHEN $3::integer & \($0.bit) <> 0 THEN \($0.name) END AS \($0.name)" }.joined(separator: ", ")

    /// The most messages of an hour that are read: five a second.
    private static let most: Int64 = 18_000

    let device: DeviceKey
    let hour: Timestamp
    let parameters: ParameterSet

    package init(_ hour: Timestamp, of device: DeviceKey, _ parameters: ParameterSet) {
        self.device = device
        self.hour = hour
        self.parameters = parameters
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(self.parameters)
        parameters.append(hour)
        parameters.append(HoldTime.before.wholeMicroseconds)
        parameters.append(Int64(HoldTime.messagesBefore))
        parameters.append(Self.most)
    }

    package static func decode(_ row: inout RowReader) throws -> ListSamples.Row {
        try ListSamples.Row(time: row.read(), readings: Readings(&row))
    }
}

/// The seconds for which a watch was outside in an hour.
package struct FoundOutside: Equatable, Sendable {
    package var account: Account.ID
    package var device: Device.ID
    package var parameter: Parameter
    package var seconds: Int16

    package init(account: Account.ID, device: Device.ID, parameter: Parameter, seconds: Int16) {
        self.account = account
        self.device = device
        self.parameter = parameter
        self.seconds = seconds
    }
}

/// Stores the times outside of an hour, and clears those of all other watches. Its rows are the devices with a change.
package struct WriteTimeOutside: Statement {
    package static let sql = """
        WITH found AS (
            SELECT * FROM unnest($5::integer[], $6::bigint[], $7::smallint[], $8::smallint[])
                AS f (device_id, account_id, parameter, seconds)
        ), cleared AS (
            UPDATE time_outside t SET seconds[$3::integer] = 0
            WHERE t.slot = $1::smallint AND t.day = $2::timestamptz AND t.seconds[$3::integer] > 0
                AND t.parameter < \(Parameter.count)
                AND (cardinality($4::integer[]) = 0 OR t.device_id = ANY ($4::integer[]))
                AND NOT EXISTS (
                    SELECT FROM found f WHERE f.device_id = t.device_id AND f.account_id = t.account_id AND f.parameter = t.parameter)
            RETURNING t.device_id
        ), written AS (
            INSERT INTO time_outside AS t (slot, parameter, device_id, account_id, day, seconds)
            SELECT $1::smallint, parameter, device_id, account_id, $2::timestamptz,
                array_fill(0::smallint, ARRAY[$3::integer - 1]) || seconds || array_fill(0::smallint, ARRAY[24 - $3::integer])
            FROM found
            ON CONFLICT (slot, device_id, account_id, parameter, day)
            DO UPDATE SET seconds[$3::integer] = excluded.seconds[$3::integer]
            WHERE t.seconds[$3::integer] <> excluded.seconds[$3::integer]
            RETURNING t.device_id
        )
        SELECT device_id FROM cleared UNION SELECT device_id FROM written
        """

    let hour: ClaimedHour
    let devices: [Device.ID]
    let found: [FoundOutside]

    /// - Parameter devices: The devices that were checked; empty for the whole slot.
    package init(_ found: [FoundOutside], in hour: ClaimedHour, devices: [Device.ID]) {
        self.hour = hour
        self.devices = devices
        self.found = found
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(hour.slot)
        let place = HourOfDay(hour.start)
        parameters.append(place.day)
        parameters.append(place.place)
        parameters.append(devices)
        parameters.append(found.map(\.device))
        parameters.append(found.map(\.account))
        parameters.append(found.map(\.parameter))
        parameters.append(found.map(\.seconds))
    }

    package static func decode(_ row: inout RowReader) throws -> Device.ID { try row.read() }
}

/// Marks the hour after one whose time outside has changed, because the value that held at its beginning may have
/// changed, too. An hour that was not rolled up yet needs no mark.
package struct MarkNextHourDue: Statement {
    package static let sql = """
        INSERT INTO rollup_due (slot, device_id, hour)
        SELECT $1::smallint, changed, $2::timestamptz + interval '1 hour' FROM unnest($3::integer[]) AS changed
        WHERE EXISTS (
            SELECT FROM rollup_progress
            WHERE slot = $1::smallint AND hours_until > $2::timestamptz + interval '1 hour')
        """

    let hour: ClaimedHour
    let devices: [Device.ID]

    package init(after hour: ClaimedHour, devices: [Device.ID]) {
        self.hour = hour
        self.devices = devices
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(hour.slot)
        parameters.append(hour.start)
        parameters.append(devices)
    }
}

/// The position of an hour in the array of its day, counted from 1.
private struct HourOfDay {
    let day: Timestamp
    let place: Int32

    init(_ hour: Timestamp) {
        day = hour.roundedDown(to: RollUpSchedule.day)
        // Divides whole numbers: the quotient of two durations is a Double, which may fall short of 13.
        place = Int32((hour - day).wholeMicroseconds / RollUpSchedule.hour.wholeMicroseconds) + 1
    }
}
