import Instants
import WaterQuality

/// Where the points of a stretch of time are read: from the roll-ups what they hold exactly, from the samples the rest.
///
/// The rest is what is not rolled up yet (the newest minutes among it), what has to be rolled up again, and the parts of hours
/// and days at both ends: a roll-up that reaches beyond the stretch would tell an owner of a time before theirs.
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

    /// Takes out of some stretches of time what whole hours, or days, of roll-ups cover.
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
