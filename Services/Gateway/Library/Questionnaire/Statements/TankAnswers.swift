import Instants
import Postgres
import Store
import WaterQuality

/// Reads the newest answers about a tank; no row while nothing has been answered.
struct ReadTankAnswers: Statement {
    static let sql = """
        SELECT a.version, a.at, \(CarePerson.columns), a.kind, a.species, a.litres, a.outdoors, a.winter, a.plants, a.carbon_dioxide,
            a.probes
        FROM tank_answers a
        \(CarePerson.join("a"))
        WHERE a.slot = $1 AND a.tank_id = $2
        ORDER BY a.version DESC
        LIMIT 1
        """

    let tank: TankKey
    init(of tank: TankKey) { self.tank = tank }
    func bind(_ parameters: inout Parameters) { parameters.append(tank) }

    static func decode(_ row: inout RowReader) throws -> StoredAnswers {
        var stored = StoredAnswers()
        stored.version = try row.read()
        stored.at = try row.read(Timestamp?.self)
        stored.by = try CarePerson.read(&row)
        // Words that only a newer version knows count as not said.
        stored.answers.kind = try row.read(String?.self).flatMap(Preset.init(rawValue:))
        stored.answers.species = try row.read([String].self).compactMap(Species.named)
        stored.answers.litres = try row.read(Double?.self)
        let (isOutdoors, winter) = try (row.read(Bool?.self), row.read(String?.self))
        stored.answers.place = isOutdoors.map { isOutdoors in
            isOutdoors ? .outdoors(winter: winter.flatMap(TankAnswers.Winter.init(rawValue:))) : .indoors
        }
        stored.answers.hasPlants = try row.read(Bool?.self)
        stored.answers.addsCarbonDioxide = try row.read(Bool?.self)
        stored.answers.probes = try row.read(Int32?.self).map(ParameterSet.init(rawValue:))
        return stored
    }
}

/// Adds a version of the answers about the named person's tank.
struct PutTankAnswers: Statement {
    static let sql = "SELECT outcome FROM put_tank_answers($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"

    /// The raw values are those of the database's function.
    enum Outcome: String, CaseIterable, Sendable {
        case created, changed, stale, notTheirs, unknown
    }

    let device: DeviceKey
    /// The version that is replaced; `nil` for the first.
    let version: Int32?
    let answers: TankAnswers

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
        parameters.append(version)
        parameters.append(answers.kind?.rawValue)
        parameters.append(answers.species.map(\.id))
        parameters.append(answers.litres)
        let winter: TankAnswers.Winter? = if case .outdoors(let winter) = answers.place { winter } else { nil }
        parameters.append(answers.place.map { $0 != .indoors })
        parameters.append(winter?.rawValue)
        parameters.append(answers.hasPlants)
        parameters.append(answers.addsCarbonDioxide)
        parameters.append(answers.probes?.rawValue)
    }

    static func decode(_ row: inout RowReader) throws -> Outcome { try row.read() }
}
