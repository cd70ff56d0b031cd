import Instants
import Store
import WaterQuality

/// An attempt that was made, or found to be pointless.
struct Attempt: Sendable {
    let delivery: LeasedDelivery
    let record: RecordAttempts.Attempt
    /// When the answer came.
    let endedAt: Timestamp
}

extension Attempt {
    /// A delivery that is not worth a request, or must not have one: nil when it is to be sent.
    static func unsent(_ delivery: LeasedDelivery, now: Timestamp) -> Attempt? {
        if !delivery.isStillTheirs {
            return Attempt(delivery, .cancelled, "the endpoint or the device is not theirs any more", now: now)
        }
        if !delivery.isStillTrue { return untrue(delivery, now: now) }
        if delivery.isClockTrusted, delivery.expiresAt <= now {
            return Attempt(delivery, .stale, "too late", now: now)
        }
        return nil
    }

    /// An attempt that is not made because what it would say does not hold any more.
    static func untrue(_ delivery: LeasedDelivery, now: Timestamp) -> Attempt {
        // What tells of an end concerns those alone who were told of the trouble.
        let tellsOfEnd = [.recovery, .calledOff].contains(delivery.alert.purpose.known)
        return Attempt(
            delivery, .cancelled,
            tellsOfEnd
                ? "the trouble was back, or was not told here"
                : "it was over, or its limit changed, before it could be sent",
            wasOver: !tellsOfEnd, now: now)
    }

    /// An attempt that must not be made at all.
    static func impossible(_ delivery: LeasedDelivery, _ detail: String, now: Timestamp) -> Attempt {
        Attempt(delivery, .failed, detail, now: now)
    }

    private init(
        _ delivery: LeasedDelivery, _ state: Delivery.State, _ detail: String, wasOver: Bool = false, now: Timestamp
    ) {
        self.init(
            delivery: delivery,
            record: RecordAttempts.Attempt(
                key: delivery.key, lease: delivery.lease, state: state, outcome: .refused, nextAttemptAt: nil,
                startedAt: now, durationMicroseconds: 0, status: nil, registration: delivery.registration,
                detail: detail, wasOver: wasOver),
            endedAt: now)
    }

    /// The attempt that an answer concludes.
    /// - Parameter random: From 0 to 1, for the wait before the next attempt.
    static func concluded(
        _ delivery: LeasedDelivery, _ verdict: Verdict, startedAt: Timestamp, endedAt: Timestamp,
        schedule: RetrySchedule, random: Double
    ) -> Attempt {
        var state: Delivery.State = verdict.outcome == .accepted ? .accepted : .failed
        var nextAttemptAt: Timestamp?
        if verdict.isRetriable {
            switch schedule.next(
                after: min(delivery.tries, .max - 1) + 1, retryAfter: verdict.retryAfter, now: endedAt,
                expiresAt: delivery.isClockTrusted ? delivery.expiresAt : .distantFuture, random: random)
            {
            case .at(let time): (state, nextAttemptAt) = (.pending, time)
            case .stale: state = .stale
            }
        }
        return Attempt(
            delivery: delivery,
            record: RecordAttempts.Attempt(
                key: delivery.key, lease: delivery.lease, state: state, outcome: verdict.outcome,
                nextAttemptAt: nextAttemptAt, startedAt: startedAt,
                durationMicroseconds: (endedAt - startedAt).wholeMicroseconds, status: verdict.status,
                registration: delivery.registration, detail: verdict.detail),
            endedAt: endedAt)
    }
}
