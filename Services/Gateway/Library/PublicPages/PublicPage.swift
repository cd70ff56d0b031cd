import Instants
import Routes
import WaterQuality

/// The part of a page that everybody reads: these words and figures, and nothing of the person, the device or the place.
struct PublicPage: Sendable {
    struct Tank: Sendable {
        var title: String
        /// The parameters in the order of the catalogue.
        var values: [Value]
    }

    struct Value: Sendable {
        var parameter: Parameter
        var scale: UnitScale
        /// The last value, and when it was measured; both or neither.
        var last: Double?
        var at: Timestamp?
        /// Whether a person measured it, at a site, where nothing else does.
        var isByHand: Bool
        /// `nil`: not shown, not known, or too old to say.
        var state: RangeState?
        /// The time that a point covers; zero where each is a message.
        var step: Duration
        /// A point that comes later than this after another comes after a gap.
        var longestGap: Duration
        var points: [Point]
    }

    struct Point: Sendable {
        var time: Timestamp
        var mean: Double
        var isAfterGap: Bool
    }

    var title: String
    /// The days that the graphs show.
    var days: Int
    var tanks: [Tank]
    /// When all of it was read.
    var readAt: Timestamp

    /// The most graphs of a page: tanks times parameters.
    static let mostGraphs = 40
    /// The most points of all graphs together, and of one.
    private static let mostPoints = 4_800
    private static let mostPointsOfOne = 300
    /// Values older than this tell little of the water now.
    static let staleAfter = Duration.seconds(15 * 60)

    /// The most points of a graph beside others.
    static func points(besides graphs: Int) -> Int { min(mostPointsOfOne, mostPoints / max(1, graphs)) }

    /// Whether a value is within limits, as far as a page may say so.
    /// - Parameters:
    ///   - side: The side of the open episode.
    ///   - hasLimits: Whether the owner has set any.
    static func state(_ side: Side?, hasLimits: Bool, age: Duration) -> RangeState? {
        guard hasLimits, age <= staleAfter else { return nil }
        return side.map { $0 == .low ? .low : .high } ?? .inRange
    }
}

extension Output where Value == PublicPage {
    static let publicPage = Output.object(
        "PublicPage", "What a page shows to everybody who has its address.",
        [
            .member("title", .text, "What its owner calls it.", example: "Koi pond") { $0.title },
            .member("days", .integer, "The days of the graphs.", example: 7) { $0.days },
            .member("readAt", .timestamp, "When all of this was read.") { $0.readAt },
            .member("tanks", .list(of: .publicTank), "The tanks, in their owner's order.") { $0.tanks },
        ])
}

extension Output where Value == PublicPage.Tank {
    fileprivate static let publicTank = Output.object(
        "PublicTank", "A tank of a page.",
        [
            .member("title", .text, "What its owner calls it.", example: "Koi pond") { $0.title },
            .member("values", .list(of: .publicValue), "What is shown of it.") { $0.values },
        ])
}

extension Output where Value == PublicPage.Value {
    fileprivate static let publicValue = Output.object(
        "PublicValue", "A parameter of a tank.",
        [
            .member("parameter", .choice(Parameter.Name.self), "Its name.", example: "temperature") {
                Parameter.Name($0.parameter)
            },
            .member("unit", .choice(Unit.self), "The unit of its numbers.", example: "C") {
                $0.scale.unit
            },
            .member("decimals", .integer, "How many digits behind the decimal mark its values have.", example: 1) {
                $0.scale.decimals
            },
            .member("colour", .text, "The usual colour of the parameter.", example: "#7c3f00") {
                $0.parameter.defaults.color
            },
            .member("value", .optional(of: .decimal), "The last value within seven days.", example: 23.4) { $0.last },
            .member("at", .optional(of: .timestamp), "When that was measured.") { $0.at },
            .member(
                "byHand", .boolean, "Whether a person measured it, at a place without a device, however long ago.",
                example: false
            ) { $0.isByHand },
            .member(
                "state", .optional(of: .choice(RangeState.self)),
                "Whether it is within its owner's limits; null: not shown, or not known now.", example: "inRange"
            ) { $0.state },
            .member("step", .integer, "The seconds that a point covers; 0 where each is a message.", example: 300) {
                Int($0.step.components.seconds)
            },
            .member(
                "gap", .integer, "What comes more than so many seconds after a point comes after a gap.", example: 300
            ) {
                Int($0.longestGap.components.seconds)
            },
            .member("points", .list(of: .publicPoint), "Its course, oldest first.") { $0.points },
        ])
}

extension Output where Value == PublicPage.Point {
    fileprivate static let publicPoint = Output.object(
        "PublicPoint", "The mean of a stretch of time.",
        [
            .member("time", .timestamp, "The beginning of the stretch.") { $0.time },
            .member("mean", .decimal, "The mean.", example: 23.4) { $0.mean },
            .member("afterGap", .boolean, "Whether nothing was measured before.", example: false) { $0.isAfterGap },
        ])
}
