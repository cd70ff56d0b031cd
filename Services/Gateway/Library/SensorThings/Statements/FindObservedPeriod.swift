import Instants
import Postgres
import Store
import WaterQuality

/// The period, by the devices' clocks, in which anything may be stored of some devices while they were the person's, and how far their clocks
/// are behind.
struct FindObservedPeriod: Statement {
    static let sql = """
        SELECT
            greatest(
                \(KeptSamples.since),
                least(now() - interval '3 days', -- what is not rolled up yet
                    min((SELECT min(d.starts_at) - interval '1 day' FROM person_sample_day d WHERE d.slot = k.slot AND d.device_id = k.device_id)),
                    min((SELECT min(r.hour) FROM person_rollup_due r WHERE r.slot = k.slot AND r.device_id = k.device_id)))),
            now() + interval '1 hour', coalesce(min(c.lag), 0), coalesce(max(c.lag), 0)
        FROM unnest($1::smallint[], $2::integer[]) AS k (slot, device_id)
        CROSS JOIN LATERAL (SELECT clock_lag(k.slot, k.device_id) AS lag OFFSET 0) AS c
        """

    struct Row: Equatable, Sendable {
        var period: Range<Timestamp>
        var lags: ClosedRange<Int32>
    }

    let slots: [Int16]
    let devices: [Int32]

    func bind(_ parameters: inout Parameters) {
        parameters.append(slots)
        parameters.append(devices)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (from, until): (Timestamp, Timestamp) = try (row.read(), row.read())
        let (least, most): (Int32, Int32) = try (row.read(), row.read())
        return Row(period: min(from, until)..<until, lags: least...max(least, most))
    }
}
