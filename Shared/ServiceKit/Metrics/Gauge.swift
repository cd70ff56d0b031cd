import Synchronization

/// A figure that goes up and down, such as the messages in a buffer.
package final class Gauge: Instrument {
    package static let kind = MetricKind.gauge
    private let bits = Atomic<UInt64>(0)

    init() {}

    package func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    package func set(_ value: Int) {
        set(Double(value))
    }

    /// Adds an amount, which may be negative.
    package func add(_ amount: Double) {
        var old = bits.load(ordering: .relaxed)
        while true {
            let new = (Double(bitPattern: old) + amount).bitPattern
            let (exchanged, current) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
            if exchanged { return }
            old = current
        }
    }

    package var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

    package func samples() -> [MetricSample] { [MetricSample(value: value)] }
}
