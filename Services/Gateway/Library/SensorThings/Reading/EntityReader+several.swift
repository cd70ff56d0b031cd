import Instants
import Postgres
import SensorThings

extension EntityReader {
    /// The most Datastreams whose Observations come in one list, and how far into that list pages reach.
    static let mostMixed = 64
    static let mixedReach = 2_000

    /// A page of the Observations of all Datastreams that the key allows, by their times: of a Thing's water, or of a person who has few.
    /// - Throws: `SensorThingsFault.datastreamNeeded` where there are more, in another order, and far into the list.
    mutating func pageOfSeveral(_ key: EntityKey, _ options: QueryOptions) throws -> EntityPage {
        let limit = min(options.limit, left)
        let isByTime = options.order.isEmpty || options.order.count == 1 && options.order[0].isOfKey(.observations)
        guard isByTime, options.token == nil, options.skip + limit <= Self.mixedReach,
            let link = EntitySet.datastreams.link("Observations")
        else { throw SensorThingsFault.datastreamNeeded }
        let streams = try transaction.execute(
            ReadEntities(set: .datastreams, keys: [key], filter: nil, order: [], limit: Self.mostMixed + 1))
        guard streams.count <= Self.mostMixed else { throw SensorThingsFault.datastreamNeeded }
        var found: [StoredEntity] = []
        var count: Int64 = 0
        for isByHand in [false, true] {
            let keys = streams.map { $0.found.following(link, from: .datastreams) }
                .filter { $0.selection.isByHand == isByHand }
            guard !keys.isEmpty else { continue }
            let read = ReadEntities(
                set: .observations, keys: keys, filter: options.filter, order: options.order,
                limit: options.skip + limit + 1)
            found += try rows(of: read)
            if options.isCounted { count += try self.count(of: read) ?? 0 }
        }
        found.sort { $0.isBefore($1) }
        if options.order.first?.isDescending == true { found.reverse() }
        let shown = Array(found.dropFirst(options.skip).prefix(limit))
        let next: NextPage? = found.count > options.skip + limit && limit > 0 ? .skip(options.skip + limit) : nil
        left -= shown.count
        return EntityPage(
            entities: try expanded(shown, of: .observations, options), next: next,
            count: options.isCounted ? count : nil)
    }
}

extension StoredEntity {
    /// The order of Observations of several Datastreams: by time, then by Datastream and test.
    fileprivate func isBefore(_ other: StoredEntity) -> Bool {
        let (own, others) = (found.selection, other.found.selection)
        return (time ?? .distantPast, own.datastream ?? 0, own.test ?? 0)
            < (other.time ?? .distantPast, others.datastream ?? 0, others.test ?? 0)
    }
}
