import Instants

/// Comparisons that the compiler can inline. `Comparable`'s operators for another module's type go through its witness
/// table, which costs more than the rest of a check.
extension Timestamp {
    static func <= (left: Timestamp, right: Timestamp) -> Bool { left.microseconds <= right.microseconds }

    static func > (left: Timestamp, right: Timestamp) -> Bool { left.microseconds > right.microseconds }
}
