import ServiceKit
import Store
import WaterQuality

extension RecordAttempts.Outcome: MetricLabel {
    package static let labelName = "outcome"
}

/// What a notifier measures.
struct NotifierMetrics: Sendable {
    private let attempts: Labelled<LabelPair<ChannelName, RecordAttempts.Outcome>, Counter>
    private let lagOfDecision: Labelled<ChannelName, Histogram>
    private let lagOfReceipt: Labelled<ChannelName, Histogram>
    private let duration: Labelled<ChannelName, Histogram>
    private let stale: Labelled<ChannelName, Counter>
    private let retired: Labelled<ChannelName, Counter>
    let overdueLeases: Counter
    let putOff: Counter
    let unrecorded: Counter
    let waiting: Gauge
    let sending: Gauge
    let pending: Gauge
    let lateness: Gauge

    init(_ registry: MetricsRegistry) {
        attempts = registry.counter(
            "aqua_notifier_attempts_total", "Attempts to deliver, by what came of them.",
            by: LabelPair<ChannelName, RecordAttempts.Outcome>.self)
        lagOfDecision = registry.histogram(
            "aqua_notifier_decision_to_accepted_seconds", "From the decision to alert to the acceptance.",
            by: ChannelName.self)
        lagOfReceipt = registry.histogram(
            "aqua_notifier_receipt_to_accepted_seconds", "From the receipt of the reading to its acceptance.",
            by: ChannelName.self)
        duration = registry.histogram(
            "aqua_notifier_attempt_seconds", "Duration of an attempt.", by: ChannelName.self)
        stale = registry.counter(
            "aqua_notifier_stale_total", "Deliveries given up because their alert became stale.", by: ChannelName.self)
        retired = registry.counter(
            "aqua_notifier_retired_endpoints_total", "Endpoints retired because their receiver is gone.",
            by: ChannelName.self)
        overdueLeases = registry.counter(
            "aqua_notifier_overdue_leases_total", "Deliveries left to another lease because ours had nearly ended.")
        putOff = registry.counter(
            "aqua_notifier_put_off_total", "Deliveries put off because too many waited for their host.")
        unrecorded = registry.counter(
            "aqua_notifier_unrecorded_total", "Results that the database refused; their deliveries are repeated.")
        waiting = registry.gauge("aqua_notifier_waiting", "Leased deliveries that wait for their turn.")
        sending = registry.gauge("aqua_notifier_sending", "Deliveries that are being sent.")
        pending = registry.gauge("aqua_notifier_pending", "Pending deliveries in the database.")
        lateness = registry.gauge("aqua_notifier_lateness_seconds", "How long the next delivery has been due.")
    }

    func record(_ attempted: Attempted, channel: ChannelName) {
        let record = attempted.record
        attempts[channel, record.outcome].increment()
        if record.outcome == .gone { retired[channel].increment() }
        if record.state == .stale { stale[channel].increment() }
        duration[channel].observe(.microseconds(record.durationMicroseconds))
        guard record.outcome == .accepted else { return }
        lagOfDecision[channel].observe(attempted.endedAt - attempted.delivery.decidedAt)
        if let receivedAt = attempted.delivery.receivedAt {
            lagOfReceipt[channel].observe(attempted.endedAt - receivedAt)
        }
    }
}
