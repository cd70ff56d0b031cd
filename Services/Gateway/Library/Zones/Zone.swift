import HTTPTypes
import Routes
import Store
import WaterQuality

struct ZoneID: RowUUID {
    let rawValue: UInt128
}

/// An outline on the map, of a person or a project.
struct Zone: Sendable {
    var id: ZoneID
    /// The account that drew it.
    var account: Account.ID
    /// The same, where it is a project.
    var project: Account.ID?
    var content: Content
    /// Counts its changes.
    var version: Int32
    /// Whether whoever asks may change it, for the project where it is a project's.
    var mayChange: Bool

    struct Content: Sendable {
        var name: String
        var outline: ZoneOutline
        /// Shown first, and kept for times without a connection.
        var isFavourite: Bool
    }

    /// The most of a person, and of a project.
    static let most = 100

    private var tag: EntityTag { EntityTag(version: Int64(version)) }

    func requireMatch(_ condition: EntityTagCondition) throws { try condition.requireMatch(tag) }

    func answer(isNew: Bool = false) -> Answer<Zone> {
        var headers: HTTPFields = [.eTag: tag.description]
        if isNew { headers[.location] = "\(GatewayAPI.base)/zones/\(id)" }
        return .value(self, headers: headers)
    }
}
