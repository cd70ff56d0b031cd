import Postgres
import Routes
import Store
import WaterQuality

/// The presets that the named account may use beside those that come with the service: its own first, then those of projects; a row for each
/// parameter.
struct ListOwnPresets: Statement {
    static let sql = """
        SELECT p.preset_id, p.name, p.project, p.version, l.key::smallint, 1, coalesce(s.unit, ''), s.minimum, s.maximum, '', 0::smallint,
            s.critical_minimum, s.critical_maximum, \(WatchSetting.columns(of: "s.")), false, s.periods::text
        FROM (
            SELECT * FROM person_preset o WHERE $1::uuid IS NULL OR o.preset_id = $1
            ORDER BY o.project NULLS FIRST, o.name, o.preset_id LIMIT $2) p
        CROSS JOIN LATERAL jsonb_each(p.limits) AS l
        CROSS JOIN LATERAL jsonb_populate_record(NULL::setting, l.value) AS s
        WHERE l.key::smallint < \(Parameter.count)
        ORDER BY p.project NULLS FIRST, p.name, p.preset_id, l.key::smallint
        """

    let id: OwnPresetID?
    let limit = Int64(OwnPreset.most)

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(limit)
    }

    static func decode(_ row: inout RowReader) throws -> OwnPreset {
        let (id, name, project, version) = try (
            row.read(OwnPresetID.self), row.read(String.self), row.read(String?.self), row.read(Int32.self)
        )
        let parameter = try row.read(Parameter.self)
        let range = try ReadSetting.decode(&row).range(of: parameter)
        return OwnPreset(id: id, name: name, project: project, version: version, ranges: [range])
    }
}

/// Makes a preset of the account for which a transaction acts, or changes one.
struct PutPreset: Statement {
    static let sql = "SELECT outcome, preset FROM put_preset($1, $2, $3, $4::text::jsonb)"

    enum Outcome: String, CaseIterable, Sendable {
        case made, changed, stale, unknown
        /// Another one is called so.
        case named
        case full
    }

    let id: OwnPresetID?
    /// The version that is changed.
    let version: Int32?
    let name: String
    let limits: LimitsDocument

    func bind(_ parameters: inout Parameters) {
        parameters.append(id)
        parameters.append(version)
        parameters.append(name)
        parameters.append(limits.text)
    }

    static func decode(_ row: inout RowReader) throws -> (outcome: Outcome, id: OwnPresetID?) {
        try (row.read(), row.read())
    }
}

/// Deletes a preset of the account for which a transaction acts. False: it has none of this id.
struct DropPreset: Statement {
    static let sql = "SELECT drop_preset($1)"
    let id: OwnPresetID
    func bind(_ parameters: inout Parameters) { parameters.append(id) }
    static func decode(_ row: inout RowReader) throws -> Bool { try row.read() }
}

/// The keys of devices that the person has now, of those that are named.
struct FindPersonDevices: Statement {
    static let sql =
        "SELECT slot, device_id FROM person_device WHERE unlinked_at IS NULL AND hardware_id = ANY ($1::text[]) ORDER BY slot, device_id"
    let ids: [String]
    init(_ ids: [Device.HardwareID]) { self.ids = ids.map(\.text) }
    func bind(_ parameters: inout Parameters) { parameters.append(ids) }
    static func decode(_ row: inout RowReader) throws -> DeviceKey { try DeviceKey(&row) }
}

extension PostgresTransaction {
    /// The presets that whoever acts may use beside those that come with the service.
    func ownPresets(_ id: OwnPresetID? = nil) throws -> [OwnPreset] {
        try execute(ListOwnPresets(id: id)).reduce(into: []) { presets, row in
            if presets.last?.id == row.id {
                presets[presets.count - 1].ranges += row.ranges
            } else {
                presets.append(row)
            }
        }
    }

    /// - Throws: `Problem(.notFound)`, for an unknown preset as for one that they may not use.
    func ownPreset(_ id: OwnPresetID) throws -> OwnPreset {
        guard let preset = try ownPresets(id).first else { throw Problem(.notFound) }
        return preset
    }
}
