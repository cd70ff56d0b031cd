import Foundation
import Instants
import WaterQuality

/// Where the clocks stood that show times without an offset: a fixed offset, or a place of the time-zone database.
struct Zone: Hashable, Sendable {
    private let zone: TimeZone

    static let utc = Zone(zone: .gmt)

    private init(zone: TimeZone) { self.zone = zone }

    /// - Parameter text: `UTC`, an offset such as `-06:00`, or a place such as `Europe/Madrid`.
    /// - Returns: nil for anything else.
    init?(_ text: String) {
        if text == "UTC" || text == "Z" {
            zone = .gmt
        } else if let seconds = Self.offset(text), let fixed = TimeZone(secondsFromGMT: seconds) {
            zone = fixed
        } else if text.contains("/"), let place = TimeZone(identifier: text) {
            zone = place
        } else {
            return nil
        }
    }

    /// The instant of a written time; its own offset goes before this zone.
    ///
    /// Where clocks were set back an hour is written twice and the first is meant; where they were set forward an hour is
    /// missing, and a time in it counts as if they had not been.
    func instant(of written: WrittenTime) -> Timestamp {
        if let offset = written.secondsFromGMT { return Timestamp(written.civil, secondsFromGMT: offset) }
        let naive = Timestamp(written.civil)
        // No zone changes twice within two days, so the offsets a day before and after are the two in question.
        let before = offset(at: naive - .seconds(86_400))
        let after = offset(at: naive + .seconds(86_400))
        let early = Timestamp(written.civil, secondsFromGMT: before)
        if before == after || offset(at: early) == before { return early }
        let late = Timestamp(written.civil, secondsFromGMT: after)
        return offset(at: late) == after ? late : early
    }

    private func offset(at time: Timestamp) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.microseconds) / 1_000_000))
    }

    private static func offset(_ text: String) -> Int? {
        guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
        return (try? TimeFormat("%Y-%m-%d%z"))?.parse("2000-01-01" + text)?.secondsFromGMT
    }
}
