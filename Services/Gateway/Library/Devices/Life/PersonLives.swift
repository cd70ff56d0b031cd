import Postgres
import Store
import WaterQuality

/// The life of a device of the person for whom the transaction acts; no row while it has said nothing that they may see.
struct FindPersonLife: Statement {
    static let sql = """
        \(KnownLife.select(from: "person_life", days: "person_life_day", most: DeviceLife.keptDays))
        WHERE l.slot = $1 AND l.device_id = $2
        """

    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> KnownLife { try KnownLife(&row) }
}

/// The same of several of their devices.
struct FindPersonLives: Statement {
    static let sql = """
        \(KnownLife.select(from: "(SELECT p.* FROM unnest($1::smallint[], $2::integer[]) AS n (slot, device_id) JOIN person_life p USING (slot, device_id))", days: "person_life_day"))
        """

    let devices: [DeviceKey]
    init(of devices: [DeviceKey]) { self.devices = devices }

    func bind(_ parameters: inout Parameters) {
        parameters.append(devices.map(\.slot))
        parameters.append(devices.map(\.device))
    }

    static func decode(_ row: inout RowReader) throws -> KnownLife { try KnownLife(&row) }
}

/// The versions that run on the person's devices, each once.
struct ListPersonVersions: Statement {
    static let sql = "SELECT DISTINCT family, version FROM person_life WHERE version IS NOT NULL LIMIT $1"

    /// More than anybody runs at once.
    private static let most: Int64 = 500

    func bind(_ parameters: inout Parameters) { parameters.append(Self.most) }

    static func decode(_ row: inout RowReader) throws -> (family: LifeReport.Family?, version: String) {
        (try row.read(Word<LifeReport.Family>.self).known, try row.read())
    }
}

/// The changes of a device of theirs, the latest first.
struct ListPersonLifeChanges: Statement {
    static let sql = """
        SELECT at, kind, former, value FROM person_life_change WHERE slot = $1 AND device_id = $2 ORDER BY at DESC, kind LIMIT 32
        """

    let device: DeviceKey
    init(of device: DeviceKey) { self.device = device }

    func bind(_ parameters: inout Parameters) {
        parameters.append(device.slot)
        parameters.append(device.device)
    }

    static func decode(_ row: inout RowReader) throws -> LifeChange { try LifeChange(&row) }
}

extension PostgresTransaction {
    /// Adds to the devices that are silent what they had said of themselves before.
    func explained(_ devices: [PersonDevice]) throws -> [PersonDevice] {
        let silent = devices.filter { $0.heardBeforeSilence != nil }
        guard !silent.isEmpty else { return devices }
        let lives = Dictionary(
            try execute(FindPersonLives(of: silent.map(\.key))).map { ($0.device, $0.life) }, uniquingKeysWith: { $1 })
        return devices.map { device in
            guard let heardAt = device.heardBeforeSilence, let life = lives[device.key] else { return device }
            var device = device
            device.silenceHint = SilenceHint(life, heardAt: heardAt)
            return device
        }
    }
}
