import Instants
import PushTargets
import Routes
import Store
import WaterQuality

/// An alert with why it came about and what became of it at each endpoint.
struct ExplainedAlert: Sendable {
    let alert: ShownAlert
    let transitions: [ReadTransitions.Row]
    let deliveries: [ShownDelivery]
    let snooze: ShownSnooze?
    let calls: AlertCalls?
    /// Names of those who were told because they were on shift.
    let onShift: [String]

    static let output = Output<ExplainedAlert>.object(
        "ExplainedAlert", "An alert with its reasons and what became of it.",
        ShownAlert.members(\ExplainedAlert.alert) + [
            .member("reasons", .list(of: reason), "The changes of its episode, oldest first.") { $0.transitions },
            .member(
                "snooze", .optional(of: ShownSnooze.output),
                "What the person has snoozed or acknowledged of it now; null: nothing.", example: .null
            ) { $0.snooze },
            .member(
                "calls", .optional(of: AlertCalls.output),
                "Who was called because nobody had answered; null: nobody is to be called.", example: .null
            ) { $0.calls },
            .member(
                "onShift", .list(of: .text),
                "Who was told of it because they were on shift in the device's project, by the shifts as they stand now."
            ) { $0.onShift },
            .member("deliveries", .list(of: ShownDelivery.output), "One for each endpoint that it was sent to.") {
                $0.deliveries
            },
        ])

    private static let reason = Output<ReadTransitions.Row>.object(
        "Reason", "A change of an episode.",
        [
            .member(
                "eventTime", .timestamp,
                "When the reading that caused it was taken; of a silence, when the last one was received; "
                    + "of a fault, when the probe said so first, or gave a value again."
            ) {
                $0.eventTime
            },
            .member("decidedAt", .timestamp, "When it was decided.") { $0.decidedAt },
            .member(
                "reason", .text, "opened, flipped: the other side began, recovered or unlinked", example: "opened"
            ) { $0.reason },
            .member(
                "notification", .text,
                "What became of the wish to notify: alerted; none: there was nothing to tell; stale: the reading was too "
                    + "old; held: it had jumped, and the next reading had to confirm it; delayed: it had not been out of "
                    + "range for as long as the person waits; noRecipient: no endpoint was in use; throttled: the last "
                    + "alert was too recent; acknowledged; answered: somebody was on it; snoozed; toldUnstable: the person was told that the value keeps leaving its range; "
                    + "outOfRange: of a rate, or of what is told ahead, the person was told that the value is out of range; "
                    + "quietHours: held back for the night; tooMany: held back because the person was told much within an hour; "
                    + "offShift: somebody else was on shift",
                example: "alerted"
            ) { $0.notification },
            .member("value", .optional(of: .decimal), "The reading, in the canonical unit.", example: 8.6) {
                $0.value.map { Double("\($0)") ?? Double($0) }
            },
        ])
}

/// What became of an alert at one endpoint.
struct ShownDelivery: Sendable {
    let first: ReadAttempts.Row
    let attempts: [ReadAttempts.Attempt]

    /// - Parameter rows: Those of one delivery beside each other.
    static func all(of rows: [ReadAttempts.Row]) -> [ShownDelivery] {
        var deliveries: [ShownDelivery] = []
        for row in rows {
            let attempts = row.attempt.map { [$0] } ?? []
            if let last = deliveries.last, last.first.endpoint == row.endpoint {
                deliveries[deliveries.count - 1] = ShownDelivery(
                    first: last.first, attempts: last.attempts + attempts)
            } else {
                deliveries.append(ShownDelivery(first: row, attempts: attempts))
            }
        }
        return deliveries
    }

    static let output = Output<ShownDelivery>.object(
        "Delivery", "An alert on its way to one endpoint.",
        [
            .member("endpoint", .integer, "The endpoint's number.", example: 7) {
                Int($0.first.endpoint.rawValue)
            },
            .member("host", .optional(of: .text), "The host of its address.", example: "alerts.example.org") {
                $0.first.target.map(PushTarget.shownHost(of:))
            },
            .member(
                "state", .choice(Word<Delivery.State>.self),
                "pending; accepted; failed; stale: not accepted in time; cancelled: the endpoint or the device was given up, "
                    + "or what the alert says was over"
            ) { $0.first.state },
            .member("endedAt", .optional(of: .timestamp), "When it ended.") { $0.first.endedAt },
            .member(
                "arrivedAt", .optional(of: .timestamp),
                "When it arrived, as the browser itself said; accepted is what a server said."
            ) { $0.first.arrivedAt },
            .member("nextAttemptAt", .optional(of: .timestamp), "When it is tried next, while it is pending.") {
                $0.first.nextAttemptAt
            },
            .member("attempts", .list(of: attempt), "Oldest first.") { $0.attempts },
        ])

    private static let attempt = Output<ReadAttempts.Attempt>.object(
        "Attempt", "One request, or what prevented it.",
        [
            .member("startedAt", .timestamp, "When it began.") { $0.startedAt },
            .member("durationMilliseconds", .integer, "How long it took.", example: 84) {
                Int($0.durationMicroseconds / 1000)
            },
            .member(
                "outcome", .choice(Word<Delivery.Outcome>.self),
                "accepted; retry: another attempt may succeed; ambiguous: no answer after the request was sent; gone: the "
                    + "receiver is gone for good; refused: nothing was sent"
            ) { $0.outcome },
            .member("status", .optional(of: .integer), "The HTTP status, if an answer came.", example: 200) {
                $0.status.map(Int.init)
            },
            .member("detail", .text, "The reason, in English.", example: "accepted") { $0.detail },
        ])
}
