import HTTPTypes
import Instants
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality

/// Routes by which whoever has the link of an alarm answers it without signing in. Nothing happens by looking, for mail programs follow
/// links.
enum AnswerLinkRoutes {
    static let all = [look, answer]

    /// The answers of a link: a person's, and a snooze of an hour. The raw values are a promise to clients.
    private enum Said: String, CaseIterable, Sendable {
        case onIt, snooze, solved, cannot

        var answer: AlarmAnswer? { AlarmAnswer(rawValue: rawValue) }
    }

    private static let snoozed = Duration.seconds(3600)

    // In the body, because URLs are written to logs.
    private static let token = Input.field("token", .secret(1...512), "The secret of the link: what follows its #.")
    private static let said = Input.field(
        "answer", .choice(Said.self), "onIt; snooze: for an hour, for the person alone; solved; cannot.")

    private static let look = Route<Caller>(
        .post, "/answers/look", id: "lookAtAlarm", tag: AlertRoutes.tag.name, access: .anyone,
        "Look at an alarm by its link",
        text: "Shows the alarm and who is on it, and nothing else. It changes nothing.",
        inputs: [token], answers: .json(.ok, AnsweredAlert.output), problems: [.notFound, .linkExpired]
    ) { caller, inputs in
        try await caller.answering(by: inputs[token], TransactionOptions(isReadOnly: true)) { _, _ in }
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
        let said = inputs[said]
        return try await caller.answering(by: inputs[token]) { transaction, alert in
            if let answer = said.answer {
                guard let subject = alert.subject else { return }
                _ = try transaction.execute(GiveAnswer(answer, to: subject))
            } else if !alert.isOver {
                let subject = try transaction.snoozed(alert.alert, alert.link.account)
                let now = try transaction.execute(ReadClock())[0]
                // A snooze that the person chose for as long, or longer, stays; so does one by the link before.
                if let chosen = alert.snooze, chosen.until - chosen.setAt >= snoozed { return }
                try transaction.setSnooze(subject.key, at: now, until: now + snoozed)
            }
        }
    }
}

extension Caller {
    /// Acts on the alarm of a link, and on what the same message told, and shows what came of it.
    /// - Throws: `Problem`: `notFound` for what is no link, `linkExpired`.
    fileprivate func answering(
        by text: String, _ options: TransactionOptions = TransactionOptions(),
        _ act: @Sendable (PostgresTransaction, AnsweredAlert) throws -> Void
    ) async throws -> Answer<AnsweredAlert> {
        guard let token = SealedLink.answer.token(of: text, openedWith: scope.services.secretKeys.renewed()) else {
            throw Problem(.notFound)
        }
        return .value(
            try await scope.anonymousTransaction(options) { transaction in
                guard let link = try transaction.execute(EnterAnswer(token: token)).first else {
                    throw Problem(.notFound)
                }
                guard link.holds else { throw Problem(.linkExpired) }
                guard let alert = try transaction.alert(link.alert, of: link.account), alert.isAnswerable else {
                    throw Problem(.notFound)
                }
                var others = try transaction.execute(ListTogether(with: alert.key))
                var shown = try transaction.answered(alert, link)
                // Of a message that told several it shows one that goes on.
                if shown.isOver, !others.isEmpty { shown = try transaction.answered(others.removeFirst(), link) }
                try act(transaction, shown)
                if !options.isReadOnly {
                    for told in others { try act(transaction, try transaction.answered(told, link)) }
                }
                var answered = try transaction.answered(shown.alert, link)
                answered.together = others.map(\.message.title)
                return answered
            })
    }
}

extension ProblemType {
    static let linkExpired = ProblemType("link-expired", .gone)
}
