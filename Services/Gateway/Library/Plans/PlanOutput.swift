import Routes
import WaterQuality

extension Output where Value == SitePlan.Picture {
    fileprivate static let planPicture = Output.object(
        "PlanPicture", "The picture of a plan, without its bytes.",
        [
            .member("type", .text, "Its media type.", example: "image/jpeg") { $0.type },
            .member("width", .integer, "In pixels.", example: 1600) { Int($0.width) },
            .member("height", .integer, "In pixels.", example: 900) { Int($0.height) },
            .member("tag", .text, "Another picture has another one.", example: "q1lAVfHfC4cqmkSvBRcnkQ") {
                EntityTag.name(ofPicture: $0.digest)
            },
        ])
}

/// The members of a plan, beside which its places stand where they are told.
private func planMembers<Whole>(_ plan: @escaping @Sendable (Whole) -> SitePlan) -> [OutputMember<Whole>] {
    [
        .member("id", .id, "Its id.") { plan($0).id },
        .member(
            "project", .optional(of: .text), "The project whose tanks stand on it; null: the person's own.",
            example: "42"
        ) { plan($0).project.map { "\($0.rawValue)" } },
        .member("name", .text, "Its name.", example: "Hatchery") { plan($0).name },
        .member("mayChange", .boolean, "Whether the person may change it.") { plan($0).mayChange },
        .member("picture", .optional(of: .planPicture), "Its picture; null: a blank grid.") { plan($0).picture },
        .member("version", .integer, "Counts its changes.", example: 1) { Int(plan($0).version) },
    ]
}

extension Output where Value == SitePlan {
    static let plan = Output.object("Plan", "A plan of a site.", planMembers { $0 })
}

extension Output where Value == SitePlan.Place {
    fileprivate static let planPlace = Output.object(
        "PlanPlace", "Where a tank stands on a plan.",
        [
            .member("device", .text, "The device's id.", example: "tank-1") { $0.device },
            .member("x", .integer, "Thousandths of the plan's width, from the left.", example: 250) { Int($0.x) },
            .member("y", .integer, "Thousandths of its height, from the top.", example: 500) { Int($0.y) },
        ])
}

extension Output where Value == PlacedPlan {
    static let placedPlan = Output.object(
        "PlacedPlan", "A plan of a site with its tanks.",
        planMembers { $0.plan } + [
            .member("places", .list(of: .planPlace), "The tanks on it that the person sees.") { $0.places }
        ])
}
