import Instants
import Postgres
import WaterQuality

/// Where a tank is, or was: both degrees or neither.
struct SitePlace: Hashable, Sendable {
    /// The origin of a position.
    enum Source: String, CaseIterable, Sendable {
        /// A receiver of satellites, or what a telephone has instead.
        case gps
        /// A person who looked at a map.
        case map
        /// A person who wrote it down.
        case typed
    }

    /// In degrees by WGS 84.
    var latitude: Double?
    var longitude: Double?
    /// The radius in metres within which it probably is; `nil` where that is not known.
    var accuracy: Double?
    /// `nil` where that is not known.
    var source: Word<Source>?

    /// The greatest radius that is stored, in metres.
    static let worstAccuracy = 100_000.0

    init(
        latitude: Double? = nil, longitude: Double? = nil, accuracy: Double? = nil, source: Word<Source>? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.source = source
    }

    /// Whether it names the same spot.
    func isAt(_ other: SitePlace) -> Bool { latitude == other.latitude && longitude == other.longitude }

    init(_ row: inout RowReader) throws {
        try self.init(
            latitude: row.read(), longitude: row.read(), accuracy: row.read(Float?.self).map { $0.shownDouble },
            source: row.read())
    }
}

extension Parameters {
    /// Four values: latitude, longitude, accuracy, source.
    mutating func append(_ place: SitePlace) {
        append(place.latitude)
        append(place.longitude)
        append(place.accuracy.map { Float($0) })
        append(place.source?.rawValue)
    }
}
