import Instants
import Postgres
import Store
import WaterQuality

/// The limits of everybody who has some devices now, one row for each person and parameter.
struct LoadHandLimits: Statement {
    static let sql = """
        SELECT o.slot, o.device_id, o.tank_id, o.account_id, \(Ownership.toldFrom), a.throttle_seconds, s.parameter,
            s.minimum, s.maximum, s.critical_minimum, s.critical_maximum, s.periods::text,
            \(LimitTurns.columns(of: "s.", since: "$3::timestamptz", until: "$4::timestamptz"))
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
        /// The person's own throttle interval, if they set one.
        var throttle: Duration?
        var parameter: Parameter
        /// Plain limits, and those at other times.
        var person: PersonalRange
        var turns: LimitTurns

        /// The limits for what was measured at a time; no range where none is set.
        func limits(at time: Timestamp) -> (range: SafeRange?, critical: CriticalBand) {
            let held = person.held(at: turns.place(at: time))
            guard held.minimum != nil || held.maximum != nil,
                let range = try? SafeRange(parameter, minimum: held.minimum, maximum: held.maximum)
            else { return (nil, .none) }
            let critical = try? CriticalBand(
                beyond: range, minimum: held.criticalMinimum, maximum: held.criticalMaximum)
            return (range, critical ?? .none)
        }
    }

    let devices: [DeviceKey]
    let time: Range<Timestamp>

    /// - Parameter time: When values were measured that are judged.
    init(_ devices: [DeviceKey], in time: Range<Timestamp>) {
        self.devices = devices
        self.time = time
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices)
        parameters.append(time.lowerBound)
        parameters.append(time.upperBound)
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        let (device, tank) = try (DeviceKey(&row), row.read(Int64.self))
        let (account, theirsFrom) = try (row.read(Account.ID.self), row.read(Timestamp?.self))
        let throttle = try row.read(Int32?.self).map { Duration.seconds(Int64($0)) }
        let parameter = try row.read(Parameter.self)
        func steps() throws -> Steps? { try row.read(Int32?.self).map { Steps($0) } }
        var person = try PersonalRange(
            parameter: parameter, unit: parameter.canonicalUnit, minimum: steps(), maximum: steps())
        person.criticalMinimum = try steps()
        person.criticalMaximum = try steps()
        person.periods = try LimitPeriods(stored: row.read())
        return Row(
            device: device, tank: tank, account: account, theirsFrom: theirsFrom, throttle: throttle,
            parameter: parameter, person: person, turns: try LimitTurns(&row))
    }
}
