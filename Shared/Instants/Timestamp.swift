/// An instant: whole microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// This is the content of PostgreSQL's `timestamptz`, in eight bytes and without a calendar. Arithmetic saturates at
/// the ends of `Int64` (292,000 years away), so that no hostile time can trap.
package struct Timestamp: Hashable, Comparable, Sendable {
    package var microseconds: Int64

    package init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// The instant a number of whole seconds after the Unix epoch, saturating.
    package init(unixSeconds seconds: Int64) {
        microseconds = saturating(seconds.multipliedReportingOverflow(by: 1_000_000), negative: seconds < 0)
    }

    /// The instant of a fractional Unix time, such as a JSON number, to the nearest microsecond.
    /// - Returns: `nil` for NaN and for anything outside the years 0000 to 9999.
    package init?(unixSeconds seconds: Double) {
        self.init(unixMicroseconds: seconds * 1_000_000)
    }

    private init?(unixMicroseconds number: Double) {
        let rounded = number.rounded()
        guard rounded >= Double(Self.firstSecond) * 1_000_000, rounded < Double(Self.endSecond) * 1_000_000 else {
            return nil
        }
        microseconds = Int64(rounded)
    }

    /// The instant of a number since the Unix epoch whose unit is unknown. Its size tells seconds, milliseconds,
    /// microseconds and nanoseconds apart: a number is read in a finer unit once it would mean the year 5138 or later
    /// in the coarser one; in the finer unit such numbers begin in 1973.
    /// - Returns: `nil` for NaN, for a number too large for any unit, and outside the years 0000 to 9999.
    package init?(epoch number: Double) {
        switch abs(number) {
        case ..<1e11: self.init(unixSeconds: number)
        case ..<1e14: self.init(unixMicroseconds: number * 1_000)
        case ..<1e17: self.init(unixMicroseconds: number)
        case ..<1e20: self.init(unixMicroseconds: number / 1_000)
        default: return nil
        }
    }

    /// The ends, which PostgreSQL calls `infinity` and `-infinity`.
    package static let distantFuture = Timestamp(microseconds: .max)
    package static let distantPast = Timestamp(microseconds: .min)

    /// The microseconds that clients may name as a place in a list: from 1970 to the end of the year 9999. PostgreSQL refuses numbers far beyond.
    package static let sayable: ClosedRange<Int64> = 0...253_402_300_799_999_999

    /// The Unix time with its fraction, for metrics.
    package var unixSeconds: Double { Double(microseconds) / 1_000_000 }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.microseconds < right.microseconds
    }

    package static func + (time: Timestamp, duration: Duration) -> Timestamp {
        let step = duration.wholeMicroseconds
        return Timestamp(
            microseconds: saturating(time.microseconds.addingReportingOverflow(step), negative: step < 0))
    }

    package static func - (time: Timestamp, duration: Duration) -> Timestamp {
        let step = duration.wholeMicroseconds
        return Timestamp(
            microseconds: saturating(time.microseconds.subtractingReportingOverflow(step), negative: step > 0))
    }

    /// The time from `earlier` to `later`; negative when the order is reversed.
    package static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .microseconds(
            saturating(
                later.microseconds.subtractingReportingOverflow(earlier.microseconds),
                negative: earlier.microseconds > 0))
    }

    /// The first second of the year 0000, and the first second after the year 9999.
    static let firstSecond: Int64 = -62_167_219_200
    static let endSecond: Int64 = 253_402_300_800
}

extension Duration {
    /// Whole microseconds, truncated toward zero, saturating.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let whole = seconds.multipliedReportingOverflow(by: 1_000_000)
        if whole.overflow { return seconds < 0 ? .min : .max }
        let rest = attoseconds / 1_000_000_000_000
        return saturating(whole.partialValue.addingReportingOverflow(rest), negative: rest < 0)
    }
}

private func saturating(_ result: (partialValue: Int64, overflow: Bool), negative: Bool) -> Int64 {
    result.overflow ? (negative ? .min : .max) : result.partialValue
}
