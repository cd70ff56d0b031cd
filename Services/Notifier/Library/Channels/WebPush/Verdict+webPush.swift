import Instants
import PushClient
import ServiceKit
import WaterQuality
package import WebPush

extension Verdict {
    /// What the answer of a push service means, where it differs from a webhook's:
    ///
    /// | answer | outcome | again? |
    /// |---|---|---|
    /// | 404, 410 | gone: the browser is retired | no |
    /// | 400, 401, 403, 413 | retry: our keys, our clock or our message is wrong | yes, after five minutes at least |
    ///
    /// A refusal says nothing of the browser, so it is never retired for one: the operator is told (`PushServiceAnswer`). It is
    /// tried again nevertheless, for a delivery that fails gives the throttle back, and each reading would make a new alert.
    static func webPush(_ answer: PushAnswer, now: Timestamp) -> Verdict {
        var verdict = Verdict(answer, now: now)
        guard case .response(let status, _) = answer else { return verdict }
        switch PushServiceAnswer(answer) {
        case .gone: verdict.retire("the subscription has ended (\(status))")
        case .badRequest, .unauthorized, .forbidden, .tooLarge:
            verdict.wait(
                patienceWithRefusals,
                "the push service refuses our messages (\(status)), which the operator has to mend")
        case .throttled: verdict.detail = "the push service asks for a pause (\(status))"
        case .accepted, .failed: break
        }
        return verdict
    }
}

/// What a push service's answer says, as operators want it counted.
enum PushServiceAnswer: String, MetricLabel {
    static let labelName = "answer"

    case accepted, gone
    /// 400, 401, 403 and 413: our keys, our clock or our message is wrong.
    case badRequest, unauthorized, forbidden, tooLarge
    /// 406 (Windows), 429 and 503.
    case throttled
    /// Any other, or none.
    case failed

    init(_ answer: PushAnswer) {
        guard case .response(let status, _) = answer else {
            self = .failed
            return
        }
        self =
            switch status {
            case 200...299: .accepted
            case 404, 410: .gone
            case 400: .badRequest
            case 401: .unauthorized
            case 403: .forbidden
            case 413: .tooLarge
            case 406, 429, 503: .throttled
            default: .failed
            }
    }
}

extension PushService: MetricLabel {
    package static let labelName = "service"
}
