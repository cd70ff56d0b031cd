import Instants
import SensorThings

/// Entities that an answer shows, and where it goes on.
struct EntityPage: Sendable {
    var entities: [Entity]
    var next: NextPage?
    /// How many there are without pages, where that was asked for.
    var count: Int64?

    static func empty(counted: Bool) -> EntityPage {
        EntityPage(entities: [], next: nil, count: counted ? 0 : nil)
    }
}

/// An entity with what stands in it of other entities.
struct Entity: Sendable {
    let row: StoredEntity
    var links: [EntityLink: EntityPage] = [:]
}

enum NextPage: Hashable, Sendable {
    /// Behind so many entities.
    case skip(Int)
    /// Behind the entity of a token.
    case after(String)

    /// - Parameters:
    ///   - last: The last entity of a page.
    ///   - skip: How many there are up to it.
    init(behind last: StoredEntity, _ page: ReadEntities, skip: Int) {
        self = PageToken.text(of: last, page).map(NextPage.after) ?? .skip(skip)
    }
}

/// The place where a page of Observations ended, as clients carry it to the next: a position in what is the caller's own.
enum PageToken {
    /// - Returns: nil where the order is none of the key's own.
    static func text(of row: StoredEntity, _ page: ReadEntities) -> String? {
        guard page.set == .observations, page.isInOwnOrder, let moment = row.found.selection.moment else { return nil }
        guard let test = row.found.selection.test else { return String(moment) }
        return "\(moment).\(String(test, radix: 36))"
    }

    /// The key behind which the page begins.
    static func key(_ token: String, _ page: ReadEntities) throws(SensorThingsFault) -> EntityKey {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let isByHand = page.keys[0].selection.isByHand == true
        guard page.set == .observations, page.isInOwnOrder, parts.count == (isByHand ? 2 : 1),
            let moment = Int64(parts[0]), Timestamp.sayable.contains(moment)
        else { throw .wrongToken }
        var key = EntityKey()
        key.selection.moment = moment
        if isByHand {
            guard let test = UInt128(parts[1], radix: 36) else { throw .wrongToken }
            key.selection.test = test
        }
        return key
    }
}
