import Instants
import Postgres
import SensorThings
import Store

/// Reads what a path and a query ask for, in one transaction of the person's.
struct EntityReader {
    /// The most entities of an answer, expanded ones included. Pages of what is expanded get shorter to keep it, and their links go on.
    static let mostEntities = 10_000
    /// The longest time of a statement, in milliseconds, and the time after which no further one begins.
    static let patience = 2_000
    static let longest = Duration.seconds(5)

    let transaction: PostgresTransaction
    private let begun: ContinuousClock.Instant
    var left = mostEntities

    /// - Parameter begun: When the answer began, of whose time all statements have a part.
    init(_ transaction: PostgresTransaction, begun: ContinuousClock.Instant = .now) throws {
        self.transaction = transaction
        self.begun = begun
        try transaction.executeScript("SET LOCAL statement_timeout = \(Self.patience)")
    }

    /// - Throws: `SensorThingsFault`, also where it would take too long; `PostgresError`.
    mutating func read(_ path: ResourcePath, _ options: QueryOptions) throws -> EntityPage {
        try Self.telling {
            let key = try find(path)
            guard path.isEntity else { return try page(of: path.set, key, options) }
            let row = try entity(path.set, key)
            return EntityPage(entities: try expanded([row], of: path.set, options), next: nil, count: nil)
        }
    }

    /// Goes along the path, each of whose entities has to be there.
    /// - Returns: What is known of the entities of its last step.
    private func find(_ path: ResourcePath) throws -> EntityKey {
        var key = EntityKey()
        var source: EntitySet?
        for (number, step) in path.steps.enumerated() {
            if let source { key = key.following(step.link, from: source) }
            if let id = step.id {
                guard let own = Selection(id, of: step.link.target), let joined = key.selection.joined(own) else {
                    throw SensorThingsFault.unknownEntity
                }
                key.selection = joined
            }
            source = step.link.target
            guard number < path.steps.count - 1 else { break }
            key = try entity(step.link.target, key).found
        }
        return key
    }

    /// The one entity of a key.
    private func entity(_ set: EntitySet, _ key: EntityKey) throws -> StoredEntity {
        guard let key = try located(key, set),
            let row = try rows(of: ReadEntities(set: set, keys: [key], filter: nil, order: [], limit: 1)).first
        else { throw SensorThingsFault.unknownEntity }
        return row
    }

    /// The key with the slot and the number of its device, without which no index leads to readings.
    /// - Returns: nil where the device is not the person's.
    private func located(_ key: EntityKey, _ set: EntitySet) throws -> EntityKey? {
        guard set == .observations, key.slot == nil else { return key }
        guard key.selection.isOfOneDatastream else { throw SensorThingsFault.datastreamNeeded }
        var thing = EntityKey()
        (thing.selection.device, thing.selection.hardwareID) = (key.selection.device, key.selection.hardwareID)
        let things = try transaction.execute(
            ReadEntities(set: .things, keys: [thing], filter: nil, order: [], limit: 1))
        guard let found = things.first?.found else { return nil }
        var located = key
        located.slot = found.slot
        (located.selection.device, located.selection.hardwareID) = (found.selection.device, found.selection.hardwareID)
        return located
    }

    private mutating func page(of set: EntitySet, _ key: EntityKey, _ options: QueryOptions) throws -> EntityPage {
        var key = key
        if set == .observations, let named = options.filter?.datastream {
            guard let own = Selection(.text(named), of: .datastreams), let joined = key.selection.joined(own) else {
                return .empty(counted: options.isCounted)
            }
            key.selection = joined
        }
        if set == .observations, !key.selection.isOfOneDatastream { return try pageOfSeveral(key, options) }
        guard let key = try located(key, set) else { return .empty(counted: options.isCounted) }
        let limit = min(options.limit, left)
        var read = ReadEntities(
            set: set, keys: [key], filter: options.filter, order: options.order, limit: limit + 1, skip: options.skip)
        if let token = options.token {
            read.after = try PageToken.key(token, read)
            read.skip = 0
        }
        let rows = try rows(of: read)
        let count = options.isCounted ? try count(of: read.whole) : nil
        let shown = Array(rows.prefix(limit))
        var next: NextPage?
        if rows.count > limit, let last = shown.last {
            next = NextPage(behind: last, read, skip: options.skip + limit)
        }
        left -= shown.count
        return EntityPage(entities: try expanded(shown, of: set, options), next: next, count: count)
    }

    /// The entities with those that their expanded links lead to.
    mutating func expanded(
        _ rows: [StoredEntity], of set: EntitySet, _ options: QueryOptions
    ) throws -> [Entity] {
        var entities = rows.map { Entity(row: $0) }
        guard !rows.isEmpty else { return entities }
        for expansion in options.expand {
            let pages = try follow(expansion, from: rows, of: set)
            for index in entities.indices { entities[index].links[expansion.link] = pages[index] }
        }
        return entities
    }

    /// The page that a link of each entity leads to.
    private mutating func follow(
        _ expansion: QueryOptions.Expansion, from rows: [StoredEntity], of set: EntitySet
    ) throws -> [EntityPage] {
        let (link, options) = (expansion.link, expansion.options)
        let keys = rows.map { $0.found.following(link, from: set) }
        if link.target == .observations, keys.contains(where: { !$0.selection.isOfOneDatastream }) {
            throw SensorThingsFault.datastreamNeeded
        }
        guard left > 0 else { throw SensorThingsFault.tooMuch }
        var different = Set<EntityKey>()
        let wanted = keys.filter { different.insert($0).inserted }
        let limit = link.isMany ? min(options.limit, max(1, left / wanted.count)) : 1
        var found: [EntityKey: [StoredEntity]] = [:]
        // What probes measured and what people did are in different tables.
        for isByHand in [false, true] {
            let keys = wanted.filter { ($0.selection.isByHand == true) == isByHand }
            guard !keys.isEmpty else { continue }
            let read = ReadEntities(
                set: link.target, keys: keys, filter: options.filter, order: options.order, limit: limit + 1,
                skip: options.skip)
            for row in try self.rows(of: read) { found[keys[Int(row.key) - 1], default: []].append(row) }
        }
        let shown = wanted.map { (found[$0] ?? []).prefix(limit) }
        left -= shown.reduce(0) { $0 + $1.count }
        var rest = try expanded(shown.flatMap(\.self), of: link.target, options)[...]
        var pages: [EntityKey: EntityPage] = [:]
        for (key, rows) in zip(wanted, shown) {
            let read = ReadEntities(
                set: link.target, keys: [key], filter: options.filter, order: options.order, limit: limit)
            var next: NextPage?
            if link.isMany, found[key]?.count ?? 0 > limit, let last = rows.last {
                next = NextPage(behind: last, read, skip: options.skip + limit)
            }
            let count = options.isCounted && link.isMany ? try self.count(of: read) : nil
            pages[key] = EntityPage(entities: Array(rest.prefix(rows.count)), next: next, count: count)
            rest = rest.dropFirst(rows.count)
        }
        return keys.map { pages[$0] ?? .empty(counted: false) }
    }

    private func requireTime() throws {
        guard begun.duration(to: .now) < Self.longest else { throw SensorThingsFault.tooMuch }
    }

    func rows(of read: ReadEntities) throws -> [StoredEntity] {
        try requireTime()
        guard read.isOfProbes else { return try transaction.execute(read) }
        var read = read
        if let moment = read.keys[0].selection.moment, read.keys.count == 1 {
            let time = Timestamp(microseconds: moment)
            read.period = time..<time + .microseconds(1)
            return try transaction.execute(read)
        }
        let period = try period(of: read)
        guard read.isInOwnOrder, read.skip == 0 else {
            read.period = period
            return try transaction.execute(read)
        }
        return try inPieces(read, period)
    }

    /// Reads piece by piece of a period until there is a page for each key: mostly that is the first piece.
    private func inPieces(_ read: ReadEntities, _ period: Range<Timestamp>) throws -> [StoredEntity] {
        var found = [[StoredEntity]](repeating: [], count: read.keys.count)
        var pieces = PeriodPages(period, read.isDescending ? .newestFirst : .oldestFirst)
        var open = Array(read.keys.indices)
        while !open.isEmpty, let piece = pieces.next() {
            try requireTime()
            var part = ReadEntities(
                set: read.set, keys: open.map { read.keys[$0] }, filter: read.filter, order: read.order,
                limit: read.limit)
            part.after = read.after
            part.period = piece
            let rows = try transaction.execute(part)
            for var row in rows {
                let index = open[Int(row.key) - 1]
                guard found[index].count < read.limit else { continue }
                row.key = Int64(index + 1)
                found[index].append(row)
            }
            open.removeAll { found[$0].count >= read.limit }
            pieces.note(rows: rows.count)
        }
        return found.flatMap(\.self)
    }

    func count(of read: ReadEntities) throws -> Int64? {
        try requireTime()
        var read = read
        if read.isOfProbes { read.period = try period(of: read) }
        return try transaction.execute(CountEntities(page: read)).first
    }

    /// The period in which a page's readings are, by the devices' clocks.
    private func period(of read: ReadEntities) throws -> Range<Timestamp> {
        let devices = Dictionary(read.keys.map { ($0.selection.device ?? 0, $0.slot ?? 0) }) { first, _ in first }
        let find = FindObservedPeriod(slots: Array(devices.values), devices: Array(devices.keys))
        guard let known = try transaction.execute(find).first else { throw SensorThingsFault.unknownEntity }
        let period = known.narrowed(by: read.filter)
        guard let moment = read.after?.selection.moment else { return period }
        let time = Timestamp(microseconds: moment)
        return read.isDescending
            ? min(period.lowerBound, time)..<min(period.upperBound, time)
            : max(period.lowerBound, time)..<max(period.upperBound, time)
    }

    private static func telling<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as PostgresError where error.code == .queryCanceled && !Task.isCancelled {
            throw SensorThingsFault.tooMuch
        } catch let error as PostgresError where error.sqlState?.hasPrefix("22") == true {
            // A value that no number or text can be: a sum beyond all numbers.
            throw SensorThingsFault.notComputable
        }
    }
}

extension FilterExpression {
    /// The id of the one Datastream that the filter is about, where it has to be.
    var datastream: String? {
        for conjunct in conjuncts {
            switch conjunct {
            case .binary(.eq, .field(.datastreamID), .literal(.text(let id))),
                .binary(.eq, .literal(.text(let id)), .field(.datastreamID)):
                return id
            default: continue
            }
        }
        return nil
    }
}
