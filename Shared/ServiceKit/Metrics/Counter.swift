import Synchronization

/// A count of events that only grows; cheap enough for every message.
package final class Counter: Instrument {
    package static let kind = MetricKind.counter
    private let count = Atomic<Int>(0)

    init() {}

    /// - Parameter amount: The increment, not negative.
    package func increment(by amount: Int = 1) {
        precondition(amount >= 0, "a counter only grows")
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    package var value: Int { count.load(ordering: .relaxed) }

    package func samples() -> [MetricSample] { [MetricSample(value: Double(value))] }
}
