extension Timestamp: CustomStringConvertible {
    package var description: String { iso8601 }

    /// ISO 8601 in UTC: `2026-05-01T12:00:00Z`, with three or six digits of fraction when there is one. Years outside
    /// 0000 to 9999 have a sign and at least six digits, as the standard requires.
    package var iso8601: String {
        let civil = civilTime()
        let microsecond = civil.microsecond
        var text = civil.iso8601Seconds
        if microsecond % 1000 != 0 {
            text += "."
            text.append(digits: microsecond, width: 6)
        } else if microsecond != 0 {
            text += "."
            text.append(digits: microsecond / 1000, width: 3)
        }
        return text + "Z"
    }

    /// ISO 8601 in UTC, always with three digits of fraction, for log lines.
    package var iso8601Milliseconds: String {
        let civil = civilTime()
        var text = civil.iso8601Seconds + "."
        text.append(digits: civil.microsecond / 1000, width: 3)
        return text + "Z"
    }
}

extension CivilTime {
    /// `2026-05-01T12:00:00`
    fileprivate var iso8601Seconds: String {
        var text = ""
        text.reserveCapacity(27)
        if (0...9999).contains(year) {
            text.append(digits: year, width: 4)
        } else {
            text += year < 0 ? "-" : "+"
            text.append(digits: abs(year), width: 6)
        }
        text += "-"
        text.append(digits: month, width: 2)
        text += "-"
        text.append(digits: day, width: 2)
        text += "T"
        text.append(digits: hour, width: 2)
        text += ":"
        text.append(digits: minute, width: 2)
        text += ":"
        text.append(digits: second, width: 2)
        return text
    }
}

extension String {
    /// Appends a number that is not negative, filled with zeros to `width`.
    package mutating func append(digits number: Int, width: Int) {
        let text = String(number)
        for _ in 0..<max(0, width - text.utf8.count) { append("0") }
        append(text)
    }
}
