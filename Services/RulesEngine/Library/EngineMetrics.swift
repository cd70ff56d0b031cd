import Instants
import ServiceKit
import Store
import WaterQuality

/// The metrics of an engine.
struct EngineMetrics: Sendable {
    let messages: Counter
    let claims: Counter
    /// Alarms and reminders, and recovery notices, by their kind.
    private let alerts: Labelled<KindLabel, Counter>
    private let recoveries: Labelled<KindLabel, Counter>
    let decisions: [Decision.Reason: Counter]
    let notifications: [Decision.Reason: Counter]
    private let calls: Labelled<CallLabel, Counter>
    let lag: Histogram
    let claimDuration: Histogram
    let waitingMessages: Gauge
    let waitingAge: Gauge
    let lostMemories: Counter
    let deviceClocks: Labelled<ClockLabel, Gauge>
    let endedHolders: Counter

    /// The kinds of alerts that engines decide.
    enum KindLabel: String, MetricLabel {
        case range, silence, fault, rate, ahead, byHand
        static let labelName = "kind"
    }

    /// The reasons of decisions about readings that could change something.
    enum ReasonLabel: String, MetricLabel {
        case superseded, normal, opened, ongoing, flipped, settling, recovered
        static let labelName = "reason"
    }

    /// The outcomes of decisions to notify.
    enum NotificationLabel: String, MetricLabel {
        case opened, reminder, flipped, critical, unstable, stale, held, noRecipient, throttled, delayed, acknowledged
        case answered, snoozed, toldUnstable, outOfRange, quietHours, tooMany, offShift
        static let labelName = "reason"
    }

    /// What came of calls to others.
    enum CallLabel: String, MetricLabel {
        case told, quietHours, notAgreed, unreachable, paused, gone, tooMany
        static let labelName = "outcome"
    }

    /// The faults of devices' clocks.
    enum ClockLabel: String, MetricLabel {
        case behind, ahead, unproven
        static let labelName = "state"
    }

    init(_ registry: MetricsRegistry) {
        messages = registry.counter("aqua_rules_messages_total", "Messages that were evaluated.")
        claims = registry.counter("aqua_rules_claims_total", "Transactions that evaluated something.")
        alerts = registry.counter(
            "aqua_rules_alerts_total", "Alarms and reminders that were decided.", by: KindLabel.self)
        recoveries = registry.counter(
            "aqua_rules_recoveries_total", "Recovery notices that were decided.", by: KindLabel.self)
        let decisions = registry.counter(
            "aqua_rules_decisions_total", "Decisions on readings of devices with something out of range.",
            by: ReasonLabel.self)
        self.decisions = Dictionary(
            uniqueKeysWithValues: ReasonLabel.allCases.compactMap { label in
                Decision.Reason(rawValue: label.rawValue).map { ($0, decisions[label]) }
            })
        let notifications = registry.counter(
            "aqua_rules_notifications_total", "Wishes to notify, by what became of them.",
            by: NotificationLabel.self)
        self.notifications = Dictionary(
            uniqueKeysWithValues: NotificationLabel.allCases.compactMap { label in
                Decision.Reason(rawValue: label.rawValue).map { ($0, notifications[label]) }
            })
        calls = registry.counter(
            "aqua_rules_calls_total", "Steps of chains that were due because nobody had answered an alarm.",
            by: CallLabel.self)
        lag = registry.histogram(
            "aqua_rules_lag_seconds", "From the receipt of a batch's oldest message to its decision.",
            bounds: Histogram.latencyBounds)
        claimDuration = registry.histogram(
            "aqua_rules_claim_seconds", "Duration of a claim's transaction.", bounds: Histogram.latencyBounds)
        waitingMessages = registry.gauge(
            "aqua_rules_waiting_messages", "Messages that wait for a decision, estimated when they are many.")
        waitingAge = registry.gauge("aqua_rules_waiting_seconds", "Age of the oldest message that waits.")
        lostMemories = registry.counter(
            "aqua_rules_lost_memories_total", "Slots that were read anew because another engine had decided there.")
        deviceClocks = registry.gauge(
            "aqua_rules_device_clocks", "Devices whose clock is not right, or not known to be.", by: ClockLabel.self)
        endedHolders = registry.counter(
            "aqua_rules_ended_holders_total", "Transactions of Gateways that were ended, since they held others up.")
    }

    func count(_ alerts: [AlertRecord]) {
        for alert in alerts {
            guard let kind = KindLabel(rawValue: alert.subject.kind.rawValue) else { continue }
            (alert.purpose == .recovery ? recoveries : self.alerts)[kind].increment()
        }
    }

    func count(_ calls: [MakeCalls.Call]) {
        for call in calls { CallLabel(rawValue: call.outcome.rawValue).map { self.calls[$0].increment() } }
    }

    func record(_ report: Claim.Report, took duration: Duration) {
        guard report.messages > 0, let decidedAt = report.decidedAt else { return }
        claims.increment()
        messages.increment(by: report.messages)
        count(report.alerts)
        lostMemories.increment(by: report.lostMemories)
        for (reason, count) in report.counts.byReason { decisions[reason]?.increment(by: count) }
        for (reason, count) in report.counts.notifications { notifications[reason]?.increment(by: count) }
        for receivedAt in report.receivedAt { lag.observe(decidedAt - receivedAt) }
        claimDuration.observe(duration)
    }
}
