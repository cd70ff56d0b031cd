import Instants
import Postgres
import SensorThings
import WaterQuality

/// A page of the entities of a set for each of several keys, which all have the same parts.
struct ReadEntities: ComposedStatement {
    let set: EntitySet
    let keys: [EntityKey]
    let filter: FilterExpression?
    let order: [QueryOptions.Order]
    /// Where the page before ended, for one key in the set's own order.
    var after: EntityKey?
    /// The most for each key.
    let limit: Int
    var skip = 0
    /// Of Observations of probes: the days that are looked into, as constants, so that the server plans for their partitions alone.
    var period: Range<Timestamp>?

    private var source: EntitySource {
        EntitySource(
            of: set, isByHand: keys[0].selection.isByHand == true, key: keys[0], isDescending: isDescending)
    }

    var sql: ComposedSQL {
        let source = source
        let sorted = sorted(source)
        return """
            SELECT k.n, e.* FROM \(keyTable)
            CROSS JOIN LATERAL (
                SELECT \(source.selected), row_number() OVER (ORDER BY \(sorted)) AS place
                FROM \(tables(source))
                WHERE \(conditions(source))
                ORDER BY \(sorted) LIMIT \(bind: Int64(limit)) OFFSET \(bind: Int64(skip))
            ) AS e
            ORDER BY k.n, e.place
            """
    }

    /// The keys, and of Observations the lag of the device's clock.
    fileprivate var keyTable: ComposedSQL {
        let keyed: ComposedSQL = """
            unnest(\(bind: keys.map(\.slot)), \(bind: keys.map(\.selection.device)), \
            \(bind: keys.map { $0.selection.hardwareID?.text }), \(bind: keys.map(\.selection.parameter)), \
            \(bind: keys.map { $0.selection.moment.map(Timestamp.init(microseconds:)) }), \(bind: keys.map(\.selection.test)), \
            \(bind: keys.map { $0.selection.datastreamName?.description })) \
            WITH ORDINALITY AS k (slot, device, hardware, parameter, moment, test, datastream, n)
            """
        guard set == .observations else { return keyed }
        return
            "\(keyed) CROSS JOIN LATERAL (SELECT make_interval(secs => clock_lag(k.slot, k.device)) AS lag OFFSET 0) AS c"
    }

    /// Of readings of probes those that are the person's, behind a fence: the view of them is no barrier, and a filter that is computed first would
    /// tell by its failures, such as a product beyond all numbers, of readings that are not.
    fileprivate func tables(_ source: EntitySource) -> ComposedSQL {
        guard isOfProbes else { return source.from }
        let ties = position(source).joined(by: " AND ")
        return "(SELECT s.* FROM \(source.from) WHERE \(ties) ORDER BY \(keyOrder(source)) OFFSET 0) AS s"
    }

    fileprivate func conditions(_ source: EntitySource) -> ComposedSQL {
        let asked = [source.condition] + (filter.map { [$0.sql(source)] } ?? [])
        return (isOfProbes ? asked : asked + position(source)).joined(by: " AND ")
    }

    /// What is said of the key alone.
    private func position(_ source: EntitySource) -> [ComposedSQL] {
        var conditions = source.ties(keys[0])
        if let period, let moment = source.keys[.moment] {
            conditions.append("\(moment) >= \(bind: period.lowerBound) AND \(moment) < \(bind: period.upperBound)")
        }
        if let after { conditions.append(behind(after, source)) }
        return conditions
    }

    private func sorted(_ source: EntitySource) -> ComposedSQL {
        let wished: [ComposedSQL] = order.map { order in
            let expression = source.fields[order.field] ?? "NULL"
            return order.isDescending ? "\(expression) DESC NULLS LAST" : "\(expression) ASC NULLS LAST"
        }
        // A wish for the order of the key itself is left out, so that an index gives it.
        return ((isInOwnOrder ? [] : wished) + [keyOrder(source)]).joined(by: ", ")
    }

    private func keyOrder(_ source: EntitySource) -> ComposedSQL {
        let direction: ComposedSQL = isDescending ? " DESC" : ""
        return source.order.map { "\($0)\(direction)" }.joined(by: ", ")
    }

    /// Whether entities come in the order of their key, or in the opposite one.
    var isInOwnOrder: Bool { order.isEmpty || order.count == 1 && order[0].isOfKey(set) }
    var isDescending: Bool { isInOwnOrder && order.first?.isDescending == true }

    private func behind(_ after: EntityKey, _ source: EntitySource) -> ComposedSQL {
        let place: ComposedSQL = "(\(source.order.joined(by: ", ")))"
        let time = after.selection.moment.map(Timestamp.init(microseconds:))
        let values: ComposedSQL =
            source.keys[.test] == nil ? "(\(bind: time))" : "(\(bind: time), \(bind: after.selection.test))"
        return isDescending ? "\(place) < \(values)" : "\(place) > \(values)"
    }

    /// Whether it reads what probes measured, which is kept by days.
    var isOfProbes: Bool { self.set == .observations && keys[0].selection.isByHand != true }

    /// The same without pages.
    var whole: ReadEntities {
        var whole = self
        whole.after = nil
        return whole
    }

    static func decode(_ row: inout RowReader) throws -> StoredEntity {
        let key: Int64 = try row.read()
        var found = EntityKey()
        found.slot = try row.read()
        found.selection.device = try row.read()
        found.selection.parameter = try row.read()
        found.selection.isByHand = try row.read()
        let moment: Timestamp? = try row.read()
        found.selection.moment = moment?.microseconds
        found.selection.test = try row.read()
        let name: String? = try row.read()
        let hardwareID: String? = try row.read()
        found.selection.hardwareID = hardwareID.flatMap(Device.HardwareID.init)
        return try StoredEntity(
            key: key, found: found, name: name, kind: row.read(), latitude: row.read(), longitude: row.read(),
            time: row.read(), result: row.read())
    }
}

extension QueryOptions.Order {
    /// Whether this is the order of the set's own key.
    func isOfKey(_ set: EntitySet) -> Bool {
        switch set {
        case .observations: field == .time || field == .resultTime
        case .datastreams: field == .id
        default: field == .id && !set.hasTextIDs
        }
    }
}

/// How many entities a page would be of, were there no pages.
struct CountEntities: ComposedStatement {
    let page: ReadEntities

    var sql: ComposedSQL { page.counting }

    static func decode(_ row: inout RowReader) throws -> Int64 { try row.read() }
}

extension ReadEntities {
    fileprivate var counting: ComposedSQL {
        let source = source
        return
            "SELECT count(*) FROM \(keyTable) CROSS JOIN LATERAL (SELECT FROM \(tables(source)) WHERE \(conditions(source))) AS e"
    }
}
