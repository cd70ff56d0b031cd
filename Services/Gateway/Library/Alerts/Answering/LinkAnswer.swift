import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The answers of whoever has a message of an alarm, without signing in: a person's, and a snooze of an hour. The raw values are a promise
/// to clients.
enum LinkAnswer: String, CaseIterable, Sendable {
    case onIt, snooze, solved, cannot

    /// The answer of a key that is pressed in a call; nil for one that means nothing.
    init?(key: String?) {
        switch key {
        case "1": self = .onIt
        case "2": self = .snooze
        default: return nil
        }
    }

    private static let snoozed = Duration.seconds(3600)

    /// Answers an alarm; one that is over stays as it is.
    func give(to alert: AnsweredAlert, in transaction: PostgresTransaction) throws {
        if let answer = AlarmAnswer(rawValue: rawValue) {
            guard let subject = alert.subject else { return }
            _ = try transaction.execute(GiveAnswer(answer, to: subject))
        } else if !alert.isOver {
            let subject = try transaction.snoozed(alert.alert, alert.link.account)
            let now = try transaction.execute(ReadClock())[0]
            // A snooze that the person chose for as long, or longer, stays; so does one by the link before.
            if let chosen = alert.snooze, chosen.until - chosen.setAt >= Self.snoozed { return }
            try transaction.setSnooze(subject.key, at: now, until: now + Self.snoozed)
        }
    }
}

extension Scope {
    /// Acts on the alarm of a message, and on what the same message told, and shows what came of it.
    /// - Parameters:
    ///   - token: The database's, by which the alarm is answered.
    ///   - endpoint: The endpoint of the message, where others may have been told more.
    ///   - admit: Looks once more whether whoever asks may, when the person is named.
    /// - Throws: `Problem`: `notFound` for what is no such token, `linkExpired`, and those of `admit`.
    func answering(
        _ token: String, at endpoint: Endpoint.ID? = nil, _ options: TransactionOptions = TransactionOptions(),
        admit: @Sendable (PostgresTransaction, Account.ID) throws -> Void = { _, _ in },
        _ act: @Sendable (PostgresTransaction, AnsweredAlert) throws -> Void
    ) async throws -> AnsweredAlert {
        try await anonymousTransaction(options) { transaction in
            guard let link = try transaction.execute(EnterAnswer(token: token)).first else { throw Problem(.notFound) }
            guard link.holds else { throw Problem(.linkExpired) }
            try admit(transaction, link.account)
            guard let alert = try transaction.alert(link.alert, of: link.account), alert.isAnswerable else {
                throw Problem(.notFound)
            }
            var others = try transaction.execute(ListTogether(with: alert.key, at: endpoint))
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
        }
    }
}

extension ProblemType {
    static let linkExpired = ProblemType("link-expired", .gone)
}
