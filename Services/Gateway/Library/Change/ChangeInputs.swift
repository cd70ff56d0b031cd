import Instants
import Routes
import WaterQuality

/// The inputs of the map of change.
enum ChangeInputs {
    static let parameter = Input<Parameter>.query(
        "parameter",
        Format<Parameter.Name>.choice(Parameter.Name.self).map { (name: Parameter.Name) throws(Fault) -> Parameter in
            name.parameter
        }, "The parameter.")
    static let from = Input<Timestamp?>.optionalQuery(
        "from", .timestamp, "The first moment: the end of the first window. Without it: seven days before the second.")
    static let to = Input<Timestamp?>.optionalQuery(
        "to", .timestamp, "The second moment: the end of the second window. Without it: now.")
    static let span = Input<Int>.query(
        "span", .integer(1...ChangeWindows.mostHours), default: 24,
        "The length of a window, in hours. Windows from 48 hours on are made of whole days (UTC).")
    static let area = Input<MapArea>.query(
        "bbox", .mapArea, default: .world,
        "The area, in degrees: west, south, east, north. A west beyond the east reaches over the meridian of 180 degrees."
    )
    static let unit = Input<Unit?>.optionalQuery(
        "unit", .choice(Unit.self),
        "The unit of all values, in which equal changes are equal; the parameter's canonical one unless given.")

    /// - Throws: `Problem` where the moments are in the wrong order, or the windows lie on each other.
    static func windows(_ inputs: Inputs, now: Timestamp) throws(Problem) -> ChangeWindows {
        let end = min(inputs[to] ?? now, now)
        let start = inputs[from] ?? end - .seconds(7 * 86_400)
        do throws(ChangeWindows.Fault) {
            return try ChangeWindows(from: start, to: end, hours: inputs[span])
        } catch {
            switch error {
            case .order: throw Problem(from, .periodEnds)
            case .overlap: throw Problem(span, .windowsOverlap)
            }
        }
    }

    /// - Throws: `Problem` for a unit that the parameter has not, or in which equal changes are not equal.
    static func scale(_ inputs: Inputs) throws(Problem) -> UnitScale {
        let parameter = inputs[parameter]
        guard let wished = inputs[unit] else { return parameter.canonicalScale }
        guard let scale = parameter.scale(in: wished), scale.factor != nil else {
            throw Problem(unit, .notChoice(parameter.scales.filter { $0.factor != nil }.map(\.unit.rawValue)))
        }
        return scale
    }
}

/// A part of the map between two meridians and two parallels, in degrees.
struct MapArea: Equatable, Sendable {
    var west: Double
    var south: Double
    var east: Double
    var north: Double

    static let world = MapArea(west: -180, south: -90, east: 180, north: 90)
}

extension Format where Value == MapArea {
    fileprivate static let mapArea = Format<[Double]>.list(of: .decimal(-180...180), count: 4...4)
        .map { sides throws(Fault) in
            guard sides[1] <= sides[3], sides[1] >= -90, sides[3] <= 90 else { throw .notArea }
            return MapArea(west: sides[0], south: sides[1], east: sides[2], north: sides[3])
        }
        .example([16.2, 48.1, 16.5, 48.3])
}

extension Fault {
    fileprivate static let windowsOverlap = Fault("windows-overlap")
    fileprivate static let notArea = Fault("not-an-area")
}
