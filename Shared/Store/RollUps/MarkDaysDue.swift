package import Instants
package import Postgres
package import WaterQuality

/// Marks the days of devices that a rolled-up hour affects as due for QARTOD's tests. A day is marked when all hours of
/// its window are rolled up, and again when one of them changes later.
package struct MarkDaysDue: Statement {
    package static let sql = """
        INSERT INTO quality_due (slot, device_id, day)
        SELECT d.slot, d.device_id, t.day
        FROM rollup_progress p CROSS JOIN unnest($3::timestamptz[]) AS t (day) JOIN device d ON d.slot = p.slot
        WHERE p.slot = $1::smallint AND (cardinality($2::integer[]) = 0 OR d.device_id = ANY ($2::integer[]))
            AND t.day >= p.judged_since AND t.day + $4 * interval '1 us' <= p.hours_until
            AND EXISTS (
                SELECT FROM sample_day s
                WHERE s.slot = d.slot AND s.device_id = d.device_id AND s.starts_at = t.day)
        ON CONFLICT DO NOTHING
        """

    let hour: ClaimedHour
    let devices: [Device.ID]
    let days: [Timestamp]

    /// - Parameters:
    ///   - devices: The devices with a change; empty for the whole slot.
    ///   - days: The beginnings of days, from `JudgedDays`.
    package init(_ hour: ClaimedHour, devices: [Device.ID], days: [Timestamp]) {
        self.hour = hour
        self.devices = devices
        self.days = days
    }

    package func bind(_ parameters: inout Parameters) {
        parameters.append(hour.slot)
        parameters.append(devices)
        parameters.append(days)
        parameters.append((DayReview.day + DayReview.reach).wholeMicroseconds)
    }
}

/// The days whose tests an hour affects.
package enum JudgedDays {
    /// The day that can be tested once an hour has been rolled up, and could not before.
    package static func completed(by hour: Timestamp) -> [Timestamp] {
        let day = hour + RollUpSchedule.hour - DayReview.reach - DayReview.day
        return day.roundedDown(to: RollUpSchedule.day) == day ? [day] : []
    }

    /// The days whose window contains an hour.
    package static func around(_ hour: Timestamp) -> [Timestamp] {
        let own = hour.roundedDown(to: RollUpSchedule.day)
        return [own - DayReview.day, own, own + DayReview.day].filter { DayReview.window(of: $0).contains(hour) }
    }

    /// The end of the days that are tested, or due, when hours are rolled up until a time.
    static func end(rolledUpUntil time: Timestamp) -> Timestamp {
        (time - DayReview.reach).roundedDown(to: RollUpSchedule.day)
    }
}
