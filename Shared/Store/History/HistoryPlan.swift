import Instants
import WaterQuality

/// The sources of a period's points: roll-ups where they are exact, samples for the rest.
///
/// The rest is everything that is not rolled up yet (the newest minutes included), is due to be rolled up again, or is
/// a part of an hour or day at either end. A roll-up that reaches beyond the period would show an owner values from
/// before their time.
struct HistoryPlan: Equatable, Sendable {
    var days: [Range<Timestamp>] = []
    var hours: [Range<Timestamp>] = []
    var samples: [Range<Timestamp>] = []

    init(_ period: Range<Timestamp>, by resolution: HistoryResolution, _ kept: KeptHistory) {
        var rest = [period]
        if resolution == .day { (days, rest) = Self.cut(rest, RollUpSchedule.day, kept) }
        if resolution != .message { (hours, rest) = Self.cut(rest, RollUpSchedule.hour, kept) }
        samples = rest
    }

    /// Cuts the whole hours or days that roll-ups cover out of some periods.
    private static func cut(
        _ periods: [Range<Timestamp>], _ unit: Duration, _ kept: KeptHistory
    ) -> (whole: [Range<Timestamp>], rest: [Range<Timestamp>]) {
        var whole: [Range<Timestamp>] = []
        var rest: [Range<Timestamp>] = []
        for period in periods {
            var start = period.lowerBound.roundedUp(to: unit)
            let end = min(period.upperBound, kept.rolledUpUntil).roundedDown(to: unit)
            guard start < end else {
                rest.append(period)
                continue
            }
            rest.append(period.lowerBound..<start)
            for due in kept.due.map({ $0.roundedDown(to: unit) }) where due >= start && due < end {
                whole.append(start..<due)
                rest.append(due..<due + unit)
                start = due + unit
            }
            whole.append(start..<end)
            rest.append(end..<period.upperBound)
        }
        return (whole.filter { !$0.isEmpty }, rest.filter { !$0.isEmpty })
    }
}
