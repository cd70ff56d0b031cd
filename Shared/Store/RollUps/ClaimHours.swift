package import Instants
package import Postgres
package import WaterQuality

/// An hour of a slot that is being rolled up.
package struct ClaimedHour: Equatable, Sendable {
    package var slot: Slot
    package var start: Timestamp
    /// Whether this hour completes its day, so that the day is rolled up as well.
    package var completesDay: Bool

    /// An hour chosen by the holder of the roll-ups' lock.
    package init(slot: Slot, start: Timestamp) {
        self.slot = slot
        self.start = start
        completesDay = false
    }

    init(_ row: inout RowReader) throws {
        slot = try row.read()
        start = try row.read()
        completesDay = try row.read()
    }
}

/// Claims the next hour of the slot that is furthest behind. No row if no hour is ready, the clock is not trusted, or
/// another transaction works on the roll-ups. The claim keeps others out until the end of the transaction.
package struct ClaimNextHour: Statement {
    package static let sql = """
        WITH ours AS MATERIALIZED (
            SELECT clock_is_trusted() AND pg_try_advisory_xact_lock(7133703) AS locked
        ), writer AS MATERIALIZED (
            -- the oldest open transaction of an Ingestor, this one among them
            SELECT min(xact_start) AS began FROM pg_stat_activity
            WHERE datname = current_database() AND usename = current_user
        )
        SELECT ripe.slot, ripe.hours_until,
            date_bin('24 hours', ripe.hours_until + interval '1 hour', 'epoch') = ripe.hours_until + interval '1 hour'
        FROM ours, writer, LATERAL (
            SELECT slot, hours_until FROM rollup_progress
            WHERE hours_until + interval '1 hour' + $2 * interval '1 us' <= now()
                AND hours_until + interval '1 hour' + $1 * interval '1 us' <= writer.began
            ORDER BY hours_until, slot
            LIMIT 1
        ) AS ripe
        WHERE ours.locked
        """

    let closing: Duration
    let rollUp: Duration

    package init(closing: Duration = RollUpSchedule.closing, rollUp: Duration = RollUpSchedule.rollUp) {
        self.closing = closing
        self.rollUp = rollUp
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(closing.wholeMicroseconds)
        parameters.append(rollUp.wholeMicroseconds)
    }

    package static func decode(_ row: inout RowReader) throws -> ClaimedHour { try ClaimedHour(&row) }
}

/// Claims an hour that is due again; an hour that was never rolled up waits for its turn. Otherwise like
/// `ClaimNextHour`.
package struct ClaimDueHour: Statement {
    package static let sql = """
        WITH ours AS MATERIALIZED (
            SELECT pg_try_advisory_xact_lock(7133703) AS locked
        )
        SELECT due.slot, due.hour, date_bin('24 hours', due.hour, 'epoch') + interval '24 hours' <= due.hours_until
        FROM ours, LATERAL (
            SELECT d.slot, d.hour, p.hours_until
            FROM rollup_progress p CROSS JOIN LATERAL (
                SELECT slot, hour FROM rollup_due WHERE slot = p.slot AND hour < p.hours_until ORDER BY hour LIMIT 1
            ) AS d
            -- random, so that no slot keeps the others waiting
            ORDER BY d.hour, random()
            LIMIT 1
        ) AS due
        WHERE ours.locked
        """

    package init() {}
    package static func decode(_ row: inout RowReader) throws -> ClaimedHour { try ClaimedHour(&row) }
}

/// Removes the marks of an hour: one row for each device, `nil` for the whole slot.
package struct TakeDueDevices: Statement {
    package static let sql = """
        WITH taken AS (
            DELETE FROM rollup_due WHERE slot = $1 AND hour = $2 RETURNING device_id
        )
        SELECT DISTINCT device_id FROM taken
        """

    let hour: ClaimedHour
    package init(_ hour: ClaimedHour) { self.hour = hour }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(hour.slot)
        parameters.append(hour.start)
    }

    package static func decode(_ row: inout RowReader) throws -> Device.ID? { try row.read() }
}

/// Records the first roll-up of an hour.
package struct AdvanceRollUps: Statement {
    package static let sql = """
        UPDATE rollup_progress SET hours_until = hours_until + interval '1 hour' WHERE slot = $1 AND hours_until = $2
        """

    let hour: ClaimedHour
    package init(_ hour: ClaimedHour) { self.hour = hour }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(hour.slot)
        parameters.append(hour.start)
    }
}
