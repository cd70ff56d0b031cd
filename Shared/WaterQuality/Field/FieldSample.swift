package import Instants

/// What was found in the field at one place and time, by a protocol.
package struct FieldSample: Hashable, Sendable {
    package var protocolID: String
    package var protocolVersion: Int
    package var begunAt: Timestamp
    package var endedAt: Timestamp?
    /// The IANA name of the time zone at the place.
    package var zone: String
    /// Minutes by which local time was ahead of UTC.
    package var utcOffset: Int
    package var state: State
    /// The names of those who took it, as they wrote them.
    package var surveyors: [String]
    package var weather: FieldWeather?
    package var habitat: String?
    package var comment: String?
    package var place: FieldPlace?
    package var values: [FieldValue]
    package var track: FieldTrack

    package init(
        protocolID: String, protocolVersion: Int, begunAt: Timestamp, endedAt: Timestamp? = nil, zone: String = "UTC",
        utcOffset: Int = 0, state: State = .done, surveyors: [String] = [], weather: FieldWeather? = nil,
        habitat: String? = nil, comment: String? = nil, place: FieldPlace? = nil, values: [FieldValue] = [],
        track: FieldTrack = FieldTrack()
    ) {
        self.protocolID = protocolID
        self.protocolVersion = protocolVersion
        self.begunAt = begunAt
        self.endedAt = endedAt
        self.zone = zone
        self.utcOffset = utcOffset
        self.state = state
        self.surveyors = surveyors
        self.weather = weather
        self.habitat = habitat
        self.comment = comment
        self.place = place
        self.values = values
        self.track = track
    }

    /// `begun` goes on to `done`, and both to `withdrawn`, from which a further version leads back.
    package enum State: String, CaseIterable, Sendable {
        /// Left, to be taken up again: its values count for nothing yet.
        case begun
        case done
        /// A last version without values, which says that the sample is not to be used.
        case withdrawn
    }

    /// Most values of one sample, which are enough for each protocol that is built in at all its stations or at 40 depths; and most names.
    package static let mostValues = 300
    package static let mostSurveyors = 20
    /// Most versions of one sample.
    package static let mostVersions = 100
    /// A sample that was begun so long after its receipt is flagged: the sender's clock was wrong.
    package static let furthestAhead = Duration.seconds(5 * 60)
}

/// A value of a field, or why there is none.
package struct FieldValue: Hashable, Sendable {
    package var field: String
    /// The station of a route; `nil`: of the sample.
    package var station: String?
    /// Metres below the surface; `nil`: of the sample.
    package var depth: Double?
    package var content: Content

    package enum Content: Hashable, Sendable {
        case number(Double)
        /// Less than the method can tell, and more.
        case below(Double)
        case above(Double)
        /// The id of a choice, or of a class.
        case choice(String)
        case count([Counted])
        case text(String)
        case flag(Bool)
        /// Asked, and not measured for this reason.
        case notMeasured(String)
    }

    package struct Counted: Hashable, Sendable {
        package var id: String
        package var count: Int

        package init(_ id: String, _ count: Int) {
            self.id = id
            self.count = count
        }
    }

    package init(_ field: String, station: String? = nil, depth: Double? = nil, _ content: Content) {
        self.field = field
        self.station = station
        self.depth = depth
        self.content = content
    }
}

/// The weather as people saw it.
package struct FieldWeather: Hashable, Sendable {
    package var now: Sky?
    /// In the 24 hours before.
    package var before: Sky?
    /// In °C.
    package var airTemperature: Double?
    /// On Beaufort's scale, 0 to 12.
    package var wind: Int?
    /// Cover in percent.
    package var cloud: Int?
    /// Millimetres in the 24 hours before.
    package var rain: Double?

    package enum Sky: String, CaseIterable, Sendable {
        case clear, clouded, overcast, showers, rain, storm, snow
    }

    package init(
        now: Sky? = nil, before: Sky? = nil, airTemperature: Double? = nil, wind: Int? = nil, cloud: Int? = nil,
        rain: Double? = nil
    ) {
        self.now = now
        self.before = before
        self.airTemperature = airTemperature
        self.wind = wind
        self.cloud = cloud
        self.rain = rain
    }
}

/// Where a sample was taken, by WGS 84.
package struct FieldPlace: Hashable, Sendable {
    /// In degrees.
    package var latitude: Double
    package var longitude: Double
    /// In metres: the radius within which it probably is; `nil`: not known.
    package var accuracy: Double?
    /// Metres above the ellipsoid, as the device said.
    package var altitude: Double?
    package var source: Source

    package enum Source: String, CaseIterable, Sendable {
        case gps, map, typed
    }

    package init(
        latitude: Double, longitude: Double, accuracy: Double? = nil, altitude: Double? = nil, source: Source
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.altitude = altitude
        self.source = source
    }
}
