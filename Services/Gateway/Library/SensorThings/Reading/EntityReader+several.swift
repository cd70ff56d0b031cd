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
        let most = options.skip + limit + 1
        let isByTime = options.order.isEmpty || options.order.count == 1 && options.order[0].isOfKey(.observations)
        guard isByTime, options.token == nil, options.skip + limit <= Self.mixedReach,
            let link = EntitySet.datastreams.link("Observations")
        else { throw SensorThingsFault.datastreamNeeded }
        let streams = try transaction.execute(
            ReadEntities(set: .datastreams, keys: [key], filter: nil, order: [], limit: Self.mostMixed + 1))
        guard streams.count <= Self.mostMixed else { throw SensorThingsFault.datastreamNeeded }
        let isDescending = options.order.first?.isDescending == true
        var found: [StoredEntity] = []
        var count: Int64 = 0
        for isByHand in [false, true] {
            var keys = streams.map { $0.found.following(link, from: .datastreams) }
                .filter { $0.selection.isByHand == isByHand }[...]
            guard !keys.isEmpty else { continue }
            func read(_ keys: ArraySlice<EntityKey>) -> ReadEntities {
                ReadEntities(
                    set: .observations, keys: Array(keys), filter: options.filter, order: options.order, limit: most)
            }
            if options.isCounted { count += try self.count(of: read(keys)) ?? 0 }
            // Far into the list as many Datastreams are read at once as an answer has room for.
            while !keys.isEmpty {
                let some = keys.prefix(max(1, Self.mostEntities / most))
                keys = keys.dropFirst(some.count)
                found += try rows(of: read(some))
                found.sort { isDescending ? $1.isBefore($0) : $0.isBefore($1) }
                found.removeLast(max(0, found.count - most))
            }
        }
        let shown = Array(found.dropFirst(options.skip).prefix(limit))
        let next: NextPage? = found.count == most && limit > 0 ? .skip(options.skip + limit) : nil
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
