import Instants
import Postgres
import Store
import WaterQuality

/// The limits of everybody who has some devices now, one row for each person and parameter.
struct LoadHandLimits: Statement {
    static let sql = """
        SELECT o.slot, o.device_id, o.tank_id, o.account_id, \(Ownership.toldFrom), a.throttle_seconds, s.parameter,
            s.minimum, s.maximum, s.critical_minimum, s.critical_maximum
        FROM unnest($1::smallint[], $2::integer[]) AS wanted (slot, device_id)
        JOIN ownership o ON o.slot = wanted.slot AND o.device_id = wanted.device_id AND o.unlinked_at IS NULL
        JOIN account a ON a.account_id = o.account_id
        JOIN setting s ON s.slot = o.slot AND s.device_id = o.device_id AND s.account_id = o.account_id
            AND s.valid_until IS NULL
        WHERE s.parameter < \(Parameter.count)
        ORDER BY o.slot, o.device_id, o.account_id, s.parameter
        """

    struct Row: Sendable {
        var device: DeviceKey
        var tank: Int64
        var account: Account.ID
        /// Since when what happens to the device is theirs; `nil` for always.
        var theirsFrom: Timestamp?
        /// Their throttle interval, if they set one.
        var throttle: Duration?
        var parameter: Parameter
        /// `nil` where no limit is set.
        var range: SafeRange?
        var critical: CriticalBand
    }

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (device, tank) = try (DeviceKey(&row), row.read(Int64.self))
        let (account, theirsFrom) = try (row.read(Account.ID.self), row.read(Timestamp?.self))
        let throttle = try row.read(Int32?.self).map { Duration.seconds(Int64($0)) }
        let parameter = try row.read(Parameter.self)
        func steps() throws -> Steps? { try row.read(Int32?.self).map { Steps($0) } }
        let (minimum, maximum) = try (steps(), steps())
        let (criticalMinimum, criticalMaximum) = try (steps(), steps())
        let range =
            minimum == nil && maximum == nil
            ? nil : try? SafeRange(parameter, minimum: minimum, maximum: maximum)
        let critical = try? range.map {
            try CriticalBand(beyond: $0, minimum: criticalMinimum, maximum: criticalMaximum)
        }
        return Row(
            device: device, tank: tank, account: account, theirsFrom: theirsFrom, throttle: throttle,
            parameter: parameter, range: range, critical: critical.flatMap(\.self) ?? .none)
    }
}
