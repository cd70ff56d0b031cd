package import Instants
package import Postgres
package import WaterQuality

extension Position {
    /// Reads `latitude`, `longitude` and `accuracy`.
    package init(_ row: inout RowReader) throws {
        self.init(storedLatitude: try row.read(), longitude: try row.read(), accuracy: try row.read())
    }
}

extension TrackPoint {
    /// Reads `at` and the position.
    package init(_ row: inout RowReader) throws { self.init(time: try row.read(), position: try Position(&row)) }
}

/// Kept positions of a device that the person may see in a short period, oldest first.
package struct ListTrack: Statement {
    package static let sql = """
        SELECT at, latitude, longitude, accuracy FROM person_track
        WHERE slot = $1 AND device_id = $2 AND at >= $3::timestamptz AND at < $4::timestamptz
        ORDER BY at
        """
    let device: DeviceKey
    let period: Range<Timestamp>

    package init(of device: DeviceKey, in period: Range<Timestamp>) {
        self.device = device
        self.period = period
    }

    package func bind(_ parameters: inout Parameters) { parameters.append(device, in: period) }
    package static func decode(_ row: inout RowReader) throws -> TrackPoint { try TrackPoint(&row) }
}

/// Whether the person may see any position of a device in a period.
package struct HasTrack: Statement {
    package static let sql = """
        SELECT EXISTS (SELECT FROM person_track
            WHERE slot = $1 AND device_id = $2 AND at >= $3::timestamptz AND at < $4::timestamptz)
        """
    let device: DeviceKey
    let period: Range<Timestamp>

    package init(of device: DeviceKey, in period: Range<Timestamp>) {
        self.device = device
        self.period = period
    }

    package func bind(_ parameters: inout Parameters) { parameters.append(device, in: period) }
    package static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
