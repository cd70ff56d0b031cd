import Instants
import SensorThings

extension FindObservedPeriod.Row {
    /// The part of the period, by the devices' clocks, that a filter leaves. It may be more than the filter lets through, and is never less:
    /// the server then looks into the days of that part alone.
    func narrowed(by filter: FilterExpression?) -> Range<Timestamp> {
        var (from, until) = (period.lowerBound, period.upperBound)
        for conjunct in filter?.conjuncts ?? [] {
            guard case .binary(let operation, let left, let right) = conjunct else { continue }
            let bound: (time: Timestamp, operation: FilterOperator)
            switch (left, right) {
            case (.field(let field), .literal(.time(let time))) where field == .time || field == .resultTime:
                bound = (time, operation)
            case (.literal(.time(let time)), .field(let field)) where field == .time || field == .resultTime:
                bound = (time, operation.mirrored)
            default: continue
            }
            if [.gt, .ge, .eq].contains(bound.operation) {
                from = max(from, bound.time - .seconds(Int64(lags.upperBound)))
            }
            if [.lt, .le, .eq].contains(bound.operation) {
                until = min(until, bound.time - .seconds(Int64(lags.lowerBound)) + .microseconds(1))
            }
        }
        return min(from, until)..<until
    }
}

extension FilterOperator {
    /// The comparison with its sides exchanged.
    fileprivate var mirrored: FilterOperator {
        switch self {
        case .gt: .lt
        case .ge: .le
        case .lt: .gt
        case .le: .ge
        default: self
        }
    }
}
