extension Timestamp: CustomStringConvertible {
    package var description: String { iso8601 }

    /// ISO 8601 in UTC: `2026-05-01T12:00:00Z`, with three or six digits of fraction when there is one. Years outside
    /// 0000 to 9999 have a sign and at least six digits, as the standard wants it.
    package var iso8601: String {
        let civil = civilTime()
        var text = ""
        text.reserveCapacity(27)
        if (0...9999).contains(civil.year) {
            text.append(digits: civil.year, width: 4)
        } else {
            text += civil.year < 0 ? "-" : "+"
            text.append(digits: abs(civil.year), width: 6)
        }
        text += "-"
        text.append(digits: civil.month, width: 2)
        text += "-"
        text.append(digits: civil.day, width: 2)
        text += "T"
        text.append(digits: civil.hour, width: 2)
        text += ":"
        text.append(digits: civil.minute, width: 2)
        text += ":"
        text.append(digits: civil.second, width: 2)
        if civil.microsecond != 0 {
            let inMilliseconds = civil.microsecond % 1000 == 0
            text += "."
            text.append(
                digits: inMilliseconds ? civil.microsecond / 1000 : civil.microsecond, width: inMilliseconds ? 3 : 6)
        }
        return text + "Z"
    }
}

extension String {
    /// Appends a number that is not negative, filled with zeros to `width`.
    mutating func append(digits number: Int, width: Int) {
        let text = String(number)
        for _ in 0..<max(0, width - text.utf8.count) { append("0") }
        append(text)
    }
}
