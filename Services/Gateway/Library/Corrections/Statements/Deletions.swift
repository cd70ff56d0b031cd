import Instants
import Postgres
import Store
import WaterQuality

/// Deletions in the tank in which the person has or had a device last, newest first.
struct PageDeletions: Statement {
    static let sql = """
        SELECT x.deletion_id, x.at, x.since, x.until, x.parameters, x.messages, x.readings, x.note, \(CarePerson.columns)
        FROM \(TankKey.lastOfDevice)
        JOIN deletion x ON x.slot = k.slot AND x.tank_id = k.tank_id
        \(CarePerson.join("x"))
        WHERE (x.at, x.deletion_id) < ($3, $4) AND x.until > $6 AND x.since < $7
        ORDER BY x.at DESC, x.deletion_id DESC
        LIMIT $5
        """

    let device: DeviceKey
    let before: DeletionPlace?
    let limit: Int64
    let period: Range<Timestamp>

    /// - Parameter period: Of the readings; what touches it is listed.
    init(
        on device: DeviceKey, before: DeletionPlace? = nil, limit: Int,
        touching period: Range<Timestamp> = .distantPast ..< .distantFuture
    ) {
        self.device = device
        self.before = before
        self.limit = Int64(limit)
        self.period = period
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(before?.at ?? .distantFuture)
        parameters.append(before?.id ?? DeletionID(rawValue: 0))
        parameters.append(limit)
        parameters.append(period.lowerBound)
        parameters.append(period.upperBound)
    }

    static func decode(_ row: inout RowReader) throws -> Deletion {
        let (id, at) = try (row.read(DeletionID.self), row.read(Timestamp.self))
        let (since, until) = try (row.read(Timestamp.self), row.read(Timestamp.self))
        return try Deletion(
            id: id, at: at, period: since..<max(since, until), parameters: ParameterSet(rawValue: row.read(Int32.self)),
            messages: Int(row.read(Int32.self)), readings: Int(row.read(Int32.self)), reason: row.read(),
            by: CarePerson.read(&row))
    }
}
