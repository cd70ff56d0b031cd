/// The outline of a zone on the map: a simple polygon of places, whose last corner is joined to the first.
package struct ZoneOutline: Equatable, Sendable {
    /// A place in millionths of degrees, about a tenth of a metre.
    package struct Corner: Hashable, Sendable {
        package let latitude: Int32
        package let longitude: Int32

        fileprivate init(millionths latitude: Int32, _ longitude: Int32) {
            self.latitude = latitude
            self.longitude = longitude
        }

        /// In degrees, -90 to 90 and -180 to 180; what lies beyond is taken for the end.
        package init(latitude: Double, longitude: Double) {
            self.init(millionths: Self.millionths(latitude, 90), Self.millionths(longitude, 180))
        }

        package var degrees: (latitude: Double, longitude: Double) {
            (Double(latitude) / 1_000_000, Double(longitude) / 1_000_000)
        }

        private static func millionths(_ degrees: Double, _ end: Double) -> Int32 {
            degrees.isNaN ? 0 : Int32((min(max(degrees, -end), end) * 1_000_000).rounded())
        }
    }

    package enum Fault: Error {
        case tooFew, tooMany
        /// Two corners are the same place.
        case repeated
        /// Two sides meet elsewhere than in their common corner, or the outline has no inside.
        case crossing
        /// It reaches around more than half of the earth, or over the meridian where longitudes begin anew.
        case tooWide
    }

    package static let counts = 3...200
    package let corners: [Corner]

    package init(_ corners: [Corner]) throws(Fault) {
        guard corners.count >= Self.counts.lowerBound else { throw .tooFew }
        guard corners.count <= Self.counts.upperBound else { throw .tooMany }
        guard Set(corners).count == corners.count else { throw .repeated }
        let longitudes = corners.map(\.longitude)
        guard let west = longitudes.min(), let east = longitudes.max(), Int64(east) - Int64(west) <= 180_000_000 else {
            throw .tooWide
        }
        self.corners = corners
        guard !crossesItself else { throw .crossing }
    }

    /// Latitude and longitude of each corner in turn, as they are stored.
    package var stored: [Int32] { corners.flatMap { [$0.latitude, $0.longitude] } }

    /// An outline that was checked before it was stored.
    package init(stored numbers: [Int32]) {
        corners = stride(from: 0, to: numbers.count - 1, by: 2).map {
            Corner(millionths: numbers[$0], numbers[$0 + 1])
        }
    }

    private var crossesItself: Bool {
        let count = corners.count
        let sides = (0..<count).map { (corners[$0], corners[($0 + 1) % count]) }
        for first in 0..<count {
            for second in first + 1..<count {
                let isNext = second == first + 1 || first == 0 && second == count - 1
                if isNext ? Self.foldsBack(sides[first], sides[second]) : Self.meet(sides[first], sides[second]) {
                    return true
                }
            }
        }
        return false
    }

    private typealias Side = (Corner, Corner)

    /// Whether two sides with a common corner lie on each other.
    private static func foldsBack(_ one: Side, _ other: Side) -> Bool {
        let (before, corner, after) = one.1 == other.0 ? (one.0, one.1, other.1) : (other.0, one.0, one.1)
        guard turn(before, corner, after) == 0 else { return false }
        let dot =
            Int64(before.latitude - corner.latitude) * Int64(after.latitude - corner.latitude)
            + (Int64(before.longitude) - Int64(corner.longitude)) * (Int64(after.longitude) - Int64(corner.longitude))
        return dot > 0
    }

    /// Whether two sides without a common corner have a place in common.
    private static func meet(_ one: Side, _ other: Side) -> Bool {
        let (a, b) = (turn(one.0, one.1, other.0), turn(one.0, one.1, other.1))
        let (c, d) = (turn(other.0, other.1, one.0), turn(other.0, other.1, one.1))
        if a != b, c != d, a * b <= 0, c * d <= 0 { return true }
        return a == 0 && b == 0 && (isBetween(one, other.0, other.1) || isBetween(other, one.0))
    }

    /// Whether, of places on one line, one of two lies on a side.
    private static func isBetween(_ side: Side, _ places: Corner...) -> Bool {
        let latitudes = min(side.0.latitude, side.1.latitude)...max(side.0.latitude, side.1.latitude)
        let longitudes = min(side.0.longitude, side.1.longitude)...max(side.0.longitude, side.1.longitude)
        return places.contains { latitudes.contains($0.latitude) && longitudes.contains($0.longitude) }
    }

    /// The side of a line on which a place lies: -1, 0 or 1. Products of differences of millionths fit 64 bits.
    private static func turn(_ start: Corner, _ end: Corner, _ place: Corner) -> Int {
        let product =
            (Int64(end.longitude) - Int64(start.longitude)) * (Int64(place.latitude) - Int64(start.latitude))
            - (Int64(end.latitude) - Int64(start.latitude)) * (Int64(place.longitude) - Int64(start.longitude))
        return product.signum() == 0 ? 0 : product > 0 ? 1 : -1
    }
}
