package import Instants
package import Postgres
package import WaterQuality

/// One parameter of a device that a person has or had, with everything that questions about its readings need.
package struct WatchSubject: Sendable {
    package let watch: WatchKey
    /// The current limits in the person's unit; the last ones if the device is no longer theirs.
    package let range: PersonalRange
    /// Whether the device is the person's now.
    package let isCurrent: Bool
    /// Whether it is a site, whose readings come late.
    let isSite: Bool
    /// The person's own throttle interval.
    package let throttle: Duration?
    /// The person's earlier intervals, each with its end; `nil` is the operator's interval.
    let formerThrottles: [(until: Timestamp, interval: Duration?)]
    /// The known lag of the device's clock, by which displayed times are corrected.
    package let lag: Duration
    /// The time by the database's clock.
    package let now: Timestamp
    /// The periods that the person may see, oldest first.
    let readable: [Range<Timestamp>]
    /// The periods in which decisions were made for the person, by a correct clock: as `readable`, but a watcher's
    /// begin when they joined.
    let told: [Range<Timestamp>]
    let kept: KeptHistory

    package var unit: Unit { range.unit }

    /// The operator's policy with this person's throttle, as it is for the device or site.
    package func policy(_ operators: AlertPolicy) -> AlertPolicy {
        var policy = isSite ? operators.ofSite : operators
        if let throttle { policy.throttle = throttle }
        return policy
    }

    /// The person's earlier intervals between alerts.
    package func formerThrottles(_ operators: AlertPolicy) -> [FormerThrottle] {
        formerThrottles.map { FormerThrottle(until: $0.until, interval: $0.interval ?? operators.throttle) }
    }

    /// The part of a period that the person may see and whose messages are still stored, from its first to its last
    /// instant.
    package func visible(in period: Range<Timestamp>) -> Range<Timestamp>? {
        let stored = kept.messagesSince..<Timestamp.distantFuture
        let parts = readable.map { $0.clamped(to: period).clamped(to: stored) }.filter { !$0.isEmpty }
        guard let start = parts.map(\.lowerBound).min(), let end = parts.map(\.upperBound).max() else { return nil }
        return start..<end
    }
}

/// Finds a watch; no row if the person has and had no such device.
package struct FindWatchSubject: Statement {
    package static let sql = """
        SELECT d.slot, d.device_id, $3, $2, o.is_current AND coalesce(g.is_current, false), d.kind = 'site', g.unit, g.minimum, g.maximum, g.critical_minimum,
            g.critical_maximum, \(WatchSetting.columns(of: "g.")), g.periods::text,
            p.throttle_seconds, p.throttle_ends, p.throttle_was, clock_lag(d.slot, d.device_id), clock_timestamp(), o.starts, o.told, o.ends, k.*
        FROM device d
        CROSS JOIN LATERAL (
            SELECT array_agg(p.readings_from ORDER BY p.readings_from, p.ends) AS starts,
                array_agg(p.told ORDER BY p.readings_from, p.ends) AS told,
                array_agg(p.ends ORDER BY p.readings_from, p.ends) AS ends, bool_or(p.ends = 'infinity') AS is_current
            FROM (
                SELECT o.readings_from, coalesce(\(Ownership.toldFrom), '-infinity') AS told,
                    coalesce(o.unlinked_at, 'infinity') AS ends
                FROM ownership o
                WHERE o.slot = d.slot AND o.device_id = d.device_id AND o.account_id = $2
            ) p
        ) o
        LEFT JOIN LATERAL (
            SELECT unit, minimum, maximum, critical_minimum, critical_maximum, \(WatchSetting.columnNames), periods,
                valid_until IS NULL AS is_current
            FROM setting
            WHERE slot = d.slot AND device_id = d.device_id AND account_id = $2 AND parameter = $3
            ORDER BY version DESC LIMIT 1
        ) g ON true
        JOIN account p ON p.account_id = $2
        CROSS JOIN LATERAL (\(FindKeptHistory.of("d.slot"))) AS k
        WHERE d.hardware_id = $1 AND o.starts IS NOT NULL
        """

    let device: Device.HardwareID
    let account: Account.ID
    let parameter: Parameter

    package init(_ parameter: Parameter, of device: Device.HardwareID, for account: Account.ID) {
        self.device = device
        self.account = account
        self.parameter = parameter
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(device.text)
        parameters.append(account)
        parameters.append(parameter)
    }

    package static func decode(_ row: inout RowReader) throws -> WatchSubject {
        let watch = try WatchKey(&row)
        let (isCurrent, isSite) = try (row.read(Bool.self), row.read(Bool.self))
        let range = try PersonalRange(of: watch.parameter, &row)
        let throttle = try row.read(Int32?.self)
        let (ends, were) = try (row.read([Timestamp].self), row.read([Int32?].self))
        let lag = try row.read(Int32.self)
        let now = try row.read(Timestamp.self)
        let (starts, told) = try (row.read([Timestamp].self), row.read([Timestamp].self))
        let untils = try row.read([Timestamp].self)
        return WatchSubject(
            watch: watch, range: range, isCurrent: isCurrent, isSite: isSite,
            throttle: throttle.map { .seconds(Int64($0)) },
            formerThrottles: zip(ends, were).map { ($0, $1.map { .seconds(Int64($0)) }) }, lag: .seconds(Int64(lag)),
            now: now,
            readable: zip(starts, untils).map { $0..<max($0, $1) }, told: zip(told, untils).map { $0..<max($0, $1) },
            kept: try FindKeptHistory.decode(&row))
    }
}

extension PersonalRange {
    /// Reads unit, limits, critical limits, the settings beside them, and the periods.
    init(of parameter: Parameter, _ row: inout RowReader) throws {
        let unit = try row.read(String?.self).flatMap(Unit.init(rawValue:))
        let (minimum, maximum) = try (row.read(Int32?.self), row.read(Int32?.self))
        self.init(
            parameter: parameter, unit: unit ?? parameter.canonicalUnit, minimum: minimum.map { Steps($0) },
            maximum: maximum.map { Steps($0) })
        criticalMinimum = try row.read(Int32?.self).map { Steps($0) }
        criticalMaximum = try row.read(Int32?.self).map { Steps($0) }
        settings = try WatchSettings(&row)
        periods = try LimitPeriods(stored: row.read())
    }
}
