import Foundation
import Instants
import WaterQuality

/// How a column's texts become instants.
struct TimeReading: Sendable {
    /// Tried one after another; none means the usual forms.
    private let formats: [TimeFormat]
    private let readsInstants: Bool
    private let zone: Zone

    /// - Parameter format: nil for the usual forms: ISO 8601 (with or without offset; `T` or a blank; seconds and fraction may
    ///   be missing; a date alone is its midnight), Unix seconds, and the form of American spreadsheets, `7/2/2021 0:15`
    ///   (month first, seconds optional).
    init(format: TimeFormat?, zone: Zone) {
        formats = format.map { [$0] } ?? Self.usual
        readsInstants = format == nil
        self.zone = zone
    }

    /// The instant that the text names; nil if it does not fit.
    func instant(_ text: String) -> Timestamp? {
        if readsInstants, let instant = Timestamp(text) { return instant }
        for format in formats {
            if let written = format.parse(text) { return zone.instant(of: written) }
        }
        return nil
    }

    private static let usual: [TimeFormat] = [
        "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f",
        "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%d",
        "%m/%d/%Y %H:%M", "%m/%d/%Y %H:%M:%S", "%m/%d/%Y",
    ].compactMap { try? TimeFormat($0) }
}

/// A pattern of dates and times in the manner of `strptime`.
///
/// - `%Y` year, four digits; `%y` two digits (69 to 99 are of the 1900s)
/// - `%m` month, `%d` day, `%H` hour, `%M` minute, `%S` second: one or two digits
/// - `%I` hour from 1 to 12, with `%p`: AM or PM
/// - `%f` fraction of a second: one to nine digits, kept to the microsecond
/// - `%z` offset from UTC: `Z`, `+02`, `+0200`, `+02:00`
/// - `%%` a percent sign; a blank: one or more blanks; everything else: itself
///
/// Year, month and day are required. D/M and M/D differ by the pattern alone: `%d/%m/%Y %H:%M`.
struct TimeFormat: Hashable, Sendable {
    enum Element: Hashable, Sendable {
        case year, shortYear, month, day, hour, hourOfHalf, half, minute, second, fraction, offset
        case blanks
        case literal(UInt8)
    }

    let elements: [Element]

    /// What is wrong with a pattern.
    struct Fault: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    init(_ pattern: String) throws(Fault) {
        elements = try Self.elements(of: pattern)
        let hasYear = elements.contains(.year) || elements.contains(.shortYear)
        guard hasYear, elements.contains(.month), elements.contains(.day) else {
            throw Fault(description: "a time format needs %Y (or %y), %m and %d")
        }
        guard elements.contains(.hourOfHalf) == elements.contains(.half) else {
            throw Fault(description: "%I and %p belong together: hours from 1 to 12, and AM or PM")
        }
    }

    private static func elements(of pattern: String) throws(Fault) -> [Element] {
        var elements: [Element] = []
        var rest = Array(pattern.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: " "):
                if elements.last != .blanks { elements.append(.blanks) }
            case UInt8(ascii: "%"):
                guard let letter = rest.popFirst() else {
                    throw Fault(description: "a time format does not end with %; write %% for a percent sign")
                }
                elements.append(try element(letter))
            default: elements.append(.literal(byte))
            }
        }
        return elements
    }

    private static func element(_ letter: UInt8) throws(Fault) -> Element {
        switch letter {
        case UInt8(ascii: "Y"): .year
        case UInt8(ascii: "y"): .shortYear
        case UInt8(ascii: "m"): .month
        case UInt8(ascii: "d"): .day
        case UInt8(ascii: "H"): .hour
        case UInt8(ascii: "I"): .hourOfHalf
        case UInt8(ascii: "p"): .half
        case UInt8(ascii: "M"): .minute
        case UInt8(ascii: "S"): .second
        case UInt8(ascii: "f"): .fraction
        case UInt8(ascii: "z"): .offset
        case UInt8(ascii: "%"): .literal(letter)
        default:
            throw Fault(
                description: "%\(Character(Unicode.Scalar(letter))) is no part of a time format; there are "
                    + "%Y %y %m %d %H %I %p %M %S %f %z %%")
        }
    }
}

/// What a text says of an instant: the wall clock, and its offset from UTC where the text has one.
struct WrittenTime: Hashable, Sendable {
    var civil: CivilTime
    var secondsFromGMT: Int?
}

extension TimeFormat {
    /// Reads the whole text by this pattern; nil if it does not fit or names no real date.
    func parse(_ text: String) -> WrittenTime? {
        var scanner = Scanner(text)
        var parts = Parts()
        for element in elements {
            guard scanner.take(element, into: &parts) else { return nil }
        }
        return scanner.isAtEnd ? parts.time : nil
    }

    private struct Parts {
        var year = 0
        var month = 0
        var day = 0
        var hour = 0
        var isAfternoon: Bool?
        var minute = 0
        var second = 0
        var microsecond = 0
        var secondsFromGMT: Int?

        var time: WrittenTime? {
            var hour = hour
            if let isAfternoon {
                guard (1...12).contains(hour) else { return nil }
                hour = hour % 12 + (isAfternoon ? 12 : 0)
            }
            return CivilTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: second,
                microsecond: microsecond
            ).map { WrittenTime(civil: $0, secondsFromGMT: secondsFromGMT) }
        }
    }

    /// Walks over the bytes of a text.
    private struct Scanner {
        private var rest: ArraySlice<UInt8>

        init(_ text: String) { rest = Array(text.utf8)[...] }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func take(_ element: Element, into parts: inout Parts) -> Bool {
            switch element {
            case .year: store(number(4...4), \.year, &parts)
            case .shortYear: store(number(2...2).map { $0 + ($0 < 69 ? 2000 : 1900) }, \.year, &parts)
            case .month: store(number(1...2), \.month, &parts)
            case .day: store(number(1...2), \.day, &parts)
            case .hour, .hourOfHalf: store(number(1...2), \.hour, &parts)
            case .minute: store(number(1...2), \.minute, &parts)
            case .second: store(number(1...2), \.second, &parts)
            case .fraction: store(fraction(), \.microsecond, &parts)
            case .half: store(isAfternoon(), \.isAfternoon, &parts)
            case .offset: store(offset(), \.secondsFromGMT, &parts)
            case .blanks: skipBlanks()
            case .literal(let byte): skip(byte)
            }
        }

        private func store<Value>(_ value: Value?, _ part: WritableKeyPath<Parts, Value>, _ parts: inout Parts) -> Bool
        {
            guard let value else { return false }
            parts[keyPath: part] = value
            return true
        }

        private func store<Value>(_ value: Value?, _ part: WritableKeyPath<Parts, Value?>, _ parts: inout Parts) -> Bool
        {
            parts[keyPath: part] = value
            return value != nil
        }

        private mutating func skip(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }

        private mutating func skipBlanks() -> Bool {
            guard skip(UInt8(ascii: " ")) else { return false }
            while skip(UInt8(ascii: " ")) {}
            return true
        }

        private mutating func digit() -> Int? {
            guard let first = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
            rest.removeFirst()
            return Int(first - UInt8(ascii: "0"))
        }

        private mutating func number(_ digits: ClosedRange<Int>) -> Int? {
            var value = 0
            var count = 0
            while count < digits.upperBound, let digit = digit() {
                value = value * 10 + digit
                count += 1
            }
            return digits.contains(count) ? value : nil
        }

        private mutating func fraction() -> Int? {
            var value = 0
            var count = 0
            while count < 9, let digit = digit() {
                if count < 6 { value = value * 10 + digit }
                count += 1
            }
            for _ in 0..<max(0, 6 - count) { value *= 10 }
            return count > 0 ? value : nil
        }

        private mutating func isAfternoon() -> Bool? {
            guard let letter = rest.popFirst(), let m = rest.popFirst(), m | 0x20 == UInt8(ascii: "m") else {
                return nil
            }
            switch letter | 0x20 {
            case UInt8(ascii: "a"): return false
            case UInt8(ascii: "p"): return true
            default: return nil
            }
        }

        private mutating func offset() -> Int? {
            if skip(UInt8(ascii: "Z")) || skip(UInt8(ascii: "z")) { return 0 }
            let sign: Int
            if skip(UInt8(ascii: "+")) { sign = 1 } else if skip(UInt8(ascii: "-")) { sign = -1 } else { return nil }
            guard let hours = number(2...2), hours < 24 else { return nil }
            let hasColon = skip(UInt8(ascii: ":"))
            guard let minutes = number(2...2) ?? (hasColon ? nil : 0), minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}

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
