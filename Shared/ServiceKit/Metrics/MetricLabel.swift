/// The values of one label of a metric: an enum, so that their number is known and small.
///
/// Every value has a series from the start, at zero: a rate over a series that appears with its first event would miss
/// that event.
package protocol MetricLabel: MetricLabels, RawRepresentable<String> {
    /// The label's name in the exposition, such as `reason`.
    static var labelName: String { get }
}

/// What distinguishes the series of one metric: one label, or a pair of them.
package protocol MetricLabels: CaseIterable, Hashable, Sendable {
    var labels: [(name: String, value: String)] { get }
}

extension MetricLabel {
    package var labels: [(name: String, value: String)] { [(Self.labelName, rawValue)] }
}

/// Two labels; each combination has a series.
package struct LabelPair<First: MetricLabels, Second: MetricLabels>: MetricLabels {
    package let first: First
    package let second: Second

    package init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
    }

    package static var allCases: [LabelPair] {
        First.allCases.flatMap { first in Second.allCases.map { LabelPair(first, $0) } }
    }

    package var labels: [(name: String, value: String)] { first.labels + second.labels }
}
