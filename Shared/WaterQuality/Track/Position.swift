import Glibc

/// Where a device was: latitude and longitude by WGS 84, in whole hundred-thousandths of a degree, which are 1.1 m at most.
package struct Position: Hashable, Sendable {
    /// Hundred-thousandths of a degree in one degree.
    package static let scale = 100_000.0
    /// The worst accuracy of a position that still says where something is, in metres.
    package static let worstAccuracy = 10_000.0

    /// Why a device's words are no position.
    package enum Fault: Error, Equatable, Sendable {
        /// Latitude beyond 90 degrees, longitude beyond 180, or no number.
        case beyondEarth
        /// Latitude and longitude of exactly 0: receivers say so while they have no fix.
        case noFix
        /// An accuracy that is negative or worse than `worstAccuracy`.
        case accuracy
    }

    /// North of the equator, in hundred-thousandths of a degree: -9,000,000 to 9,000,000.
    package let latitude: Int32
    /// East of Greenwich, in hundred-thousandths of a degree: -18,000,000 to 18,000,000.
    package let longitude: Int32
    /// The radius within which the device probably was, in whole metres, 0 to 10,000; nil where it did not say.
    package let accuracy: Int16?

    /// - Parameters:
    ///   - latitude: In degrees.
    ///   - longitude: In degrees.
    ///   - accuracy: In metres, rounded up.
    package init(latitude: Double, longitude: Double, accuracy: Double? = nil) throws(Fault) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { throw .beyondEarth }
        guard latitude != 0 || longitude != 0 else { throw .noFix }
        if let accuracy, !(0...Self.worstAccuracy).contains(accuracy) { throw .accuracy }
        self.latitude = Int32((latitude * Self.scale).rounded())
        self.longitude = Int32((longitude * Self.scale).rounded())
        self.accuracy = accuracy.map { Int16($0.rounded(.up)) }
    }

    /// A position as it is stored.
    package init(storedLatitude latitude: Int32, longitude: Int32, accuracy: Int16?) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }

    /// In degrees, with five decimals.
    package var degrees: (latitude: Double, longitude: Double) {
        (Double(latitude) / Self.scale, Double(longitude) / Self.scale)
    }

    /// The distance in metres, on a sphere of the earth's mean radius: wrong by half a percent at most.
    package func distance(to other: Position) -> Double {
        let radians = Double.pi / 180 / Self.scale
        let (here, there) = (Double(latitude) * radians, Double(other.latitude) * radians)
        let north = sin((there - here) / 2)
        let east = sin(Double(other.longitude - longitude) * radians / 2)
        let haversine = min(1, north * north + cos(here) * cos(there) * east * east)
        return 2 * 6_371_008.8 * asin(haversine.squareRoot())
    }
}
