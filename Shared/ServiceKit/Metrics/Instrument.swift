/// A metric's type in the exposition format.
package enum MetricKind: String, Sendable {
    case counter, gauge, histogram
}

/// Something that measures and can be read at any time.
package protocol Instrument: AnyObject, Sendable {
    static var kind: MetricKind { get }
    /// The instrument's lines of the exposition, in order.
    func samples() -> [MetricSample]
}

/// One line of the exposition, without the metric's name and labels.
package struct MetricSample: Sendable {
    /// The suffix to the metric's name, such as `_bucket`.
    var suffix = ""
    /// The `le` label of a histogram's bucket.
    var bound: Double?
    let value: Double
}

/// The series of one metric, one for each value of its labels.
package struct Labelled<Labels: MetricLabels, Series: Instrument>: Sendable {
    private let series: [Labels: Series]

    init(make: () -> Series) {
        series = Dictionary(uniqueKeysWithValues: Labels.allCases.map { ($0, make()) })
    }

    package subscript(labels: Labels) -> Series {
        guard let found = series[labels] else {
            preconditionFailure("allCases of a metric's labels lists every value")
        }
        return found
    }

    /// All series with their labels, in the order of `allCases`.
    var all: [(labels: [(name: String, value: String)], series: Series)] {
        Labels.allCases.map { ($0.labels, self[$0]) }
    }
}

extension Labelled {
    /// The series of a metric with two labels.
    package subscript<First, Second>(first: First, second: Second) -> Series
    where Labels == LabelPair<First, Second> {
        self[LabelPair(first, second)]
    }
}
