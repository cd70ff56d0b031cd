import Instants
import Postgres
import Store
import WaterQuality

/// Kept positions of a device that the person may see in a short period, oldest first, with the readings of the messages
/// that said them.
struct ListTrackReadings: Statement {
    static let sql = """
        SELECT t.at, t.latitude, t.longitude, t.accuracy, \(SampleColumns.each { "s.\($0)" })
        FROM person_track t
        LEFT JOIN person_sample s ON s.slot = $1 AND s.device_id = $2 AND s.event_time = t.at
            AND s.event_time >= $3 AND s.event_time < $4
        WHERE t.slot = $1 AND t.device_id = $2 AND t.at >= $3::timestamptz AND t.at < $4::timestamptz
        ORDER BY t.at
        """

    struct Row: Sendable {
        var point: TrackPoint
        var readings: Readings
    }

    let device: DeviceKey
    let period: Range<Timestamp>

    init(of device: DeviceKey, in period: Range<Timestamp>) {
        self.device = device
        self.period = period
    }

    func bind(_ parameters: inout Parameters) { parameters.append(device, in: period) }
    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(point: TrackPoint(&row), readings: Readings(&row))
    }
}

/// Kept positions of a device that the person may see in a period, evenly thinned to a number of them, each with the
/// value of a parameter that held there: the last of ten minutes, among 32 messages.
struct ReadTrack: Statement {
    static let sql = """
        WITH points AS MATERIALIZED (
            SELECT at, latitude, longitude, accuracy, total FROM (
                SELECT t.*, row_number() OVER (ORDER BY at) - 1 AS number, count(*) OVER () AS total FROM person_track t
                WHERE slot = $1 AND device_id = $2 AND at >= $3::timestamptz AND at < $4::timestamptz
            ) AS numbered
            -- the last one in any case: it is where the device is
            WHERE number % ((total - 1) / $6::bigint + 1) = 0 OR number = total - 1
        )
        SELECT p.at, p.latitude, p.longitude, p.accuracy, p.total, (
            SELECT message.value FROM (
                SELECT s.event_time, \(Parameter.column(numbered: "$5", of: "s")) AS value FROM person_sample s
                WHERE s.slot = $1 AND s.device_id = $2 AND s.event_time > p.at - interval '10 minutes' AND s.event_time <= p.at
                ORDER BY s.event_time DESC LIMIT 32
            ) AS message
            WHERE message.value IS NOT NULL
            ORDER BY message.event_time DESC LIMIT 1)
        FROM points p
        ORDER BY p.at
        """

    struct Row: Sendable {
        var point: TrackPoint
        /// The number of positions in the period.
        var total: Int64
        /// In the parameter's canonical unit.
        var value: Float?
    }

    let device: DeviceKey
    let period: Range<Timestamp>
    let parameter: Parameter
    let most: Int64

    /// - Parameter most: About how many positions; at least 1.
    init(of device: DeviceKey, in period: Range<Timestamp>, with parameter: Parameter, most: Int) {
        self.device = device
        self.period = period
        self.parameter = parameter
        self.most = Int64(most)
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device, in: period)
        parameters.append(parameter)
        parameters.append(most)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(point: TrackPoint(&row), total: row.read(), value: row.read())
    }
}

/// Deletes positions of a device of the person's, oldest first; the result is how many. Less than `most`: none is left.
struct ForgetTrack: Statement {
    static let sql = "SELECT forget_track($1, $2, $3)"
    static let most: Int32 = 20_000
    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(Self.most)
    }

    static func decode(_ row: inout RowReader) throws -> Int32 { try row.read() }
}
