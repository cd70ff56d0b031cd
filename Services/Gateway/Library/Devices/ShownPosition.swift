import Routes
import WaterQuality

/// A position, and when the device was there by the true time.
struct ShownPosition: Sendable {
    let point: TrackPoint

    var latitude: Double { point.position.degrees.latitude }
    var longitude: Double { point.position.degrees.longitude }

    static let output = Output<ShownPosition>.object(
        "Position", "Where a device was.",
        [
            .member("time", .timestamp, "When it was there.") { $0.point.time },
            .member("latitude", .decimal, "In degrees by WGS 84, with five decimals.", example: 48.20812) {
                $0.latitude
            },
            .member("longitude", .decimal, "In degrees by WGS 84, with five decimals.", example: 16.37382) {
                $0.longitude
            },
            .member(
                "accuracy", .optional(of: .integer),
                "The radius in metres within which it probably was; null where it did not say.", example: 4
            ) { $0.point.position.accuracy.map { Int($0) } },
        ])
}
