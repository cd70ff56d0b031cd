import HTTPTypes
import Postgres
import Routes
import Store
import WaterQuality

/// The inputs of the routes of zones.
enum ZoneInputs {
    static let zone = Input<ZoneID>.path("zone", .id, "The zone's id.")
    static let project = Input.optionalField(
        "project", .projectID, "A project whose zone it is to be; the person's own unless given.")
    static let content = [name, outline, isFavourite] as [any InputDeclaration]
    static let condition = Input<EntityTagCondition>.ifMatch

    private static let name = Input.field(
        "name", Format<String>.visibleText(1...64, example: "Upper river"), "Its name.")
    private static let outline = Input.field(
        "outline", .zoneOutline,
        "Its corners in order, \(ZoneOutline.counts.upperBound) at most; the last is joined to the first. Sides do not cross."
    )
    private static let isFavourite = Input.field(
        "favourite", .boolean, default: false, "Whether it is shown first, and kept for times without a connection.")

    static func content(of inputs: Inputs) -> Zone.Content {
        Zone.Content(name: inputs[name], outline: inputs[outline], isFavourite: inputs[isFavourite])
    }
}

extension Format where Value == ZoneOutline {
    fileprivate static let zoneOutline = Format<[ZoneOutline.Corner]>.list(of: .zoneCorner, count: ZoneOutline.counts)
        .map { corners throws(Fault) in
            do throws(ZoneOutline.Fault) {
                return try ZoneOutline(corners)
            } catch {
                throw Fault(error)
            }
        }
        .example([
            ["latitude": 48.2, "longitude": 16.3], ["latitude": 48.3, "longitude": 16.3],
            ["latitude": 48.3, "longitude": 16.4],
        ])
}

extension Format where Value == ZoneOutline.Corner {
    /// An object: latitude and longitude, in degrees.
    fileprivate static let zoneCorner = object(
        [latitude, longitude], required: ["latitude", "longitude"],
        example: ["latitude": 48.208, "longitude": 16.373], or: .notCorner
    ) { members throws(Fault) in
        guard let latitude = try members[latitude], let longitude = try members[longitude] else { return nil }
        return ZoneOutline.Corner(latitude: latitude, longitude: longitude)
    }

    private static let latitude = ObjectMember("latitude", Format<Double>.decimal(-90...90))
    private static let longitude = ObjectMember("longitude", Format<Double>.decimal(-180...180))
}

extension Fault {
    fileprivate static let notCorner = Fault("not-a-corner")
    private static let crossing = Fault("outline-crosses")
    private static let tooWide = Fault("outline-too-wide")

    fileprivate init(_ fault: ZoneOutline.Fault) {
        self =
            switch fault {
            case .tooFew: .tooFew(minimum: ZoneOutline.counts.lowerBound)
            case .tooMany: .tooMany(maximum: ZoneOutline.counts.upperBound)
            case .repeated: .repeated
            case .crossing: .crossing
            case .tooWide: .tooWide
            }
    }
}

extension ProblemType {
    static let tooManyZones = ProblemType("too-many-zones", .conflict)
}

extension PostgresTransaction {
    /// A zone that whoever acts sees.
    /// - Throws: `Problem(.notFound)`, for an unknown zone as for one that they do not see.
    func zone(_ id: ZoneID) throws -> Zone {
        guard let zone = try execute(FindZone(id)).first else { throw Problem(.notFound) }
        return zone
    }
}
