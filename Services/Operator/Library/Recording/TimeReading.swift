import CGlibc
import Glibc
import Instants

/// Turns the texts of a column into instants.
struct TimeReading: Sendable {
    /// Formats, tried one after another.
    private var formats: [TimeFormat]
    private let readsInstants: Bool
    /// The zone of times without an offset.
    let zone: Zone

    /// - Parameter format: nil for the usual forms: ISO 8601 (with or without offset; `T` or a blank; seconds and fraction may
    ///   be missing; a date alone is its midnight), Unix seconds, dates with points (the day first), and with slashes in `order`.
    init(format: TimeFormat?, zone: Zone, order: DateOrder = .monthFirst) {
        formats = format.map { [$0] } ?? Self.usual(order)
        readsInstants = format == nil
        self.zone = zone
    }

    /// The time in a text: an instant, or a civil time without an offset.
    enum Parsed: Hashable, Sendable {
        case instant(Timestamp)
        case civil(CivilTime)
    }

    /// The time in a text; nil if it does not fit. A written offset takes precedence over the zone.
    func parsed(_ text: String) -> Parsed? {
        if readsInstants, let instant = Timestamp(text) { return .instant(instant) }
        for format in formats {
            guard let (civil, offset) = format.parse(text) else { continue }
            return offset.map { .instant(Timestamp(civil, secondsFromGMT: $0)) } ?? .civil(civil)
        }
        return nil
    }

    /// The instant that the text names, the first where clocks showed it twice; nil if it does not fit.
    func instant(_ text: String) -> Timestamp? {
        switch parsed(text) {
        case nil: nil
        case .instant(let time): time
        case .civil(let civil): zone.reading(of: civil).first
        }
    }

    /// Moves the formats of these texts before all others.
    mutating func prefer(formatsOf texts: [String]) {
        let used = Set(texts.compactMap { text in formats.first { $0.parse(text) != nil } })
        formats = formats.filter(used.contains) + formats.filter { !used.contains($0) }
    }

    private static func usual(_ order: DateOrder) -> [TimeFormat] {
        let (first, second) = order == .monthFirst ? ("%m", "%d") : ("%d", "%m")
        let clocks = ["", " %H:%M", " %H:%M:%S", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p", " %I:%M:%S.%f %p"]
        let dates = [
            "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%d.%m.%Y", "%d.%m.%y", "\(first)/\(second)/%Y",
            "\(first)/\(second)/%y",
            "\(first)-\(second)-%Y", "\(first)-\(second)-%y",
        ]
        let iso = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f"]
        return (dates.flatMap { date in clocks.map { date + $0 } } + iso).compactMap { try? TimeFormat($0) }
    }
}

/// A pattern of dates and times: the numeric conversions of `strptime`, and `%f` for a fraction of a second.
///
/// Year, month and day are required. D/M and M/D differ by the pattern alone: `%d/%m/%Y %H:%M`.
struct TimeFormat: Hashable, Sendable {
    /// A fault of a pattern.
    struct Fault: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    /// The pattern without `%f`, which `strptime` does not have.
    private let pattern: String
    /// The part of the pattern before `%f`; nil without `%f`.
    private let beforeFraction: String?
    /// The part of the pattern before `%z`; nil without `%z`.
    private let beforeOffset: String?

    init(_ pattern: String) throws(Fault) {
        var known: [UInt8] = []
        var (beforeFraction, beforeOffset): (String?, String?)
        var letters: Set<UInt8> = []
        var rest = Array(pattern.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                known.append(byte)
                continue
            }
            let letter = try Self.conversion(rest.popFirst())
            letters.insert(letter)
            if letter == UInt8(ascii: "z") { beforeOffset = String(decoding: known, as: UTF8.self) }
            if letter == UInt8(ascii: "f") {
                beforeFraction = String(decoding: known, as: UTF8.self)
            } else {
                known += [byte, letter]
            }
        }
        func has(_ letter: Unicode.Scalar) -> Bool { letters.contains(UInt8(ascii: letter)) }
        guard has("Y") || has("y"), has("m"), has("d") else {
            throw Fault(description: "a time format needs %Y (or %y), %m and %d")
        }
        guard has("I") == has("p") else {
            throw Fault(description: "%I and %p belong together: hours from 1 to 12, and AM or PM")
        }
        self.pattern = String(decoding: known, as: UTF8.self)
        self.beforeFraction = beforeFraction
        self.beforeOffset = beforeOffset
    }

    private static func conversion(_ letter: UInt8?) throws(Fault) -> UInt8 {
        guard let letter else {
            throw Fault(description: "a time format does not end with %; write %% for a percent sign")
        }
        guard "YymdHIpMSfz%".utf8.contains(letter) else {
            throw Fault(
                description: "%\(Character(Unicode.Scalar(letter))) is no part of a time format; there are "
                    + "%Y %y %m %d %H %I %p %M %S %f %z %%")
        }
        return letter
    }

    /// Reads the whole text by this pattern.
    /// - Returns: The civil time, and its offset from UTC if the text has one; nil if the text does not fit or names no real
    ///   date.
    func parse(_ text: String) -> (civil: CivilTime, secondsFromGMT: Int?)? {
        // `strptime` takes an upper-case Z for an offset; a text may have it in lower case.
        let text = beforeOffset != nil && text.hasSuffix("z") ? text.dropLast() + "Z" : text
        guard let (text, microsecond) = cuttingFraction(text),
            let (parts, length) = Self.scan(text, pattern), length == text.utf8.count, hasNumbers(of: parts, text)
        else { return nil }
        let year = Int(parts.tm_year) + 1900
        // `strptime` accepts fewer digits for %Y, and any offset.
        guard year >= 1000, abs(parts.tm_gmtoff) < 86_400,
            let civil = CivilTime(
                year: year, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday), hour: Int(parts.tm_hour),
                minute: Int(parts.tm_min), second: Int(parts.tm_sec), microsecond: microsecond)
        else { return nil }
        return (civil, beforeOffset == nil ? nil : parts.tm_gmtoff)
    }

    /// - Returns: The text without its fraction of a second, and the fraction; nil if the pattern has one and the text has not.
    private func cuttingFraction(_ text: String) -> (text: String, microsecond: Int)? {
        guard let beforeFraction else { return (text, 0) }
        guard let (_, start) = Self.scan(text, beforeFraction) else { return nil }
        let bytes = text.utf8
        let digits = bytes.dropFirst(start).prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...9).contains(digits.count),
            let microsecond = Int((String(decoding: digits, as: UTF8.self) + "00000").prefix(6))
        else { return nil }
        let rest = Array(bytes.prefix(start)) + bytes.dropFirst(start + digits.count)
        return (String(decoding: rest, as: UTF8.self), microsecond)
    }

    /// Whether the text has the numbers that the pattern writes for the time that was read from it, but for leading zeros.
    ///
    /// `strptime` guesses where adjacent numbers have lost their zeros, and needs no blank between numbers.
    private func hasNumbers(of parts: tm, _ text: String) -> Bool {
        var parts = parts
        let pattern = beforeOffset ?? pattern
        guard let (_, length) = Self.scan(text, pattern) else { return false }
        let written = [UInt8](unsafeUninitializedCapacity: pattern.utf8.count * 5 + 1) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, pattern, &parts) }
        }
        return Self.numbers(Array(text.utf8.prefix(length))) == Self.numbers(written)
    }

    private static func numbers(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return text.split { !digits.contains($0) }.map { $0.drop { $0 == digits.lowerBound } }
    }

    /// - Returns: The components that the pattern found at the start of the text, and the bytes that it took; nil if it
    ///   does not fit.
    private static func scan(_ text: String, _ pattern: String) -> (parts: tm, length: Int)? {
        var parts = tm()
        let length = text.withCString { start in
            strptime(start, pattern, &parts).map { start.distance(to: UnsafePointer($0)) }
        }
        return length.map { (parts, $0) }
    }
}
