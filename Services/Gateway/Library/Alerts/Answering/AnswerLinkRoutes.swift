import HTTPTypes
import Postgres
import Routes
import Secrets
import ServiceKit

/// Routes by which whoever has the link of an alarm answers it without signing in. Nothing happens by looking, for mail programs follow
/// links.
enum AnswerLinkRoutes {
    static let all = [look, answer]

    // In the body, because URLs are written to logs.
    private static let token = Input.field("token", .secret(1...512), "The secret of the link: what follows its #.")
    private static let said = Input.field(
        "answer", .choice(LinkAnswer.self), "onIt; snooze: for an hour, for the person alone; solved; cannot.")

    private static let look = Route<Caller>(
        .post, "/answers/look", id: "lookAtAlarm", tag: AlertRoutes.tag.name, access: .anyone,
        "Look at an alarm by its link",
        text: "Shows the alarm and who is on it, and nothing else. It changes nothing.",
        inputs: [token], answers: .json(.ok, AnsweredAlert.output), problems: [.notFound, .linkExpired]
    ) { caller, inputs in
        let answerToken = try caller.scope.token(of: inputs[token])
        return .value(try await caller.scope.answering(answerToken, TransactionOptions(isReadOnly: true)) { _, _ in })
    }

    private static let answer = Route<Caller>(
        .post, "/answers", id: "answerAlarmByLink", tag: AlertRoutes.tag.name, access: .anyone,
        "Answer an alarm by its link",
        text: """
            For the person to whom the alarm was sent, until four hours after it was sent; for this alarm, and for what the same message told \
            beside it and still goes on. Where somebody was \
            faster, or it is over, the answer shows that and nothing has changed; repeated it is the same.
            """,
        inputs: [token, said], answers: .json(.ok, AnsweredAlert.output), problems: [.notFound, .linkExpired]
    ) { caller, inputs in
        let (link, answer) = (inputs[token], inputs[said])
        return .value(
            try await caller.scope.answering(try caller.scope.token(of: link)) { transaction, alert in
                try answer.give(to: alert, in: transaction)
            })
    }
}

extension Scope {
    /// - Throws: `Problem(.notFound)` for a text that is no link's.
    fileprivate func token(of link: String) throws -> String {
        guard let token = SealedLink.answer.token(of: link, openedWith: services.secretKeys.renewed()) else {
            throw Problem(.notFound)
        }
        return token
    }
}
