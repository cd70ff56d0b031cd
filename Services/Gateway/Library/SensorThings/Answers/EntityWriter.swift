import Routes
import SensorThings
import WaterQuality

/// Writes entities as the standard has them (OGC 18-088, sections 8.1 and 9.3).
struct EntityWriter: Sendable {
    let address: EntityAddress

    /// The answer about several entities: `value` and, where they go on, the link to the next ones.
    func list(_ page: EntityPage, _ options: QueryOptions, of set: EntitySet, at place: String) -> JSON {
        .object(
            (page.count.map { [JSON.Member("@iot.count", .integer($0))] } ?? [])
                + next(page, options, of: set, at: place, "@iot.nextLink")
                + [JSON.Member("value", .array(page.entities.map { entity($0, options, of: set) }))])
    }

    /// The addresses of entities alone.
    func references(_ page: EntityPage, _ options: QueryOptions, of set: EntitySet, at place: String) -> JSON {
        let values = page.entities.map { JSON.object([.init("@iot.selfLink", .string(address.of($0.row, in: set)))]) }
        return .object(
            next(page, options, of: set, at: place, "@iot.nextLink") + [JSON.Member("value", .array(values))])
    }

    func entity(_ entity: Entity, _ options: QueryOptions, of set: EntitySet) -> JSON {
        let (row, chosen) = (entity.row, options.select)
        let own = address.of(row, in: set)
        var members: [JSON.Member] = []
        if chosen?.contains("id") ?? true, let id = row.found.selection.id(in: set) {
            members.append(.init("@iot.id", id.json))
        }
        if chosen?.contains("@iot.selfLink") ?? true { members.append(.init("@iot.selfLink", .string(own))) }
        for name in set.properties where chosen?.contains(name) ?? true {
            if let value = row.property(name, of: set) { members.append(.init(name, value)) }
        }
        for link in set.links {
            if let page = entity.links[link], let expansion = options.expand.first(where: { $0.link == link }) {
                members += expanded(page, expansion, at: "\(own)/\(link.name)")
            } else if chosen?.contains(link.name) ?? true {
                members.append(.init("\(link.name)@iot.navigationLink", .string("\(own)/\(link.name)")))
            }
        }
        return .object(members)
    }

    private func expanded(_ page: EntityPage, _ expansion: QueryOptions.Expansion, at place: String) -> [JSON.Member] {
        let (link, options) = (expansion.link, expansion.options)
        let entities = page.entities.map { entity($0, options, of: link.target) }
        guard link.isMany else { return [.init(link.name, entities.first ?? .null)] }
        return (page.count.map { [JSON.Member("\(link.name)@iot.count", .integer($0))] } ?? [])
            + [JSON.Member(link.name, .array(entities))]
            + next(page, options, of: link.target, at: place, "\(link.name)@iot.nextLink")
    }

    private func next(
        _ page: EntityPage, _ options: QueryOptions, of set: EntitySet, at place: String, _ name: String
    ) -> [JSON.Member] {
        page.next.map { [JSON.Member(name, .string(address.next($0, options, of: set, at: place)))] } ?? []
    }

    /// The service's root: the sets, and what of the standard is served.
    /// - Parameter brokers: Where devices publish Observations; empty where nobody said by which name they reach one.
    func root(_ brokers: [DeviceBroker]) -> JSON {
        let creation = brokers.isEmpty ? [] : [Self.creation]
        let conformance = JSON.array((Self.conformance + creation).map { .string(Self.requirements + $0) })
        let endpoints = JSON.array(brokers.map { .string("mqtts://\($0.host):\($0.port)") })
        return [
            "value": .array(
                EntitySet.allCases.map { ["name": .string($0.rawValue), "url": .string(address.of($0))] }),
            "serverSettings": .object(
                [.init("conformance", conformance)]
                    + creation.map { .init(Self.requirements + $0, ["endpoints": endpoints]) }),
        ]
    }

    private static let requirements = "http://www.opengis.net/spec/iot_sensing/1.1/req/"
    private static let creation = "create-observations-via-mqtt/observations-creation"

    /// What tests prove. Of the functions of filters a part is served, so that their class is not named.
    static let conformance =
        [
            "thing", "location", "historical-location", "datastream", "sensor", "observed-property", "observation",
            "feature-of-interest",
        ].flatMap { ["datamodel/\($0)/properties", "datamodel/\($0)/relations"] } + [
            "datamodel/entity-control-information/common-control-information",
            "resource-path/resource-path-to-entities",
        ]
        + [
            "status-code", "query-status-code", "order", "expand", "select", "orderby", "top", "skip", "count",
            "filter",
            "built-in-filter-operations", "pagination",
        ].map { "request-data/\($0)" }
}

extension EntityID {
    fileprivate var json: JSON {
        switch self {
        case .number(let number): .integer(number)
        case .text(let text): .string(text)
        }
    }
}
