import HTTPTypes
import Routes

/// The route of the map on which a person's devices are shown.
enum MapRoutes {
    static let all = [show]

    private static let show = Route<Caller>(
        .get, "/map", id: "showMap", tag: DeviceRoutes.tag, access: .read, "Show where a map comes from",
        text: """
            The operator's choice: another's server, whose host learns which part of the world is looked at, or a map of this service's own, \
            whose tiles may be kept for times without a connection. Without a choice everything is null, and applications draw places without a \
            map.
            """,
        answers: .json(.ok, .map)
    ) { caller, _ in
        // For signed-in people only: an address may hold the operator's key for the tiles.
        _ = try await caller.scope.person()
        let services = caller.scope.services
        if let map = services.map { return .value(.own(try await map.answered { try await $0.facts() })) }
        return .value(services.tiles.map(ShownMap.other))
    }
}

/// Where a map comes from.
private enum ShownMap: Sendable {
    case other(MapTiles)
    case own(MapFacts)

    var template: String {
        switch self {
        case .other(let tiles): tiles.template
        case .own(let facts): facts.template
        }
    }

    var attribution: MapTiles.Attribution {
        switch self {
        case .other(let tiles): tiles.attribution
        case .own(let facts): facts.attribution
        }
    }

    var own: MapFacts? {
        if case .own(let facts) = self { facts } else { nil }
    }
}

extension Output where Value == ShownMap? {
    fileprivate static let map = Output.object(
        "Map", "Where a map comes from.",
        [
            .member(
                "tiles", .optional(of: .text),
                "The address of a tile of 256 pixels in Web Mercator, with {z}, {x} and {y}.",
                example: "https://tile.example/{z}/{x}/{y}.png"
            ) { $0?.template },
            .member(
                "attribution", .optional(of: .text), "What has to stand beside the map.", example: "© Map contributors"
            ) { $0?.attribution.text },
            .member(
                "attributionLink", .optional(of: .text), "Where the attribution leads.",
                example: "https://map.example/copyright"
            ) { $0?.attribution.link },
            .member(
                "own", .optional(of: .ownMap), "The extent of a map that this service has itself; null: another's map."
            ) { $0?.own },
        ])
}

extension Output where Value == MapFacts {
    fileprivate static let ownMap = Output.object(
        "OwnMap", "The extent of a map that this service has itself.",
        [
            .member("leastZoom", .integer, "The first zoom level that it has.", example: 0) { $0.zooms.lowerBound },
            .member("mostZoom", .integer, "The last one.", example: 14) { $0.zooms.upperBound },
            .member("west", .decimal, "Degrees of longitude.", example: 16.1) { $0.bounds.west },
            .member("south", .decimal, "Degrees of latitude.", example: 48.1) { $0.bounds.south },
            .member("east", .decimal, "Degrees of longitude.", example: 16.6) { $0.bounds.east },
            .member("north", .decimal, "Degrees of latitude.", example: 48.4) { $0.bounds.north },
            .member("tileBytes", .integer, "The mean size of a tile in bytes; 0: unknown.", example: 21_000) {
                $0.pictureSize
            },
        ])
}
