/// A part of the earth between two parallels and two meridians, its edges included, in degrees by WGS 84.
///
/// Where west is greater than east, it crosses the meridian of 180 degrees (RFC 7946, section 5.2).
package struct BoundingBox: Hashable, Sendable {
    package enum Fault: Error, Equatable, Sendable {
        /// Neither four numbers, nor six with heights.
        case count
        /// Latitude beyond 90 degrees, longitude beyond 180, or no number.
        case beyondEarth
        /// South lies north of north, or the bottom above the top.
        case order
    }

    package let west: Double
    package let south: Double
    package let east: Double
    package let north: Double

    /// - Parameter numbers: West, south, east and north; or west, south, bottom, east, north and top, of which the heights, in metres, are left aside.
    package init(_ numbers: [Double]) throws(Fault) {
        guard [4, 6].contains(numbers.count) else { throw .count }
        let far = numbers.count / 2
        (west, south, east, north) = (numbers[0], numbers[1], numbers[far], numbers[far + 1])
        guard numbers.allSatisfy(\.isFinite), [west, east].allSatisfy((-180...180).contains),
            [south, north].allSatisfy((-90...90).contains)
        else { throw .beyondEarth }
        guard south <= north, far == 2 || numbers[2] <= numbers[5] else { throw .order }
    }

    /// West, south, east and north.
    package var numbers: [Double] { [west, south, east, north] }

    /// - Parameters:
    ///   - latitude: In degrees.
    ///   - longitude: In degrees.
    package func contains(latitude: Double, longitude: Double) -> Bool {
        let isBetween = west <= east ? (west...east).contains(longitude) : longitude >= west || longitude <= east
        return isBetween && (south...north).contains(latitude)
    }
}
