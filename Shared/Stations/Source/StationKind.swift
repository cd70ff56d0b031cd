/// A service whose stations a site can show. The raw values are stored.
package enum StationKind: String, CaseIterable, Sendable {
    /// The United States Geological Survey, which asks that stations are named by their numbers.
    case usgs
    /// A Thing of any OGC SensorThings service, 1.0 or 1.1 (OGC 18-088).
    case sensorThings
}
