import Instants
import Postgres
import Store
import WaterQuality

/// A page of the messages of a device that the person may see, newest first. A page looks back a bounded time, so that what matches rarely
/// costs no more than what matches always.
struct PageMessages: Statement {
    static let sql = """
        SELECT event_time, received_at, flags, filled IS NOT NULL OR filled_more IS NOT NULL, coalesce(deleted, 0),
            \(SampleColumns.each { $0 })
        FROM person_sample
        WHERE slot = $1::smallint AND device_id = $2::integer
            AND event_time < $3::timestamptz AND event_time >= $4::timestamptz
            AND ($5::smallint IS NULL OR CASE $5::smallint \(values) END IS NOT NULL)
            AND CASE $6::text
                WHEN 'late' THEN received_at - event_time > $7 * interval '1 us'
                WHEN 'receiptTime' THEN flags & \(Sample.Flags.timedByReceipt.rawValue) <> 0
                WHEN 'history' THEN flags & \(Sample.Flags.notEvaluated.rawValue) <> 0
                WHEN 'doubtedTime' THEN flags & \(Sample.Flags.implausibleTime.rawValue) <> 0
                WHEN 'inParts' THEN filled IS NOT NULL OR filled_more IS NOT NULL
                WHEN 'deleted' THEN deleted IS NOT NULL
                ELSE true END
        ORDER BY event_time DESC
        LIMIT $8
        """

    private static let values = Parameter.allCases.map { "WHEN \($0.rawValue) THEN \($0.name)" }
        .joined(separator: " ")

    let device: DeviceKey
    let period: Range<Timestamp>
    let filter: MessageFilter
    let lateAfter: Duration
    let limit: Int64

    /// - Parameters:
    ///   - period: By the device's clock.
    ///   - lag: How far the device's clock is behind.
    init(of device: DeviceKey, in period: Range<Timestamp>, _ filter: MessageFilter, lag: Duration, limit: Int) {
        self.device = device
        self.period = period
        self.filter = filter
        lateAfter = StoredMessage.late + lag
        self.limit = Int64(limit)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(period.upperBound)
        parameters.append(period.lowerBound)
        parameters.append(filter.parameter)
        parameters.append(filter.property?.rawValue)
        parameters.append(lateAfter.wholeMicroseconds)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> StoredMessage {
        try StoredMessage(
            time: row.read(), receivedAt: row.read(), flags: Sample.Flags(rawValue: row.read()), isInParts: row.read(),
            deleted: ParameterSet(rawValue: row.read(Int32.self)), readings: Readings(&row))
    }
}
