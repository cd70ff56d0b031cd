import Instants
import Routes
import WaterQuality

/// What changed at the places of a person's, in one unit.
struct ShownChanges: Sendable {
    let parameter: Parameter
    let scale: UnitScale
    let windows: ChangeWindows
    let points: [Point]
    /// Whether the area has more places.
    let isCut: Bool

    struct Point: Sendable {
        let place: PlacedParts
        /// `nil`: too little is known of one of the windows.
        let change: PlaceChange?
        let isByHand: Bool
        let rank: ChangeScale.Class?
        let before: Double?
        let after: Double?
        let difference: Double?
    }

    init(
        of places: [PlacedParts], _ parameter: Parameter, in windows: ChangeWindows, shownIn scale: UnitScale
    ) {
        let classes = ChangeScale(of: parameter)
        self.parameter = parameter
        self.scale = scale
        self.windows = windows
        points = places.prefix(Int(ReadChanges.most)).map { place in
            Point(place, parameter, windows, classes, scale)
        }
        isCut = places.count > Int(ReadChanges.most)
    }

    var bounds: [Double] { ChangeScale(of: parameter).bounds(in: scale)?.map(\.shown) ?? [] }
}

extension ShownChanges.Point {
    fileprivate init(
        _ place: PlacedParts, _ parameter: Parameter, _ windows: ChangeWindows, _ classes: ChangeScale,
        _ scale: UnitScale
    ) {
        self.place = place
        let probed = PlaceChange(
            of: parameter, before: place.before.parts, after: place.after.parts, wished: windows.parts)
        isByHand = probed == nil && place.handBefore != nil && place.handAfter != nil
        if let before = place.handBefore, let after = place.handAfter, probed == nil {
            change = PlaceChange(of: parameter, before: before, after: after)
        } else {
            change = probed
        }
        rank = change.map { classes.class(of: $0.difference, noise: $0.noise) }
        func shown(_ value: Double?) -> Double? {
            value.map { DecimalRounding.rounded($0, decimals: scale.decimals) }
        }
        before = shown(change.flatMap { scale.fromCanonical($0.before) })
        after = shown(change.flatMap { scale.fromCanonical($0.after) })
        difference = shown(change.flatMap { change in scale.factor.map { $0 * change.difference } })
    }

    /// Of probes; 0 by hand.
    fileprivate var readings: Int { isByHand ? 0 : Int(clamping: place.before.readings + place.after.readings) }

    fileprivate var flagged: Double {
        let flagged = Double(place.before.flagged + place.after.flagged)
        return readings == 0 ? 0 : (flagged / Double(readings)).shown
    }
}

extension Output where Value == ShownChanges.Point {
    fileprivate static let point = Output.object(
        "ChangePoint", "What changed at a place; null throughout where too little is known of one of the windows.",
        [
            .member("device", .text, "The id of the device or site.", example: "weir-1") { $0.place.device },
            .member("name", .text, "The person's name for it.", example: "Weir, lower gauge") { $0.place.name },
            .member("site", .boolean, "Whether it is a place without a device.", example: false) { $0.place.isSite },
            .member("latitude", .decimal, "In degrees by WGS 84.", example: 48.208) { $0.place.latitude },
            .member("longitude", .decimal, "In degrees by WGS 84.", example: 16.373) { $0.place.longitude },
            .member("before", .optional(of: .decimal), "The median of the first window.", example: 8.7) { $0.before },
            .member("after", .optional(of: .decimal), "The median of the second.", example: 6.5) { $0.after },
            .member("change", .optional(of: .decimal), "By how much it rose; negative: fell.", example: -2.2) {
                $0.difference
            },
            .member(
                "class", .optional(of: .integer),
                "-3 to 3: fell greatly, clearly, a little; the same; rose a little, clearly, greatly.", example: -3
            ) { $0.rank?.rawValue },
            .member("byHand", .boolean, "Whether it is by one value by hand at each moment.", example: false) {
                $0.isByHand
            },
            .member("readings", .integer, "How many readings of its probe both windows have.", example: 5_760) {
                $0.readings
            },
            .member("flagged", .decimal, "The share of them that QARTOD's tests flagged, 0 to 1.", example: 0.01) {
                $0.flagged
            },
        ])
}

extension Output where Value == Range<Timestamp> {
    fileprivate static let window = Output.object(
        "ChangeWindow", "A window of a comparison.",
        [
            .member("from", .timestamp, "Its beginning, included.") { $0.lowerBound },
            .member("until", .timestamp, "Its end, not included.") { $0.upperBound },
        ])
}

extension Output where Value == ShownChanges {
    static let changes = Output.object(
        "Changes", "What changed where between two moments.",
        [
            .member("parameter", .choice(Parameter.Name.self), "The parameter.") { Parameter.Name($0.parameter) },
            .member("unit", .choice(Unit.self), "The unit of all values.") { $0.scale.unit },
            .member(
                "bounds", .list(of: .decimal),
                "From where on a change is a little, clear, and great, either way. They are the parameter's own, whatever the map shows."
            ) { $0.bounds },
            .member("before", .window, "The first window.") { $0.windows.before },
            .member("after", .window, "The second window.") { $0.windows.after },
            .member("part", .choice(ChangeWindows.Part.self), "The roll-ups that the windows are made of.") {
                $0.windows.part
            },
            .member("points", .list(of: .point), "The places that have a position.") { $0.points },
            .member("cut", .boolean, "Whether the area has more of them.", example: false) { $0.isCut },
        ])
}
