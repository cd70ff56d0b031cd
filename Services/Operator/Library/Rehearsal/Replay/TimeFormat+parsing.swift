import Instants
import WaterQuality

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
