import HTTPTypes
import Routes
import Store
import WaterQuality

/// A plan of a site.
struct SitePlanID: RowUUID {
    let rawValue: UInt128
}

/// A picture of a site, or a blank grid, with tanks on it.
struct SitePlan: Sendable {
    struct Picture: Sendable {
        var type: String
        /// In pixels.
        var width: Int32
        var height: Int32
        var digest: [UInt8]
    }

    /// Where a tank stands, in thousandths of the plan's width and height from its upper left corner.
    struct Place: Hashable, Sendable {
        /// The id of its device.
        var device: String
        var x: Int16
        var y: Int16
    }

    var id: SitePlanID
    /// The account whose tanks stand on the plan.
    var account: Account.ID
    /// The same, where it is a project.
    var project: Account.ID?
    var name: String
    /// Counts the changes of name, picture and places.
    var version: Int32
    /// Whether whoever asks may change it, for the project where it is a project's.
    var mayChange: Bool
    /// `nil`: a blank grid.
    var picture: Picture?

    /// The most of a person, and of a project.
    static let most = 10
    /// The most tanks on one.
    static let mostPlaces = 500

    var tag: EntityTag { EntityTag(version: Int64(version)) }
}

/// A plan with the tanks on it that whoever asks sees.
struct PlacedPlan: Sendable {
    var plan: SitePlan
    var places: [SitePlan.Place]

    func answer(_ status: HTTPResponse.Status? = nil) -> Answer<PlacedPlan> {
        .value(self, status: status, headers: [.eTag: plan.tag.description])
    }

    func created() -> Answer<PlacedPlan> {
        var answer = answer()
        answer.headers[.location] = "\(GatewayAPI.base)/plans/\(plan.id)"
        return answer
    }
}
