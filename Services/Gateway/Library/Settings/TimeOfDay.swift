import Routes

/// A day of the week. The raw values are a promise to clients; their order is that of ISO 8601.
enum Weekday: String, CaseIterable, Sendable, Encodable {
    case monday, tuesday, wednesday, thursday, friday, saturday, sunday

    /// From 1, Monday.
    var number: Int { Self.allCases.firstIndex(of: self)! + 1 }

    /// - Returns: `nil` for what is no number of a day.
    init?(number: Int) {
        guard (1...Self.allCases.count).contains(number) else { return nil }
        self = Self.allCases[number - 1]
    }
}

extension Set<Weekday> {
    /// - Parameter mask: The days as they are stored: bit n, from 0, is the nth after Monday.
    init(mask: Int16) { self.init(Weekday.allCases.filter { mask & $0.bit != 0 }) }

    var mask: Int16 { reduce(0) { $0 | $1.bit } }
    /// From Monday on.
    var inOrder: [Weekday] { Weekday.allCases.filter(contains) }
}

extension Weekday {
    fileprivate var bit: Int16 { 1 << Int16(number - 1) }
}

/// Times of day, as minutes since midnight.
enum TimeOfDay {
    /// A time of day as it is written: 22:30.
    static func text(of minutes: Int) -> String {
        let (hour, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
    }

    /// - Returns: `nil` for what is no time of day.
    static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard text.utf8.count == 5, parts.count == 2, let hour = parts[0], let minute = parts[1],
            (0..<24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }
}

extension Fault {
    fileprivate static let timeOfDay = Fault("not-time-of-day")
}

extension Format where Value == Int {
    /// A time of day, in minutes since midnight.
    static var timeOfDay: Format {
        .reading("time", example: "22:30", count: 5...5, pattern: "^(?:[01][0-9]|2[0-3]):[0-5][0-9]$") {
            text throws(Fault) in
            guard let minutes = TimeOfDay.minutes(text) else { throw .timeOfDay }
            return minutes
        }
    }
}
