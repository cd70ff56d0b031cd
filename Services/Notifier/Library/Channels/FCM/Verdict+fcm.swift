import Instants
import PushClient
import WaterQuality

extension Verdict {
    /// The least wait that Google asks of those who meet a fault of its own.
    static let patienceWithGoogle = Duration.seconds(10)

    /// The verdict on an answer of Firebase Cloud Messaging, where it differs from a webhook's:
    ///
    /// | answer | outcome | again? |
    /// |---|---|---|
    /// | 404 UNREGISTERED; 400 that names `message.token` | gone: the app is retired | no |
    /// | 403 SENDER_ID_MISMATCH, where Google has taken other messages | gone: the app is retired | no |
    /// | the same, where it has not: the service account may be wrong for everybody | retry | yes, after five minutes at least |
    /// | any other 400, 403 or 404; 401, 405, 410, 413: our account or our message is wrong | retry | yes, after five minutes at least |
    /// | 429 | retry | yes, after one minute, or as it says |
    /// | 500, 503 | retry | yes, after ten seconds and a little more, or as it says |
    ///
    /// - Parameters:
    ///   - isProven: Whether Google has taken a message with these settings.
    ///   - random: From 0 to 1, so that not all come back at once.
    static func fcm(_ reply: PushReply, isProven: Bool, now: Timestamp, random: Double) -> Verdict {
        var verdict = Verdict(reply.answer, now: now)
        guard case .response(let status, _) = reply.answer else { return verdict }
        switch FCMFinding(reply) {
        case .accepted: break
        case .ended: verdict.retire("the app was removed, or has another token (\(status))")
        case .noToken: verdict.retire("Google knows no such token (\(status))")
        case .otherSender:
            if isProven {
                verdict.retire("the app is of another project (\(status))")
            } else {
                verdict.wait(
                    patienceWithRefusals, "Google knows this app and no other by another project (\(status))")
            }
        case .outdated, .forbidden, .badRequest:
            verdict.wait(
                patienceWithRefusals, "Google refuses our messages (\(status)), which the operator has to mend")
        case .tooMany: verdict.yield(patienceWithLimits, "Google asks for a pause (\(status))")
        case .unavailable:
            verdict.yield(patienceWithGoogle * (1 + random / 2), "Google's push service is unavailable (\(status))")
        case .failed:
            // Of a webhook that would mean gone; Google says it in other words.
            if status == 410 { verdict.wait(patienceWithRefusals, "Google's answer is not understood (410)") }
        }
        return verdict
    }
}

extension OriginPauses.Sign {
    /// A pause is as long as the message itself waits at least. An error within Google (500) may be about one message, and makes everybody rest
    /// only where several people meet it.
    init(_ finding: FCMFinding, in answer: PushAnswer) {
        self =
            switch finding {
            case .accepted: .takes
            case .tooMany: .rests(Verdict.patienceWithLimits, isEverybody: false)
            case .unavailable: .rests(Verdict.patienceWithGoogle, isEverybody: answer.isUnavailable)
            default: .nothing
            }
    }
}
