import HTTPTypes
import Routes

/// The route of the map on which a person's devices are shown.
enum MapRoutes {
    static let all = [show]

    private static let show = Route<Caller>(
        .get, "/map", id: "showMap", tag: DeviceRoutes.tag, access: .read, "Show where a map comes from",
        text: """
            The operator's choice. Whoever loads a tile tells its host which part of the world is looked at. Without a choice
            everything is null, and applications draw places without a map.
            """,
        answers: .json(.ok, .map)
    ) { caller, _ in
        // For signed-in people only: an address may hold the operator's key for the tiles.
        let tiles = caller.scope.services.tiles
        return try await caller.scope.transaction { _, _ in .value(tiles) }
    }
}

extension Output where Value == MapTiles? {
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
        ])
}
