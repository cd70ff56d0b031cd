import FoundationEssentials
import FoundationInternationalization
import Instants

/// The time zone of times without an offset: a fixed offset, or a place of the time-zone database.
struct Zone: Hashable, Sendable {
    private let zone: TimeZone

    static let utc = Zone(zone: .gmt)

    /// FoundationEssentials has no zone but GMT, and looks for ICU's database at run time only. A statically linked program
    /// has that database because a symbol of FoundationInternationalization is named here.
    private static let hasDatabase = !TimeZone.knownTimeZoneIdentifiers.isEmpty

    private init(zone: TimeZone) { self.zone = zone }

    /// - Parameter text: `UTC`, an offset such as `-06:00`, or a place such as `Europe/Madrid`.
    /// - Returns: nil for anything else.
    init?(_ text: String) {
        if text == "UTC" || text == "Z" {
            zone = .gmt
        } else if let seconds = Self.offset(text), let fixed = TimeZone(secondsFromGMT: seconds) {
            zone = fixed
        } else if text.utf8.contains(UInt8(ascii: "/")), Self.hasDatabase, let place = TimeZone(identifier: text) {
            zone = place
        } else {
            return nil
        }
    }

    /// The instant at which the clocks of the zone show this time.
    ///
    /// An hour that occurs twice, because clocks were set back, is taken for the first. A time in an hour that does not occur,
    /// because clocks were set forward, is read as if they had not been.
    func instant(of civil: CivilTime) -> Timestamp {
        let naive = Timestamp(civil)
        // No zone changes its offset twice within two days, so the offset is that of a day before or that of a day after.
        let before = offset(at: naive - .seconds(86_400))
        let after = offset(at: naive + .seconds(86_400))
        let early = Timestamp(civil, secondsFromGMT: before)
        if before == after || offset(at: early) == before { return early }
        let late = Timestamp(civil, secondsFromGMT: after)
        return offset(at: late) == after ? late : early
    }

    private func offset(at time: Timestamp) -> Int {
        zone.secondsFromGMT(for: Date(timeIntervalSince1970: time.unixSeconds))
    }

    /// Reads an offset in the notation of ISO 8601, in seconds.
    private static func offset(_ text: String) -> Int? {
        guard text.hasPrefix("+") || text.hasPrefix("-"), let midnight = Timestamp("1970-01-01T00:00:00" + text) else {
            return nil
        }
        return Int(-midnight.microseconds / 1_000_000)
    }
}
