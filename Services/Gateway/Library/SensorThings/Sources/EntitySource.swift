import Postgres
import SensorThings
import Store
import WaterQuality

/// Where the entities of a set are read, as SQL beside the table `k` of keys (slot, device, hardware, parameter, moment, test, datastream) and `c`
/// with the lag of the device's clock. What a person sees is decided by the views, which show the person of the transaction their own.
struct EntitySource: Sendable {
    /// The tables.
    let from: ComposedSQL
    /// What holds for every entity.
    let condition: ComposedSQL
    /// The parts of the key that can be asked for, each as a column.
    let keys: [KeyPart: ComposedSQL]
    /// The columns of the key by which entities are in order where nothing else is asked.
    let order: [ComposedSQL]
    /// Further columns of `StoredEntity`.
    let columns: [Column: ComposedSQL]
    /// An expression for each field of the set.
    let fields: [Field: ComposedSQL]
    /// Latitude and longitude of the set's places.
    var place: (latitude: ComposedSQL, longitude: ComposedSQL)? = nil

    enum KeyPart: CaseIterable, Sendable {
        case slot, device, hardwareID, parameter, isByHand, moment, test, isPresent
    }

    enum Column: CaseIterable, Sendable {
        case name, hardwareID, kind, latitude, longitude, time, result

        fileprivate var null: ComposedSQL {
            switch self {
            case .name, .hardwareID, .kind: "NULL::text"
            case .latitude, .longitude, .result: "NULL::double precision"
            case .time: "NULL::timestamptz"
            }
        }
    }

    /// All columns of `StoredEntity` behind its first.
    var selected: ComposedSQL {
        let key: [ComposedSQL] = [
            keys[.slot] ?? "NULL::smallint", keys[.device] ?? "NULL::integer", keys[.parameter] ?? "NULL::smallint",
            keys[.isByHand] ?? "NULL::boolean", keys[.moment] ?? "NULL::timestamptz", keys[.test] ?? "NULL::uuid",
        ]
        return (key + Column.allCases.map { columns[$0] ?? $0.null }).joined(by: ", ")
    }

    /// What ties entities to the row of `k`, by the parts that all keys have.
    func ties(_ key: EntityKey) -> [ComposedSQL] {
        var ties: [ComposedSQL] = []
        let selection = key.selection
        if key.slot != nil, let slot = keys[.slot] { ties.append("\(slot) = k.slot") }
        if selection.device != nil, let device = keys[.device] { ties.append("\(device) = k.device") }
        if selection.hardwareID != nil, let hardwareID = keys[.hardwareID] { ties.append("\(hardwareID) = k.hardware") }
        if selection.parameter != nil, let parameter = keys[.parameter] { ties.append("\(parameter) = k.parameter") }
        if let isByHand = selection.isByHand, let column = keys[.isByHand] {
            ties.append("\(column) = \(bind: isByHand)")
        }
        if selection.moment != nil, let moment = keys[.moment] { ties.append("\(moment) = k.moment") }
        if selection.isPresent, let isPresent = keys[.isPresent] { ties.append(isPresent) }
        if selection.test != nil, let test = keys[.test] { ties.append("\(test) = k.test") }
        return ties
    }
}

extension EntitySource {
    /// - Parameters:
    ///   - isByHand: Of Observations: whether those by hand are meant.
    ///   - key: One of the keys in `k`, which all have the same parts.
    ///   - isDescending: Whether entities come in the order opposite to that of their key.
    init(of set: EntitySet, isByHand: Bool, key: EntityKey = EntityKey(), isDescending: Bool = false) {
        let devices = Self.devices(key, by: set == .datastreams ? "id_start" : "d.device_id", isDescending)
        switch set {
        case .things: self = .things(devices)
        case .locations: self = .places(devices, of: .locations)
        case .historicalLocations: self = .places(devices, of: .historicalLocations)
        case .datastreams: self = .datastreams(devices)
        case .sensors: self = .sensors(devices)
        case .observedProperties: self = .observedProperties
        case .observations: self = isByHand ? .observationsByHand : .observations
        case .featuresOfInterest: self = .featuresOfInterest(devices)
        }
    }

    /// The devices and sites that the person has now, behind a fence: a filter that is computed for other people's first would tell of them by its
    /// failures. They come in the order of the page, so that it looks into no more of them than it shows: what one measured is in many rows.
    /// `id_start` is what ids of Datastreams begin with.
    private static func devices(_ key: EntityKey, by order: ComposedSQL, _ isDescending: Bool) -> ComposedSQL {
        var conditions: [ComposedSQL] = ["d.unlinked_at IS NULL"]
        if key.slot != nil { conditions.append("d.slot = k.slot") }
        if key.selection.device != nil { conditions.append("d.device_id = k.device") }
        if key.selection.hardwareID != nil { conditions.append("d.hardware_id = k.hardware") }
        return """
            (SELECT d.*, (d.hardware_id || ':') COLLATE "C" AS id_start FROM person_device d
                WHERE \(conditions.joined(by: " AND ")) ORDER BY \(order)\(isDescending ? " DESC" : "") OFFSET 0) AS d
            """
    }

    private static let ofDevices: [KeyPart: ComposedSQL] = [
        .slot: "d.slot", .device: "d.device_id", .hardwareID: "d.hardware_id",
    ]

    private static func things(_ devices: ComposedSQL) -> EntitySource {
        EntitySource(
            from: devices, condition: "d.unlinked_at IS NULL", keys: ofDevices,
            order: ["d.device_id"], columns: [.name: "d.name", .hardwareID: "d.hardware_id", .kind: "d.kind"],
            fields: [
                .id: "d.device_id::double precision", .name: "d.name", .hardwareID: "d.hardware_id", .kind: "d.kind",
            ])
    }

    /// The water at each of them.
    private static func featuresOfInterest(_ devices: ComposedSQL) -> EntitySource {
        EntitySource(
            from: devices, condition: "d.unlinked_at IS NULL", keys: ofDevices,
            order: ["d.device_id"],
            columns: [
                .name: "d.name", .hardwareID: "d.hardware_id", .latitude: "d.latitude", .longitude: "d.longitude",
            ],
            fields: [.id: "d.device_id::double precision", .name: "d.name", .place: "NULL"],
            place: ("d.latitude", "d.longitude"))
    }

    /// Where each of them is and was, as far as the person may see it: of a watched device where they themselves say that it is.
    private static func places(_ devices: ComposedSQL, of set: EntitySet) -> EntitySource {
        var fields: [Field: ComposedSQL] = [.id: "(d.device_id || '-' || \(microseconds("p.since")))"]
        if set == .locations {
            fields[.name] = "d.name"
            fields[.place] = "NULL"
        } else {
            fields[.time] = "p.since"
            fields[.thingID] = "d.device_id::double precision"
            fields[.thingName] = "d.name"
        }
        return EntitySource(
            from: """
                \(devices) JOIN person_tank t ON t.slot = d.slot AND t.ownership_id = d.ownership_id
                CROSS JOIN LATERAL (
                    SELECT p.since, p.latitude, p.longitude, p.since = max(p.since) OVER () AS is_present
                    FROM place p WHERE p.slot = t.slot AND p.tank_id = t.tank_id
                    UNION ALL
                    SELECT d.linked_at, d.latitude, d.longitude, true WHERE d.role = 'watcher' AND d.kind = 'device'
                ) AS p
                """,
            condition: "d.unlinked_at IS NULL AND p.latitude IS NOT NULL",
            keys: ofDevices.merging([.moment: "p.since", .isPresent: "p.is_present"]) { $1 },
            order: ["d.device_id", "p.since"],
            columns: [.name: "d.name", .latitude: "p.latitude", .longitude: "p.longitude", .time: "p.since"],
            fields: fields, place: ("p.latitude", "p.longitude"))
    }

    /// A parameter that a probe of theirs measures, or a person with a kit.
    private static func datastreams(_ devices: ComposedSQL) -> EntitySource {
        let id: ComposedSQL =
            "(d.id_start || p.code || CASE WHEN m.series >= 32 THEN ':hand' ELSE '' END) COLLATE \"C\""
        return EntitySource(
            from: """
                \(devices) CROSS JOIN LATERAL (SELECT DISTINCT series FROM measured_series(d.slot, d.device_id)) AS m
                JOIN \(catalogue) ON p.parameter = m.series & 31
                """,
            condition: "d.unlinked_at IS NULL",
            keys: ofDevices.merging([.parameter: "(m.series & 31::smallint)", .isByHand: "(m.series >= 32)"]) { $1 },
            order: ["d.id_start", id], columns: [.name: "d.name", .hardwareID: "d.hardware_id"],
            fields: [
                .id: id, .name: "(d.name || ': ' || p.name)",
                .unitSymbol: "p.symbol",
                .thingID: "d.device_id::double precision", .thingName: "d.name", .thingHardwareID: "d.hardware_id",
                .sensorID: "(d.device_id::double precision * 2 + (m.series >= 32)::integer)",
                .propertyID: "p.parameter::double precision", .propertyName: "p.name",
            ])
    }

    /// The probes of each, and people's kits.
    private static func sensors(_ devices: ComposedSQL) -> EntitySource {
        EntitySource(
            from: """
                \(devices)
                CROSS JOIN LATERAL (SELECT DISTINCT m.series >= 32 AS by_hand FROM measured_series(d.slot, d.device_id) m) AS m
                """,
            condition: "d.unlinked_at IS NULL",
            keys: ofDevices.merging([.isByHand: "m.by_hand"]) { $1 },
            order: ["d.device_id", "m.by_hand"], columns: [.name: "d.name", .hardwareID: "d.hardware_id"],
            fields: [
                .id: "(d.device_id::double precision * 2 + m.by_hand::integer)",
                .name: "(d.name || CASE WHEN m.by_hand THEN ': by hand' ELSE ': probes' END)",
            ])
    }

    private static let observedProperties = EntitySource(
        from: catalogue, condition: "true", keys: [.parameter: "p.parameter"], order: ["p.parameter"], columns: [:],
        fields: [
            .id: "p.parameter::double precision", .name: "p.name", .definition: "p.definition",
            .description: "p.description",
        ])

    /// What probes of one Datastream measured: its slot, device and parameter are in `k`.
    private static let observations: EntitySource = {
        let value: ComposedSQL = "(\(schema: Parameter.column(numbered: "k.parameter", of: "s")))"
        return EntitySource(
            from: "person_sample s", condition: "\(value) IS NOT NULL",
            keys: [
                .slot: "s.slot", .device: "s.device_id", .parameter: "k.parameter", .isByHand: "false",
                .moment: "s.event_time",
            ],
            order: ["s.event_time"], columns: [.time: "(s.event_time + c.lag)", .result: shortest(value)],
            fields: observed("\(microseconds("s.event_time"))", "(s.event_time + c.lag)", value, isByHand: false))
    }()

    /// What people measured by hand of one Datastream.
    private static let observationsByHand = EntitySource(
        from: "hand_value v",
        condition: """
            v.tank_id = (SELECT t.tank_id FROM person_tank t
                WHERE t.slot = k.slot AND t.device_id = k.device AND t.unlinked_at IS NULL)
            """,
        keys: [
            .slot: "v.slot", .device: "v.device_id", .parameter: "v.parameter", .isByHand: "true", .moment: "v.at",
            .test: "v.test_id",
        ],
        order: ["v.at", "v.test_id"], columns: [.time: "v.at", .result: shortest("v.value")],
        fields: observed("v.test_id", "v.at", "v.value", isByHand: true))

    private static func observed(
        _ id: ComposedSQL, _ time: ComposedSQL, _ value: ComposedSQL, isByHand: Bool
    ) -> [Field: ComposedSQL] {
        let datastream: ComposedSQL = "(k.device::bigint * 64 + k.parameter + \(schema: isByHand ? "32" : "0"))"
        return [
            .id: "(\(datastream) || '-' || \(id))", .time: time, .resultTime: time, .result: shortest(value),
            .datastreamID: "k.datastream", .featureID: "k.device::double precision",
        ]
    }

    /// The number that is written as the stored one is: 8.3 and not 8.30000019.
    private static func shortest(_ value: ComposedSQL) -> ComposedSQL { "\(value)::text::double precision" }

    private static func microseconds(_ time: ComposedSQL) -> ComposedSQL {
        "(extract(epoch FROM \(time)) * 1000000)::bigint"
    }

    /// The parameters with their English words: `p`.
    private static let catalogue: ComposedSQL = {
        let all = Parameter.allCases.map(ObservedParameter.init)
        return """
            unnest(\(bind: all.map { Optional($0.parameter.rawValue) }), \(bind: all.map { Optional($0.parameter.name) }), \
            \(bind: all.map { Optional($0.name) }), \(bind: all.map { Optional($0.symbol) }), \(bind: all.map { Optional($0.definition) }), \
            \(bind: all.map { Optional($0.description) })) AS p (parameter, code, name, symbol, definition, description)
            """
    }()
}
