import Instants

/// Comparisons that decisions inline. The operators that `Comparable` provides for a type of another module are called
/// through its witness table, which costs more than the rest of a check.
extension Timestamp {
    static func <= (left: Timestamp, right: Timestamp) -> Bool { left.microseconds <= right.microseconds }

    static func > (left: Timestamp, right: Timestamp) -> Bool { left.microseconds > right.microseconds }
}
