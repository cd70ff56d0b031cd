import Instants
import ServiceKit

/// The outcome of a call of the heartbeat address.
enum HeartbeatEnd: String, MetricLabel {
    case taken, failed
    static let labelName = "outcome"
}

/// The metrics of the canary, which every Notifier shows alike: they are the database's.
struct CanaryMetrics: Sendable {
    let heartbeats: Labelled<HeartbeatEnd, Counter>
    private let deliveredAt: Gauge
    private let interval: Gauge

    init(_ registry: MetricsRegistry) {
        deliveredAt = registry.gauge(
            "aqua_notifier_canary_delivered_timestamp_seconds",
            "When an endpoint last took an alarm of the canary, or since when one is due; 0 where no canary is set up.")
        interval = registry.gauge(
            "aqua_notifier_canary_interval_seconds", "How often an alarm of the canary is due; 0 where none is set up.")
        heartbeats = registry.counter(
            "aqua_notifier_heartbeats_total", "Calls of the heartbeat address, by what came of them.",
            by: HeartbeatEnd.self)
    }

    /// - Parameter canary: nil where none is set up.
    func show(_ canary: LookAtCanary.Row?) {
        deliveredAt.set(canary?.arrivedAt.unixSeconds ?? 0)
        interval.set(canary.map { $0.every / .seconds(1) } ?? 0)
    }
}
