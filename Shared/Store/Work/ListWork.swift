package import Instants
package import Postgres
package import WaterQuality

/// Work on a device's water in a period, oldest first; for a person, what is theirs to see.
package struct ListWork: Statement {
    package static let sql = """
        SELECT begins_at, ends_at, account_id, keeps_hard FROM water_work
        WHERE slot = $1 AND device_id = $2 AND ends_at > $3 AND begins_at < $4
        ORDER BY begins_at
        """

    let device: DeviceKey
    let period: Range<Timestamp>

    /// - Parameter period: By the database's clock.
    package init(on device: DeviceKey, in period: Range<Timestamp>) {
        self.device = device
        self.period = period
    }

    package func bind(_ parameters: inout Parameters) { parameters.append(device, in: period) }

    package static func decode(_ row: inout RowReader) throws -> Work {
        let (from, until) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        return try Work(from..<max(from, until), begunBy: row.read(), keepsHard: row.read())
    }
}
