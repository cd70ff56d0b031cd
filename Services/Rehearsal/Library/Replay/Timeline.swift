import Instants
import Operator
import WaterQuality

/// Maps the times of a recording to those of its replay: the latest row is now, and the spacing is divided by the speed.
struct Timeline: Hashable, Sendable {
    let latest: Timestamp
    let now: Timestamp
    let speed: Double

    /// A device's clock is believed for seven days back; one hour of these is kept for the way to the Ingestor.
    static let longest = EventTime.furthestBack - .seconds(3600)

    /// - Throws: `invalidInput` with a sufficient speed if the earliest row would lie further back than a device's clock is
    ///   believed.
    init(earliest: Timestamp, latest: Timestamp, now: Timestamp, speed: Double) throws(OperatorError) {
        self.latest = latest
        self.now = now
        self.speed = speed
        let span = latest - earliest
        guard span.asSeconds / speed > Self.longest.asSeconds else { return }
        let sufficient = (span.asSeconds / Self.longest.asSeconds * 10).rounded(.up) / 10
        throw OperatorError(
            .invalidInput,
            "The file covers \(Self.days(span)) days. A device's clock is believed for 7 days back only, so divide the "
                + "spacing: the smallest sufficient speed is --speed \(sufficient).")
    }

    /// The time at which a row is replayed, never later than now.
    func replayed(_ recorded: Timestamp) -> Timestamp {
        let distance = Double((latest - recorded).wholeMicroseconds) / speed
        return now - .microseconds(Int64(distance.rounded()))
    }

    private static func days(_ duration: Duration) -> Double {
        (duration.asSeconds / 86_400 * 10).rounded() / 10
    }
}
