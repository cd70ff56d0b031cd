import Instants
import Postgres
import Routes
import Store
import WaterQuality
import Words

/// An alarm as whoever has its link sees it, in the words of the person to whom it was sent: what it says, who is on it, and nothing else.
struct AnsweredAlert: Sendable {
    let alert: StoredAlert
    let link: EnterAnswer.Row
    /// The subject of the alarm; nil where the person does not have the device any more.
    let subject: SnoozeKey?
    let isOver: Bool
    /// The person to whom it was sent.
    let person: String
    let onIt: ShownAnswer?
    let snooze: Snooze?
    let company: [String]
    /// The state in a sentence.
    let said: String
    /// The titles of what the same message told beside it, and is answered with it.
    var together: [String] = []

    static let output = Output<AnsweredAlert>.object(
        "AnsweredAlert", "An alarm, as whoever has its link sees it.",
        [
            .member("title", .text, "What it says first.", example: "Koi pond: oxygen is low") {
                $0.alert.message.title
            },
            .member("text", .text, "What it says.", example: "6.7 ppm; your minimum is 7.0 ppm.") {
                $0.alert.message.body
            },
            .member("device", .optional(of: .text), "The person's name for the device.", example: "Koi pond") {
                $0.alert.deviceName
            },
            .member("isOver", .boolean, "Whether what it is about is over, or no more the person's.") { $0.isOver },
            .member("you", .text, "To whom it was sent, as others see them.", example: "Mika") { $0.person },
            .member("sentAt", .timestamp, "When it was decided.") { $0.alert.decidedAt },
            .member("until", .timestamp, "Until when the link is of use.") { $0.link.until },
            .member("onIt", .optional(of: onIt), "Who is on it; null: nobody.", example: .null) { $0.onIt },
            .member("snoozedUntil", .optional(of: .timestamp), "Until when the person has snoozed it.") {
                $0.snooze?.until
            },
            .member("others", .list(of: .text), "Who else has the device, as others see them.") { $0.company },
            .member("said", .text, "The state in a sentence.", example: "You are on it. Reminders stop until 04:53.") {
                $0.said
            },
            .member(
                "together", .list(of: .text),
                "What the same message told beside it and still goes on: it is answered as well.",
                example: .array([.string("Koi pond: pH is high")])
            ) { $0.together },
            .member("language", .choice(Language.self), "The language of all this.", example: "en") {
                $0.alert.language
            },
        ])

    private static let onIt = Output<ShownAnswer>.object(
        "OnIt", "Who is on it.", ShownAnswer.state)
}

extension PostgresTransaction {
    /// The alarm of a link by which the transaction was entered, as it is now.
    func answered(_ alert: StoredAlert, _ link: EnterAnswer.Row) throws -> AnsweredAlert {
        let state = try execute(ReadAlarmState(of: alert.key)).first
        let isOver = state?.isOpen != true
        let onIt = isOver ? nil : try execute(ListAnswers()).first { $0.subject.isOf(alert) }
        let snooze = try execute(ListSnoozes(of: link.account)).map(ShownSnooze.init).first { $0.subject.isOf(alert) }?
            .snooze
        let moment = onIt.map { $0.isOwn ? $0.solvedAt ?? $0.until : $0.solvedAt ?? $0.since } ?? snooze?.until
        let clock = try moment.map {
            alert.language.clock(try execute(ReadLocalTimes([$0], of: link.account))[0].civilTime())
        }
        return AnsweredAlert(
            alert: alert, link: link, subject: state.flatMap { alert.subject(of: $0.device, link.account) },
            isOver: isOver,
            person: try execute(ReadAccount(link.account)).first?.name ?? "", onIt: onIt, snooze: snooze,
            company: try state.map { try execute(ListCompany(of: $0.device)) } ?? [],
            said: alert.language.said(isOver: isOver, onIt, snooze, at: clock ?? ""))
    }
}

extension Language {
    fileprivate func said(isOver: Bool, _ onIt: ShownAnswer?, _ snooze: Snooze?, at clock: String) -> String {
        if isOver { return text("answer.said_over") }
        if let onIt {
            let key = onIt.solvedAt != nil ? "solved" : onIt.isOwn ? "you" : "other"
            return text("answer.said_\(key)", ["name": onIt.name, "time": clock])
        }
        return snooze == nil ? text("answer.said_open") : text("answer.said_snoozed", ["time": clock])
    }
}
