import Instants
import PushClient
import WaterQuality

extension Verdict {
    /// The wait that Apple asks of those who meet a fault of its own.
    static let patienceWithApple = Duration.seconds(900)

    /// The verdict on an answer of Apple's push service, where it differs from a webhook's:
    ///
    /// | answer | outcome | again? |
    /// |---|---|---|
    /// | 410, at a time after the app has registered last | gone: the app is retired | no |
    /// | 410, at a time before that, or at none | retry | yes, after five minutes at least |
    /// | 400 BadDeviceToken, DeviceTokenNotForTopic, where Apple has taken other messages | gone: the app is retired | no |
    /// | the same, where it has not: server or app may be wrong for everybody | retry | yes, after five minutes at least |
    /// | any other 400; 401, 403, 404, 405, 413: our keys, our clock or our message is wrong | retry | yes, after five minutes at least |
    /// | 429 | retry | yes, after one minute, or as it says |
    /// | 500, 503 | retry | yes, after 15 minutes, or as it says |
    ///
    /// - Parameters:
    ///   - registeredAt: When the app said last that its token is its own.
    ///   - isProven: Whether Apple has taken a message with these settings.
    static func apns(_ reply: PushReply, registeredAt: Timestamp, isProven: Bool, now: Timestamp) -> Verdict {
        var verdict = Verdict(reply.answer, now: now)
        guard case .response(let status, _) = reply.answer else { return verdict }
        switch APNsFinding(reply) {
        case .accepted, .failed: break
        case .ended(let time):
            if let time, registeredAt < time {
                verdict.retire("the app was removed, or its token has ended (\(status))")
            } else {
                verdict.wait(Self.patienceWithRefusals, "the app was removed before it registered again (\(status))")
            }
        case .unknownToken:
            if isProven {
                verdict.retire("Apple knows this phone no more (\(status))")
            } else {
                verdict.wait(Self.patienceWithRefusals, "Apple knows neither this phone nor yet another (\(status))")
            }
        case .outdated, .forbidden, .badRequest, .tooLarge:
            verdict.wait(
                Self.patienceWithRefusals, "Apple refuses our messages (\(status)), which the operator has to mend")
        case .tooManyForPhone: verdict.yield(patienceWithLimits, "Apple asks for a pause for this phone (\(status))")
        case .tooMany: verdict.yield(patienceWithLimits, "Apple asks for a pause (\(status))")
        case .unavailable: verdict.yield(Self.patienceWithApple, "Apple's push service is unavailable (\(status))")
        }
        return verdict
    }
}

extension OriginPauses.Sign {
    /// A pause is as long as the message itself waits. An error within Apple (500) may be about one message, and makes everybody rest only where
    /// several people meet it.
    init(_ finding: APNsFinding, in answer: PushAnswer) {
        self =
            switch finding {
            case .accepted: .takes
            case .tooManyForPhone, .tooMany: .rests(Verdict.patienceWithLimits, isEverybody: false)
            case .unavailable: .rests(Verdict.patienceWithApple, isEverybody: answer.isUnavailable)
            default: .nothing
            }
    }
}
