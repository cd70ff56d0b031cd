import Routes
import WaterQuality

/// The way of a device in a period, with the values of a parameter.
struct ShownTrack: Sendable {
    struct Place: Sendable {
        let position: ShownPosition
        let value: Double?
    }

    let parameter: Parameter
    let scale: UnitScale
    /// The number of positions that are kept of the period.
    let total: Int
    let places: [Place]

    private static let place = Output<Place>.object(
        "TrackPoint", "Where a device was, and what it measured there.",
        [
            .member("position", ShownPosition.output, "Where, and when.") { $0.position },
            .member(
                "value", .optional(of: .decimal),
                "The value that held there: the last of the ten minutes before; null where there was none.",
                example: 23.4
            ) { $0.value },
        ])

    static let output = Output<ShownTrack>.object(
        "Track", "Where a device was in a period.",
        [
            .member("parameter", .text, "The parameter of the values.", example: "temperature") { $0.parameter.name },
            .member("unit", .choice(Unit.self), "The person's unit, which all values are in.") { $0.scale.unit },
            .member("total", .integer, "How many positions are kept of the period.", example: 1440) { $0.total },
            .member("points", .list(of: place), "Positions, oldest first: all, or evenly so many as asked for.") {
                $0.places
            },
        ])
}
