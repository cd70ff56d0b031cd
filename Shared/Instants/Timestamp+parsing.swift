extension Timestamp {
    /// The instant that a text names: ISO 8601 / RFC 3339, or Unix seconds with an optional fraction.
    package init?(_ text: String) {
        self.init(utf8: text.utf8.span)
    }

    /// The instant that a UTF-8 text names; see `init(iso8601:)` and `init(unixSeconds:)`.
    package init?(utf8 text: Span<UInt8>) {
        // Tells the two apart: a date has a hyphen in fifth place, a Unix time only as its sign.
        if text.count > 4, text[4] == UInt8(ascii: "-") {
            self.init(iso8601: text)
        } else {
            self.init(unixSeconds: text)
        }
    }

    /// Reads `2026-05-01T12:00:00Z` and its relatives: `T`, `t` or a space in the middle; seconds may be missing; a
    /// fraction (point or comma) of any length, digits past the sixth dropped; `Z`, `z`, `+02`, `+0200`, `+02:00`.
    ///
    /// A time without an offset names no instant and is refused. A leap second (`:60`) is accepted only in the last
    /// minute of a UTC day, as the first second of the next day.
    /// - Returns: `nil` for anything else, and for a time that its offset moves out of the years 0000 to 9999 of UTC.
    package init?(iso8601 text: Span<UInt8>) {
        let time = text.withUnsafeBufferPointer { bytes in
            var scanner = TimeScanner(bytes)
            return scanner.iso8601()
        }
        guard let time, time.hasFourDigitYear else { return nil }
        self = time
    }

    /// Reads Unix seconds such as `1777636800` or `-1.5`, exactly; fraction digits past the sixth are dropped.
    /// - Returns: `nil` for anything else, and for a time outside the years 0000 to 9999.
    package init?(unixSeconds text: Span<UInt8>) {
        let time = text.withUnsafeBufferPointer { bytes in
            var scanner = TimeScanner(bytes)
            return scanner.unixSeconds()
        }
        guard let time else { return nil }
        self = time
    }
}

extension Timestamp {
    fileprivate var hasFourDigitYear: Bool {
        microseconds >= Self.firstSecond * 1_000_000 && microseconds < Self.endSecond * 1_000_000
    }
}

/// Scans the bytes of a time. Every step either consumes its part or leaves the position unchanged.
///
/// The bytes are borrowed, so a scanner lives inside the closure that lends them.
private struct TimeScanner {
    private let text: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(_ text: UnsafeBufferPointer<UInt8>) {
        self.text = text
    }

    mutating func iso8601() -> Timestamp? {
        guard let year = digits(4), skip("-"),
            let month = digits(2), skip("-"),
            let day = digits(2), skip("T") || skip("t") || skip(" "),
            let hour = digits(2), skip(":"),
            let minute = digits(2)
        else { return nil }
        var second = 0
        var microsecond = 0
        if skip(":") {
            guard let digits = digits(2) else { return nil }
            second = digits
            if skip(".") || skip(",") {
                guard let fraction = fraction() else { return nil }
                microsecond = fraction
            }
        }
        guard let offset = offset(), isAtEnd,
            let civil = CivilTime(
                year: year, month: month, day: day, hour: hour, minute: minute, second: min(second, 59),
                microsecond: microsecond)
        else { return nil }
        let time = Timestamp(civil, secondsFromGMT: offset)
        guard second > 59 else { return time }
        let next = time + .seconds(1)
        let startsDay = (next.microseconds - Int64(microsecond)) % 86_400_000_000 == 0
        return second == 60 && startsDay ? next : nil
    }

    mutating func unixSeconds() -> Timestamp? {
        let negative = skip("-")
        guard let seconds = integer() else { return nil }
        var microsecond = 0
        if skip(".") {
            guard let fraction = fraction() else { return nil }
            microsecond = fraction
        }
        let magnitude = Int64(seconds) * 1_000_000 + Int64(microsecond)
        let time = Timestamp(microseconds: negative ? -magnitude : magnitude)
        return isAtEnd && time.hasFourDigitYear ? time : nil
    }

    private var isAtEnd: Bool { position == text.count }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < text.count, text[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    /// Exactly `count` decimal digits.
    private mutating func digits(_ count: Int) -> Int? {
        guard position + count <= text.count else { return nil }
        var value = 0
        for index in position..<position + count {
            guard let digit = digit(at: index) else { return nil }
            value = value * 10 + digit
        }
        position += count
        return value
    }

    /// One to twelve decimal digits. More would exceed every four-digit year.
    private mutating func integer() -> Int? {
        var value = 0
        var count = 0
        while count < 12, position < text.count, let digit = digit(at: position) {
            value = value * 10 + digit
            count += 1
            position += 1
        }
        return count > 0 ? value : nil
    }

    /// One or more digits after a decimal mark, as microseconds.
    private mutating func fraction() -> Int? {
        var value = 0
        var scale = 100_000
        let start = position
        while position < text.count, let digit = digit(at: position) {
            value += digit * scale
            scale /= 10
            position += 1
        }
        return position > start ? value : nil
    }

    /// An offset from UTC in seconds.
    private mutating func offset() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let sign: Int
        if skip("+") { sign = 1 } else if skip("-") { sign = -1 } else { return nil }
        guard let hours = digits(2), hours <= 23 else { return nil }
        if isAtEnd { return sign * hours * 3600 }
        _ = skip(":")
        guard let minutes = digits(2), minutes <= 59 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }

    private func digit(at index: Int) -> Int? {
        let value = text[index] &- UInt8(ascii: "0")
        return value <= 9 ? Int(value) : nil
    }
}
