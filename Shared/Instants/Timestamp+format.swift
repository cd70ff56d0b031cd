extension Timestamp: CustomStringConvertible {
    package var description: String { iso8601 }

    /// ISO 8601 in UTC: `2026-05-01T12:00:00Z`, with three or six digits of fraction when there is one. Years outside
    /// 0000 to 9999 have a sign and at least six digits, as the standard requires.
    package var iso8601: String {
        var text: [UInt8] = []
        text.reserveCapacity(27)
        appendISO8601(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// ISO 8601 in UTC, always with three digits of fraction, for log lines.
    package var iso8601Milliseconds: String {
        var text: [UInt8] = []
        text.reserveCapacity(27)
        let civil = civilTime()
        civil.appendSeconds(to: &text)
        text.append(UInt8(ascii: "."))
        text.append(digits: civil.microsecond / 1000, width: 3)
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends `iso8601`.
    package func appendISO8601(to text: inout [UInt8]) {
        let civil = civilTime()
        let microsecond = civil.microsecond
        civil.appendSeconds(to: &text)
        if microsecond % 1000 != 0 {
            text.append(UInt8(ascii: "."))
            text.append(digits: microsecond, width: 6)
        } else if microsecond != 0 {
            text.append(UInt8(ascii: "."))
            text.append(digits: microsecond / 1000, width: 3)
        }
        text.append(UInt8(ascii: "Z"))
    }
}

extension CivilTime {
    /// `2026-05-01T12:00:00`
    fileprivate func appendSeconds(to text: inout [UInt8]) {
        if (0...9999).contains(year) {
            text.append(digits: year, width: 4)
        } else {
            text.append(UInt8(ascii: year < 0 ? "-" : "+"))
            text.append(digits: abs(year), width: 6)
        }
        for (sign, number) in [("-", month), ("-", day), ("T", hour), (":", minute), (":", second)]
            as [(Unicode.Scalar, Int)]
        {
            text.append(UInt8(ascii: sign))
            text.append(digits: number, width: 2)
        }
    }
}

extension [UInt8] {
    /// Appends a number that is not negative, padded with zeros to `width`.
    fileprivate mutating func append(digits number: Int, width: Int) {
        if width > 1 || number >= 10 { append(digits: number / 10, width: width - 1) }
        append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

extension String {
    /// Appends a number that is not negative, padded with zeros to `width`.
    package mutating func append(digits number: Int, width: Int) {
        let text = String(number)
        for _ in 0..<max(0, width - text.utf8.count) { append("0") }
        append(text)
    }
}
