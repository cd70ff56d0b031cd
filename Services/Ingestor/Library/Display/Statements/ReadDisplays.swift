import Instants
import Postgres
import Store
import WaterQuality

/// The devices that show something, with their owners.
struct ListDisplays: Statement {
    static let sql = "SELECT slot, device_id, hardware_id, account_id FROM list_displays()"

    struct Row: Hashable, Sendable {
        var device: DeviceKey
        var hardwareID: String
        var owner: Account.ID
    }

    static func decode(_ row: inout RowReader) throws -> Row {
        try Row(device: DeviceKey(&row), hardwareID: row.read(), owner: row.read())
    }
}

/// The displays of some devices, beside their values. No row for one that shows nothing any more.
struct ReadDisplays: Statement {
    static let sql = """
        SELECT slot, device_id, name, utc_offset, lag, readings_from, parameters, units, minima, maxima, critical_minima,
            critical_maxima, turns, kinds, subjects, sides, told_at, answerers, answers_from, answers_until, work, work_until
        FROM read_displays($1, $2)
        """

    /// Something that is wrong, as an open episode of the owner says.
    struct Trouble: Hashable, Sendable {
        var kind: Word<Alert.Kind>
        /// The parameter; nil for the silence of the whole device.
        var parameter: Word<Parameter>?
        var side: Side?
        /// When the owner was told of it last; nil: not yet.
        var toldAt: Timestamp?
        /// The person who is on it, whether or not they said so before it was told again.
        var answer: OnIt?
    }

    /// A person who said that they are on it, as others see them.
    struct OnIt: Hashable, Sendable {
        var name: String
        var since: Timestamp
        var until: Timestamp
    }

    struct Row: Sendable {
        var device: DeviceKey
        /// The owner's name for the device.
        var name: String
        /// Seconds that the owner's clock is ahead of UTC.
        var utcOffset: Int32
        /// How far the device's clock is known to be behind.
        var lag: Duration
        var readingsFrom: Timestamp
        /// Limits that hold now, and units, in the owner's order.
        var ranges: [PersonalRange]
        /// The parameters that have limits at some time, though perhaps not now.
        var timed: Set<Parameter> = []
        /// The time until other limits may hold; `nil` where none change by the clock.
        var turnsIn: Duration?
        var troubles: [Trouble]
        var work: CurrentWork?
    }

    /// Work on the water that goes on.
    struct CurrentWork: Hashable, Sendable {
        var kind: Word<Work.Kind>
        var until: Timestamp
    }

    let devices: [DeviceKey]
    init(_ devices: [DeviceKey]) { self.devices = devices }
    func bind(_ parameters: inout Parameters) { parameters.append(devices) }

    static func decode(_ row: inout RowReader) throws -> Row {
        var found = try Row(
            device: DeviceKey(&row), name: row.read(), utcOffset: row.read(),
            lag: .seconds(Int64(row.read(Int32.self))), readingsFrom: row.read(), ranges: [], troubles: [])
        let (numbers, units) = try (row.read([Int16].self), row.read([String].self))
        let (minima, maxima) = try (row.read([Int32?].self), row.read([Int32?].self))
        let (criticalMinima, criticalMaxima) = try (row.read([Int32?].self), row.read([Int32?].self))
        let turns = try row.read([Int32?].self)
        found.turnsIn = turns.compactMap(\.self).min().map { .seconds(Int64($0)) }
        for (index, number) in numbers.enumerated() {
            // A newer version has more parameters.
            guard let parameter = Parameter(rawValue: number) else { continue }
            var range = PersonalRange(
                parameter: parameter, unit: Unit(rawValue: units[index]) ?? parameter.canonicalUnit,
                minimum: minima[index].map { Steps($0) }, maximum: maxima[index].map { Steps($0) })
            range.criticalMinimum = criticalMinima[index].map { Steps($0) }
            range.criticalMaximum = criticalMaxima[index].map { Steps($0) }
            found.ranges.append(range)
            if turns[index] != nil { found.timed.insert(parameter) }
        }
        let kinds = try row.read([Word<Alert.Kind>].self)
        let (subjects, sides) = try (row.read([Int16?].self), row.read([String?].self))
        let (toldAt, people) = try (row.read([Timestamp?].self), row.read([String?].self))
        let (since, until) = try (row.read([Timestamp?].self), row.read([Timestamp?].self))
        found.troubles = kinds.indices.map { index in
            var trouble = Trouble(
                kind: kinds[index], parameter: subjects[index].map { Word(rawValue: $0) },
                side: sides[index].flatMap(Side.init(rawValue:)), toldAt: toldAt[index])
            if let name = people[index], let since = since[index], let until = until[index] {
                trouble.answer = OnIt(name: name, since: since, until: until)
            }
            return trouble
        }
        if let kind = try row.read(String?.self), let until = try row.read(Timestamp?.self) {
            found.work = CurrentWork(kind: Word(rawValue: kind), until: until)
        }
        return found
    }
}
