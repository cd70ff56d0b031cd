import Synchronization

/// The metrics of one process, created in its main and passed to every part that measures.
///
/// Each metric is created once, at start, and its instrument kept; measuring needs no look-up.
package final class MetricsRegistry: Sendable {
    private struct Family {
        let name: String
        let help: String
        let kind: MetricKind
        /// All series with their labels.
        let read: @Sendable () -> [(labels: [(name: String, value: String)], samples: [MetricSample])]
    }

    private let families = Mutex<[Family]>([])

    package init() {}

    /// A count of events; its name ends in `_total`.
    package func counter(_ name: String, _ help: String) -> Counter {
        add(name, help, Counter())
    }

    package func counter<Labels: MetricLabels>(
        _ name: String, _ help: String, by labels: Labels.Type
    ) -> Labelled<Labels, Counter> {
        add(name, help, Labelled { Counter() })
    }

    package func gauge(_ name: String, _ help: String) -> Gauge {
        add(name, help, Gauge())
    }

    package func gauge<Labels: MetricLabels>(
        _ name: String, _ help: String, by labels: Labels.Type
    ) -> Labelled<Labels, Gauge> {
        add(name, help, Labelled { Gauge() })
    }

    /// - Parameter bounds: The buckets' upper bounds, ascending, in the unit at the end of the name.
    package func histogram(
        _ name: String, _ help: String, bounds: [Double] = Histogram.latencyBounds
    ) -> Histogram {
        add(name, help, Histogram(bounds: bounds))
    }

    package func histogram<Labels: MetricLabels>(
        _ name: String, _ help: String, bounds: [Double] = Histogram.latencyBounds, by labels: Labels.Type
    ) -> Labelled<Labels, Histogram> {
        add(name, help, Labelled { Histogram(bounds: bounds) })
    }

    /// One counter for each set of labels, in their order, for labels that are known only at start, such as an API's
    /// routes.
    package func counters(_ name: String, _ help: String, _ labels: [[(name: String, value: String)]]) -> [Counter] {
        let counters = labels.map { _ in Counter() }
        add(
            Family(name: name, help: help, kind: .counter) {
                zip(labels, counters).map { (labels: $0, samples: $1.samples()) }
            })
        return counters
    }

    /// Like `counters`, with histograms.
    package func histograms(
        _ name: String, _ help: String, _ labels: [[(name: String, value: String)]],
        bounds: [Double] = Histogram.latencyBounds
    ) -> [Histogram] {
        let histograms = labels.map { _ in Histogram(bounds: bounds) }
        add(
            Family(name: name, help: help, kind: .histogram) {
                zip(labels, histograms).map { (labels: $0, samples: $1.samples()) }
            })
        return histograms
    }

    /// A figure that is read at each scrape; nil leaves the series out while the figure is unknown.
    /// - Parameter read: A quick read, callable from any thread.
    package func observed(
        _ kind: MetricKind, _ name: String, _ help: String, read: @escaping @Sendable () -> Double?
    ) {
        precondition(kind != .histogram, "a histogram cannot be looked up")
        add(
            Family(name: name, help: help, kind: kind) {
                read().map { [(labels: [], samples: [MetricSample(value: $0)])] } ?? []
            })
    }

    /// All metrics in the Prometheus text format, version 0.0.4, sorted by name.
    package func render() -> String {
        var text = PrometheusText()
        for family in families.withLock({ $0 }).sorted(by: { $0.name < $1.name }) {
            text.header(name: family.name, help: family.help, kind: family.kind)
            for (labels, samples) in family.read() {
                for sample in samples { text.sample(name: family.name, labels: labels, sample) }
            }
        }
        return text.text
    }

    private func add<Series: Instrument>(_ name: String, _ help: String, _ series: Series) -> Series {
        add(Family(name: name, help: help, kind: Series.kind) { [(labels: [], samples: series.samples())] })
        return series
    }

    private func add<Labels, Series>(
        _ name: String, _ help: String, _ labelled: Labelled<Labels, Series>
    ) -> Labelled<Labels, Series> {
        add(
            Family(name: name, help: help, kind: Series.kind) {
                labelled.all.map { (labels: $0.labels, samples: $0.series.samples()) }
            })
        return labelled
    }

    private func add(_ family: Family) {
        precondition(isMetricName(family.name), "a metric's name has letters, digits and underscores")
        precondition(
            family.kind != .counter || family.name.hasSuffix("_total"), "a counter's name ends in _total")
        families.withLock { families in
            precondition(!families.contains { $0.name == family.name }, "a metric is created once")
            families.append(family)
        }
    }
}
