import HTTPTypes
import Instants
import Postgres
import Routes
import Secrets
import ServiceKit
import Store
import WaterQuality
import Words

/// Routes by which whoever has a message of reminders says what became of them, without signing in. Nothing happens by looking, for mail
/// programs follow links.
enum CareLinkRoutes {
    static let all = [look, answer]

    /// The answers. The raw values are a promise to clients.
    fileprivate enum Said: String, CaseIterable, Sendable {
        case done
        /// All of it is put off until the same time of the next day.
        case tomorrow
    }

    // In the body, because URLs are written to logs.
    private static let token = Input.field("token", .secret(1...512), "The secret of the link: what follows its #.")
    private static let said = Input.field("answer", .choice(Said.self), "done; tomorrow: put off by a day.")

    private static let look = Route<Caller>(
        .post, "/care-answers/look", id: "lookAtReminders", tag: ReminderRoutes.tag, access: .anyone,
        "Look at what a message told, by its link",
        text: "Shows what it asked to be done and who did it, and nothing else. It changes nothing.",
        inputs: [token], answers: .json(.ok, ToldCare.output), problems: [.notFound, .linkExpired]
    ) { caller, inputs in
        .value(try await ToldCare(caller.scope.told(by: inputs[token])))
    }

    private static let answer = Route<Caller>(
        .post, "/care-answers", id: "answerReminders", tag: ReminderRoutes.tag, access: .anyone,
        "Say by a link what became of what a message told",
        text: """
            For the person to whom it was sent, for a week and as long as its occurrences are the newest that the person was told. What somebody \
            did meanwhile stays as it is; repeated it is the same.
            """,
        inputs: [token, said], answers: .json(.ok, ToldCare.output),
        problems: [.notFound, .linkExpired]
    ) { caller, inputs in
        let (link, said) = (inputs[token], inputs[said])
        for one in try await caller.scope.told(by: link).items where one.isOpen {
            // Each in a transaction of its own: what is locked of one waits for no other.
            _ = try await caller.scope.told(by: link) { transaction, told in
                guard told.contains(where: { $0.key == one.key && $0.on == one.on && $0.isOpen }) else { return }
                try transaction.act(on: one, said)
            }
        }
        return .value(try await ToldCare(caller.scope.told(by: link)))
    }
}

/// What a message told, and what came of it.
struct ToldCare: Sendable {
    var said: String
    var items: [ToldOccurrence]
    var language: Language

    init(_ told: (items: [ToldOccurrence], language: Language)) {
        (items, language) = told
        let key =
            items.contains(where: \.isOpen) ? "said_open" : items.contains { $0.what == .later } ? "tomorrow" : "done"
        said = language.text("answer.\(key)")
    }

    static let output = Output<ToldCare>.object(
        "ToldCare", "What a message told, and what came of it.",
        [
            .member("said", .text, "How it is now, in the person's language.", example: "Done") { $0.said },
            .member("items", .list(of: ToldOccurrence.output), "In the order of their times.") { $0.items },
            .member("language", .choice(Language.self), "The person's language.", example: "en") { $0.language },
        ])
}

/// An occurrence that a message told, as whoever has the message sees it.
struct ToldOccurrence: Sendable {
    var key: ReminderKey
    var tank: TankKey
    var account: Account.ID
    var tankName: String
    var name: String
    var on: CivilTime
    /// Whether nobody has done it, left it out or put it off.
    var isOpen: Bool
    var by: String?
    /// Whether the person to whom it was sent did what was done.
    var isYou: Bool
    var what: CareAct.What?
    var until: Timestamp?

    static let output = Output<ToldOccurrence>.object(
        "ToldReminder", "What a message asked to be done.",
        [
            .member("tank", .text, "The person's name for the device.", example: "Koi pond") { $0.tankName },
            .member("name", .text, "What people call it.", example: "Water change") { $0.name },
            .member("on", .text, "When it was due, by the clock of its zone.", example: "2027-03-05T18:00") {
                $0.on.minuteText
            },
            .member("isOpen", .boolean, "Whether nobody has acted yet.") { $0.isOpen },
            .member("what", .optional(of: .choice(CareAct.What.self)), "What somebody did; null: nobody did.") {
                $0.what
            },
            .member("by", .optional(of: .text), "Who did.", example: "Ana") { $0.by },
            .member("isYou", .boolean, "Whether that is the person to whom the message was sent.") { $0.isYou },
            .member("until", .optional(of: .timestamp), "Until when it is put off.") { $0.until },
        ])
}

extension Scope {
    /// What the message of a link told, and the person's language; with it something may be done in the same transaction.
    /// - Throws: `Problem`: `notFound` for what is no link, `linkExpired`.
    fileprivate func told(
        by link: String, doing act: @Sendable (PostgresTransaction, [ToldOccurrence]) throws -> Void = { _, _ in }
    ) async throws -> (items: [ToldOccurrence], language: Language) {
        guard let token = SealedLink.care.token(of: link, openedWith: services.secretKeys.renewed()) else {
            throw Problem(.notFound)
        }
        return try await anonymousTransaction { transaction in
            guard let entered = try transaction.execute(EnterCare(token: token)).first else {
                throw Problem(.linkExpired)
            }
            let told = try transaction.execute(ListToldOccurrences(of: entered.account, by: entered.alert))
            guard !told.isEmpty else { throw Problem(.linkExpired) }
            try act(transaction, told)
            return (told, Language(locale: entered.locale))
        }
    }
}

extension PostgresTransaction {
    /// Does what was said of an occurrence that is open.
    fileprivate func act(on one: ToldOccurrence, _ said: CareLinkRoutes.Said) throws {
        let now = try execute(ReadClock())[0]
        guard let reminder = try lockedReminder(one.key.reminder, of: one.tank)?.reminder else { return }
        let until = said == .tomorrow ? try tomorrow(of: reminder, now: now) : nil
        let act = CareAct(said == .done ? .done : .later, on: one.on, at: now, day: reminder.today, until: until)
        let acting = CareActing(reminder: reminder, tank: one.tank, account: one.account, now: now)
        do {
            _ = try acting.perform(act, as: .random(), nil, in: self)
        } catch let problem as Problem where [.notOpen, .tooEarly, .reminderEnded].contains(problem.type) {
            // It was over by now; the answer shows that.
        }
    }

    /// The same time of the day after, by the reminder's clock.
    fileprivate func tomorrow(of reminder: StoredReminder, now: Timestamp) throws -> Timestamp {
        let time = (reminder.today + 1).at(minutes: reminder.rule.minute)
        let zone = reminder.rule.zone
        return try CivilInstants([zone: [time]], in: self)[zone][time] ?? now + .seconds(86_400)
    }
}

extension CareActID {
    fileprivate static func random() -> CareActID { CareActID(rawValue: .random(in: 0 ... .max)) }
}
