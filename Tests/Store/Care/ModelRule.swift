import Foundation

/// When something is to be done, as it is said to people: a rhythm of days, and a time on the wall. Nothing of the product is used: zones are
/// Foundation's. Days are counted from 1970, instants are seconds since then.
struct ModelRule: Equatable {
    enum Rhythm: Equatable {
        case everyDays(Int)
        /// From 1, Monday.
        case weekday(Int)
        case monthDay(Int)
        case afterDone(Int)
    }

    var rhythm: Rhythm
    var minute: Int
    var zone: String
    var firstDay: Int

    init(_ rhythm: Rhythm, _ hour: Int, _ minute: Int, _ zone: String, from firstDay: String) {
        self.rhythm = rhythm
        self.minute = hour * 60 + minute
        self.zone = zone
        self.firstDay = Wall.day(firstDay)
    }

    /// The shortest time between two occurrences, in days.
    var gap: Int {
        switch rhythm {
        case .everyDays(let days), .afterDone(let days): days
        case .weekday: 7
        case .monthDay: 28
        }
    }

    func instant(of day: Int) -> Int { Wall.instant(day, minute, zone) }

    /// All days up to one, of a rhythm that follows the calendar.
    func days(until last: Int) -> [Int] {
        (firstDay...last).filter { day in
            switch rhythm {
            case .everyDays(let days): (day - firstDay) % days == 0
            case .weekday(let weekday): (day + 3) % 7 + 1 == weekday
            case .monthDay(let wanted): Wall.text(day).hasSuffix(wanted < 10 ? "-0\(wanted)" : "-\(wanted)")
            case .afterDone: false
            }
        }
    }
}

/// What clocks on walls show.
enum Wall {
    private static let zones = Dictionary(
        uniqueKeysWithValues: ["Europe/Berlin", "Europe/Lisbon", "America/Santiago"].map {
            ($0, TimeZone(identifier: $0))
        })

    private static let calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    private static func offset(_ zone: String, at instant: Int) -> Int {
        guard let zone = zones[zone] ?? nil else { preconditionFailure("The year has three zones.") }
        return zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    }

    /// The instant at which a clock shows a time: the first of two. A time that is skipped is read by the offset before the gap, and so comes
    /// as much later as the clock was put forward.
    static func instant(_ day: Int, _ minute: Int, _ zone: String) -> Int {
        let shown = day * 86_400 + minute * 60
        // A day and more away from the change of clocks on either side.
        let (before, after) = (offset(zone, at: shown - 86_400), offset(zone, at: shown + 86_400))
        let fitting = [before, after].filter { offset(zone, at: shown - $0) == $0 }.map { shown - $0 }
        return fitting.min() ?? shown - before
    }

    static func day(_ zone: String, at instant: Int) -> Int { (instant + offset(zone, at: instant)) / 86_400 }

    static func minute(_ zone: String, at instant: Int) -> Int { (instant + offset(zone, at: instant)) % 86_400 / 60 }

    /// A day as `2025-03-30`.
    static func text(_ day: Int) -> String {
        let parts = calendar.dateComponents(
            [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
        return [parts.year, parts.month, parts.day].map { String(format: "%02d", $0 ?? 0) }.joined(separator: "-")
    }

    static func day(_ text: String) -> Int {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        let date = calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2]))
        return Int(date?.timeIntervalSince1970 ?? 0) / 86_400
    }

    /// A time of a day as `2025-03-30T02:30`.
    static func text(_ day: Int, _ minute: Int) -> String {
        "\(text(day))T\(String(format: "%02d:%02d", minute / 60, minute % 60))"
    }

    /// The instant of a time in UTC, such as `2025-03-30 01:30`.
    static func instant(_ text: String) -> Int {
        let parts = text.split { $0 == " " || $0 == ":" }
        return day(String(parts[0])) * 86_400 + (Int(parts[1]) ?? 0) * 3600 + (Int(parts[2]) ?? 0) * 60
    }
}
