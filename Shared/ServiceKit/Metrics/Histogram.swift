import Synchronization

/// Counts observations, usually seconds, in fixed buckets.
package final class Histogram: Instrument {
    package static let kind = MetricKind.histogram

    /// Upper bounds for latencies in seconds, from 1 ms to 60 s.
    package static let latencyBounds: [Double] = [
        0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60,
    ]
    /// Upper bounds for sizes, such as the messages of a batch: powers of four up to 65,536.
    package static let sizeBounds: [Double] = [1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536]

    private struct State {
        /// The count of each bucket, not cumulative: one for each bound, and a last one for larger values.
        var counts: [Int]
        var sum: Double
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        precondition(
            !bounds.isEmpty && bounds.allSatisfy(\.isFinite) && zip(bounds, bounds.dropFirst()).allSatisfy(<),
            "a histogram's bounds are finite and ascend")
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1), sum: 0))
    }

    /// Counts one observation; NaN is ignored, because it would spoil the sum for ever.
    package func observe(_ value: Double) {
        guard !value.isNaN else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock {
            $0.counts[bucket] += 1
            $0.sum += value
        }
    }

    /// Counts a duration in seconds.
    package func observe(_ duration: Duration) {
        observe(duration / .seconds(1))
    }

    package var count: Int { state.withLock { $0.counts.reduce(0, +) } }

    package func samples() -> [MetricSample] {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        var total = 0
        var samples: [MetricSample] = []
        for (bound, count) in zip(bounds + [.infinity], counts) {
            total += count
            samples.append(MetricSample(suffix: "_bucket", bound: bound, value: Double(total)))
        }
        samples.append(MetricSample(suffix: "_sum", value: sum))
        samples.append(MetricSample(suffix: "_count", value: Double(total)))
        return samples
    }
}
