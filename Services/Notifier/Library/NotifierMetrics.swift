import Instants
import PushClient
import ServiceKit
import Store
import WaterQuality
import WebPush

extension Delivery.Outcome: MetricLabel {
    package static let labelName = "outcome"
}

/// How a delivery ended.
enum DeliveryEnd: String, MetricLabel {
    case accepted, failed, stale, cancelled
    static let labelName = "state"
}

/// The end of an attempt to mail about an account.
enum AccountMailEnd: String, MetricLabel {
    /// Taken by the mail server, or sent without an answer.
    case sent
    /// To be tried again in a minute.
    case later
    /// Given up: the address takes no mail.
    case nobody
    static let labelName = "outcome"
}

/// The metrics of a notifier.
struct NotifierMetrics: Sendable {
    private let attempts: Labelled<LabelPair<Endpoint.Channel, Delivery.Outcome>, Counter>
    private let lagOfDecision: Labelled<Endpoint.Channel, Histogram>
    private let lagOfReceipt: Labelled<Endpoint.Channel, Histogram>
    private let duration: Labelled<Endpoint.Channel, Histogram>
    private let failures: Labelled<LabelPair<Endpoint.Channel, FailureCause>, Counter>
    private let ended: Labelled<DeliveryEnd, Counter>
    private let retired: Labelled<Endpoint.Channel, Counter>
    let accountMails: Labelled<AccountMailEnd, Counter>
    let overdueLeases: Counter
    let takenOver: Counter
    let putOff: Counter
    let paused: Counter
    let pushAnswers: Labelled<LabelPair<PushService, PushServiceAnswer>, Counter>
    let unreadableForms: Counter
    let unrecorded: Counter
    let leasing: Histogram
    let recording: Histogram
    let waiting: Gauge
    let sending: Gauge
    let pending: Gauge
    let lateness: Gauge
    let retrying: Gauge
    let failingEndpoints: Gauge
    let undeliveredAge: Gauge
    let failedWays: Gauge
    let unreachablePeople: Gauge
    let summaries: Counter
    let proofs: Counter
    let reminders: Counter

    init(_ registry: MetricsRegistry, sendingLimit: Int) {
        attempts = registry.counter(
            "aqua_notifier_attempts_total", "Attempts to deliver, by what came of them.",
            by: LabelPair<Endpoint.Channel, Delivery.Outcome>.self)
        lagOfDecision = registry.histogram(
            "aqua_notifier_decision_to_accepted_seconds", "From the decision to alert to the acceptance.",
            by: Endpoint.Channel.self)
        lagOfReceipt = registry.histogram(
            "aqua_notifier_receipt_to_accepted_seconds", "From the receipt of the reading to its acceptance.",
            by: Endpoint.Channel.self)
        duration = registry.histogram(
            "aqua_notifier_attempt_seconds", "Duration of an attempt.", by: Endpoint.Channel.self)
        failures = registry.counter(
            "aqua_notifier_failures_total", "Attempts that were not accepted, by why.",
            by: LabelPair<Endpoint.Channel, FailureCause>.self)
        ended = registry.counter(
            "aqua_notifier_deliveries_total", "Deliveries that ended; all but accepted and cancelled told nobody.",
            by: DeliveryEnd.self)
        retired = registry.counter(
            "aqua_notifier_retired_endpoints_total", "Endpoints retired because their receiver is gone.",
            by: Endpoint.Channel.self)
        accountMails = registry.counter(
            "aqua_notifier_account_mails_total", "Attempts to mail about accounts, such as a link for a new password.",
            by: AccountMailEnd.self)
        overdueLeases = registry.counter(
            "aqua_notifier_overdue_leases_total", "Deliveries left to another lease because ours had nearly ended.")
        takenOver = registry.counter(
            "aqua_notifier_taken_over_total", "Leases of notifiers that were gone, ended by this one.")
        putOff = registry.counter(
            "aqua_notifier_put_off_total", "Deliveries put off because too many waited for their host.")
        paused = registry.counter(
            "aqua_notifier_paused_total", "Deliveries put off because their push service asked for a pause.")
        pushAnswers = registry.counter(
            "aqua_notifier_push_answers_total", "Answers of browsers' push services, by whose it is and what it says.",
            by: LabelPair<PushService, PushServiceAnswer>.self)
        unreadableForms = registry.counter(
            "aqua_notifier_unreadable_forms_total",
            "Messages to webhooks in the standard form because the chosen one could not be read.")
        unrecorded = registry.counter(
            "aqua_notifier_unrecorded_total", "Results that the database refused; their deliveries are repeated.")
        leasing = registry.histogram(
            "aqua_notifier_lease_seconds", "Duration of taking due deliveries, whether there were any or not.")
        recording = registry.histogram("aqua_notifier_record_seconds", "Duration of recording a batch of results.")
        registry.gauge("aqua_notifier_sending_limit", "How many deliveries are sent at once at most.").set(sendingLimit)
        waiting = registry.gauge("aqua_notifier_waiting", "Leased deliveries that wait for their turn.")
        sending = registry.gauge("aqua_notifier_sending", "Deliveries that are being sent.")
        pending = registry.gauge("aqua_notifier_pending", "Pending deliveries in the database.")
        lateness = registry.gauge("aqua_notifier_lateness_seconds", "How long the next delivery has been due.")
        retrying = registry.gauge(
            "aqua_notifier_retrying", "Pending deliveries in the database that were tried and not accepted.")
        failingEndpoints = registry.gauge(
            "aqua_notifier_failing_endpoints", "Endpoints with a delivery that was tried and not accepted.")
        undeliveredAge = registry.gauge(
            "aqua_notifier_waiting_alert_seconds", "Age of the oldest alert that no notifier has taken up.")
        failedWays = registry.gauge(
            "aqua_notifier_failed_ways", "Endpoints that are gone, or have not taken an alert for ten minutes.")
        summaries = registry.counter(
            "aqua_notifier_summaries_total", "Summaries of people's water that were handed over.")
        proofs = registry.counter(
            "aqua_notifier_proofs_total", "Weekly notes that were handed over to ways which had shown nothing else.")
        reminders = registry.counter(
            "aqua_notifier_reminders_total", "Messages of what is to be done for the water that were handed over.")
        unreachablePeople = registry.gauge(
            "aqua_notifier_unreachable_people",
            "People all of whose endpoints are, or have stopped to confirm what arrives.")
    }

    /// A delivery that came to its end, with or without an attempt.
    func recordEnd(of attempt: Attempt) {
        if let end = DeliveryEnd(rawValue: attempt.record.state.rawValue) { ended[end].increment() }
    }

    func record(_ attempt: Attempt, after answer: PushAnswer, channel: Endpoint.Channel) {
        let record = attempt.record
        attempts[channel, record.outcome].increment()
        if let cause = FailureCause(answer) { failures[channel, cause].increment() }
        if record.outcome == .gone { retired[channel].increment() }
        duration[channel].observe(.microseconds(record.durationMicroseconds))
        guard record.outcome == .accepted else { return }
        lagOfDecision[channel].observe(attempt.endedAt - attempt.delivery.alert.decidedAt)
        if let receivedAt = attempt.delivery.alert.receivedAt {
            lagOfReceipt[channel].observe(attempt.endedAt - receivedAt)
        }
    }
}
