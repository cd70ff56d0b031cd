package import Instants
package import Postgres
package import WaterQuality

/// One parameter of a device that a person has or had, with all that a series of it needs to know.
package struct SeriesSubject: Sendable {
    package let watch: WatchKey
    /// The person's unit, or the one that they had last.
    package let unit: Unit
    /// The database's clock; nothing is later than a device's clock may be ahead of it.
    package let now: Timestamp
    /// The periods that the person may see, oldest first.
    let readable: [Range<Timestamp>]
    let kept: KeptHistory
}

/// Finds the subject of a series. No row: the person of the transaction has no such device, and had none.
package struct FindSeriesSubject: Statement {
    package static let sql = """
        SELECT d.slot, d.device_id, $3, $2, clock_timestamp(),
            (SELECT g.unit FROM setting g
                WHERE g.slot = d.slot AND g.device_id = d.device_id AND g.account_id = $2 AND g.parameter = $3
                ORDER BY g.version DESC LIMIT 1),
            ARRAY(SELECT o.readings_from FROM ownership o
                WHERE o.slot = d.slot AND o.device_id = d.device_id AND o.account_id = $2
                ORDER BY o.readings_from, coalesce(o.unlinked_at, 'infinity')),
            ARRAY(SELECT coalesce(o.unlinked_at, 'infinity') FROM ownership o
                WHERE o.slot = d.slot AND o.device_id = d.device_id AND o.account_id = $2
                ORDER BY o.readings_from, coalesce(o.unlinked_at, 'infinity')),
            k.*
        FROM device d CROSS JOIN LATERAL (\(FindKeptHistory.of("d.slot"))) AS k
        WHERE d.hardware_id = $1
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

    package static func decode(_ row: inout RowReader) throws -> SeriesSubject {
        let watch = try WatchKey(&row)
        let now = try row.read(Timestamp.self)
        let unit = try row.read(String?.self).flatMap(Unit.init(rawValue:))
        let (starts, ends) = try (row.read([Timestamp].self), row.read([Timestamp].self))
        return SeriesSubject(
            watch: watch, unit: unit ?? watch.parameter.canonicalUnit, now: now,
            readable: zip(starts, ends).map { $0..<max($0, $1) }, kept: try FindKeptHistory.decode(&row))
    }
}
