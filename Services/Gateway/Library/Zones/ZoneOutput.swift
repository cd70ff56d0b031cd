import Routes
import WaterQuality

extension Output where Value == ZoneOutline.Corner {
    private static let corner = Output.object(
        "ZoneCorner", "A corner of a zone, by WGS 84.",
        [
            .member("latitude", .decimal, "In degrees.", example: 48.208) { $0.degrees.latitude },
            .member("longitude", .decimal, "In degrees.", example: 16.373) { $0.degrees.longitude },
        ])

    fileprivate static let corners = Output<[ZoneOutline.Corner]>.list(of: corner)
}

extension Output where Value == Zone {
    static let zone = Output.object(
        "Zone", "An outline on the map.",
        [
            .member("id", .id, "Its id.") { $0.id },
            .member(
                "project", .optional(of: .text), "The project whose zone it is; null: the person's own.", example: "42"
            ) { $0.project.map { "\($0.rawValue)" } },
            .member("name", .text, "Its name.", example: "Upper river") { $0.content.name },
            .member(
                "outline", Output<ZoneOutline.Corner>.corners, "Its corners, the last of which is joined to the first."
            ) {
                $0.content.outline.corners
            },
            .member("favourite", .boolean, "Whether it is shown first.", example: true) { $0.content.isFavourite },
            .member("mayChange", .boolean, "Whether the person may change it.") { $0.mayChange },
            .member("version", .integer, "Counts its changes.", example: 1) { Int($0.version) },
        ])
}
