import Instants
import Postgres
import Store
import WaterQuality

/// Two devices in the same water, as a person sees them who has both.
struct PersonPair: Sendable {
    struct Member: Sendable {
        var device: String
        /// The person's own name for it.
        var name: String
    }

    struct Difference: Sendable {
        var parameter: Parameter
        /// The lead of the first one's readings, in the canonical unit; below zero: they are lower; `nil` for too few values in common.
        var by: Float?
        /// The person's unit, if they chose one.
        var unit: Unit?
        /// Since when it has counted as a fault; `nil` while it does not.
        var since: Timestamp?

        var told: ToldChange { ToldChange(parameter, in: unit, change: by ?? 0, limit: 0, value: 0) }
    }

    /// The device whose probes are told of.
    var first: Member
    var second: Member
    var pairedAt: Timestamp
    /// `nil`: not yet.
    var comparedAt: Timestamp?
    var differences: [Difference]
}

/// The pair of a device of the transaction's person, whichever of the two it is.
struct FindPair: Statement {
    static let sql = """
        SELECT p.hardware_id, p.name, q.hardware_id, q.name, c.paired_at, c.compared_at, c.parameters, c.differences,
            d.units, d.since
        FROM (
            (SELECT * FROM companion WHERE slot = $1 AND device_id = $2)
            UNION ALL
            (SELECT * FROM companion WHERE second_slot = $1 AND second_id = $2)
        ) c
        JOIN person_device p ON p.slot = c.slot AND p.device_id = c.device_id AND p.unlinked_at IS NULL
        JOIN person_device q ON q.slot = c.second_slot AND q.device_id = c.second_id AND q.unlinked_at IS NULL
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(s.unit ORDER BY v.place), '{}') AS units,
                coalesce(array_agg(e.opened_at + make_interval(secs => clock_lag(c.slot, c.device_id)) ORDER BY v.place), '{}') AS since
            FROM unnest(c.parameters) WITH ORDINALITY AS v (parameter, place)
            LEFT JOIN setting s ON s.slot = c.slot AND s.device_id = c.device_id AND s.account_id = (SELECT current_account())
                AND s.parameter = v.parameter AND s.valid_until IS NULL
            LEFT JOIN episode e ON e.slot = c.slot AND e.device_id = c.device_id AND e.parameter = v.parameter
                AND e.account_id = (SELECT current_account()) AND e.kind = 'fault' AND e.closed_at IS NULL AND e.differs_by IS NOT NULL
        ) d
        """
    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> PersonPair {
        let first = try PersonPair.Member(device: row.read(), name: row.read())
        let second = try PersonPair.Member(device: row.read(), name: row.read())
        let (pairedAt, comparedAt) = try (row.read(Timestamp.self), row.read(Timestamp?.self))
        let (parameters, differences) = try (row.read([Word<Parameter>].self), row.read([Float?].self))
        let (units, since) = try (row.read([String?].self), row.read([Timestamp?].self))
        let compared = zip(zip(parameters, differences), zip(units, since)).compactMap {
            found, shown -> PersonPair.Difference? in
            guard let parameter = found.0.known else { return nil }
            return PersonPair.Difference(
                parameter: parameter, by: found.1, unit: shown.0.flatMap(Unit.init(rawValue:)), since: shown.1)
        }
        return PersonPair(
            first: first, second: second, pairedAt: pairedAt, comparedAt: comparedAt, differences: compared)
    }
}

/// Says that a second device stands in the water of the first, both of the named account.
struct PairDevices: Statement {
    static let sql = "SELECT pair_devices($1, $2)"

    enum Outcome: String, CaseIterable, Sendable {
        case paired
        /// As it was.
        case same
        /// A device of the two is not the account's own.
        case unknown
        /// A device of the two is in another pair.
        case taken
    }

    let device: Device.HardwareID
    let second: Device.HardwareID

    init(_ device: Device.HardwareID, with second: Device.HardwareID) {
        self.device = device
        self.second = second
    }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.text)
        parameters.append(second.text)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}

/// Takes the pair of a device apart. False: it is in none.
struct PartDevices: Statement {
    static let sql = "SELECT part_devices($1)"
    let device: Device.HardwareID
    init(of device: Device.HardwareID) { self.device = device }
    func bind(_ parameters: inout Parameters) { parameters.append(device.text) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}
