/// The outcome of one look of a sweep, within its transaction.
struct SweepReport: Sendable {
    var alerts: [AlertRecord] = []
    var numbers = ReservedNumbers.none
    /// Whether more may be due.
    var isUnfinished = false
}
