package import Instants
package import PushClient
import PushTargets
import Store
package import WaterQuality

/// What an answer means for the delivery: one table for all channels.
///
/// | answer | outcome | again? |
/// |---|---|---|
/// | 2xx | accepted | |
/// | 410 | gone: the endpoint is retired | no |
/// | 3xx, never followed: it could lead anywhere | retry | yes |
/// | every other status | retry | yes |
/// | no connection, connection broken | retry | yes |
/// | silence after the request was sent | ambiguous | yes, with the same id |
/// | target not permitted, secret unusable | refused | yes |
///
/// Redirections and the other 4xx are tried again as well. A receiver that answers 302, 401 or 404 is a person's own and
/// is often mended in minutes; and giving up would be no kinder to it: a delivery that fails gives the throttle back, so that the next
/// reading makes a new alert, without any back-off. The same holds for what the operator can mend (refused). A
/// connection that breaks is no ambiguous silence: were it taken for a yes, a receiver that crashes on each message
/// would keep its person uninformed, while a no costs one repeated message.
package struct Verdict: Hashable, Sendable {
    package var outcome: Delivery.Outcome
    package var isRetriable: Bool
    /// The wait that the receiver asked for, from the answer's time on.
    package var retryAfter: Duration?
    package var status: Int16?
    /// The reason, in words for people.
    package var detail: String

    /// - Parameter now: The time of the answer.
    package init(_ answer: PushAnswer, now: Timestamp) {
        switch answer {
        case .response(let status, let retryAfter):
            self.init(status: status, retryAfter: retryAfter.flatMap { RetryAfter.delay($0, now: now) })
        case .noConnection(let cause): self.init(.retry, isRetriable: true, cause.rawValue)
        case .broken: self.init(.retry, isRetriable: true, "the connection ended without an answer")
        case .silence: self.init(.ambiguous, isRetriable: true, "no answer in time")
        case .notPermitted:
            self.init(.refused, isRetriable: true, PushTargetPolicy.refusal)
        case .unusable(let reason): self.init(.refused, isRetriable: true, reason)
        }
    }

    private init(status: Int, retryAfter: Duration?) {
        switch status {
        case 200...299: self.init(.accepted, isRetriable: false, "accepted")
        case 410: self.init(.gone, isRetriable: false, "the receiver is gone for good")
        default:
            let isRedirection = (300...399).contains(status)
            self.init(
                .retry, isRetriable: true,
                isRedirection ? "a redirection, which is not followed" : "the receiver answered \(status)")
            self.retryAfter = retryAfter
        }
        self.status = Int16(clamping: status)
    }

    private init(_ outcome: Delivery.Outcome, isRetriable: Bool, _ detail: String) {
        self.outcome = outcome
        self.isRetriable = isRetriable
        self.detail = detail
    }
}
