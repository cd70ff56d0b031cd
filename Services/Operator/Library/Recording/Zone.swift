import ArgumentParser
import FoundationEssentials
import FoundationInternationalization
import Instants

/// The time zone of times without an offset: a fixed offset, or a place of the time-zone database.
struct Zone: Hashable, Sendable {
    private let zone: TimeZone

    static let utc = Zone(zone: .gmt)
    /// This machine's zone (`TZ`, or `/etc/localtime`).
    static let local = hasDatabase ? Zone(zone: .current) : utc

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

    /// A time as the zone's clocks show it, to the second, with the offset: `2026-05-01 14:00:00 +02:00`.
    func text(_ time: Timestamp) -> String {
        let seconds = offset(at: time)
        let shown = time.civilTime(secondsFromGMT: seconds)
        let clock = Timestamp(shown).iso8601.prefix(19).map { $0 == "T" ? " " : $0 }
        let minutes = seconds.magnitude / 60
        var offset = seconds < 0 ? "-" : "+"
        offset.append(digits: Int(minutes / 60), width: 2)
        offset.append(":")
        offset.append(digits: Int(minutes % 60), width: 2)
        return "\(String(clock)) \(offset)"
    }

    /// - Throws: `ValidationError` that says what a zone is.
    init(argument text: String) throws {
        guard let zone = Zone(text) else {
            throw ValidationError(
                "\"\(text)\" is no zone; write a place such as Europe/Madrid, an offset such as -06:00, or UTC.")
        }
        self = zone
    }

    /// The instants at which the clocks of the zone show a time.
    enum Reading: Hashable, Sendable {
        case one(Timestamp)
        /// Clocks were set back and show the time twice.
        case doubled(first: Timestamp, second: Timestamp)
        /// Clocks were set forward and skip the time; these are the instants by the clocks before and after.
        case skipped(before: Timestamp, after: Timestamp)

        /// The first of two instants; for a skipped time the instant as if clocks had not been set.
        var first: Timestamp {
            switch self {
            case .one(let time), .doubled(let time, _), .skipped(let time, _): time
            }
        }
    }

    func reading(of civil: CivilTime) -> Reading {
        let naive = Timestamp(civil)
        // No zone changes its offset twice within two days, so the offset is that of a day before or that of a day after.
        let before = offset(at: naive - .seconds(86_400))
        let after = offset(at: naive + .seconds(86_400))
        let early = Timestamp(civil, secondsFromGMT: before)
        let late = Timestamp(civil, secondsFromGMT: after)
        if before == after { return .one(early) }
        switch (offset(at: early) == before, offset(at: late) == after) {
        case (true, true): return .doubled(first: early, second: late)
        case (true, false): return .one(early)
        case (false, true): return .one(late)
        case (false, false): return .skipped(before: early, after: late)
        }
    }

    /// Whether the zone's clocks may be set; false for a fixed offset.
    var hasClockChanges: Bool { zone.identifier.utf8.contains(UInt8(ascii: "/")) }

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
