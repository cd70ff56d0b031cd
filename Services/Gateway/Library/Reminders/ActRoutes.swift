import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of what people did about reminders.
enum ActRoutes {
    static let all = [set, undo, list]

    private static let what = Input.field(
        "what", Format<CareAct.What>.choice(CareAct.What.self).example("later"),
        "done; skipped: left out; later: put off, this occurrence alone.")
    private static let on = Input.field(
        "on", Format<CivilTime>.civilMinute, "The occurrence, by the clock of the reminder's zone.")
    private static let at = Input<Timestamp?>.optionalField(
        "at", .timestamp, "When it was done; now unless given, and not in the future.")
    private static let until = Input<Timestamp?>.optionalField(
        "until", .timestamp, "Until when it is put off: 31 days at most.")

    private static let set = Route<Caller>(
        .put, "/devices/{device}/reminders/{reminder}/acts/{act}", id: "actOnReminder", tag: ReminderRoutes.tag,
        access: .write,
        "Say what became of an occurrence",
        text: """
            Whoever does it does it for all who share the tank. Done counts from half of the time since the one before; the next occurrence \
            is the first that lies ahead. Sent twice it counts once; of two people who did the same, the first did it, and the other is \
            answered that act.
            """,
        inputs: [
            DeviceInputs.device, ReminderInputs.reminder, ReminderInputs.act,
            Input<EntityTagCondition?>.ifMatchOfChange, what, on, at,
            until,
        ],
        answers: .json(.ok, ShownAct.output, alternatives: [.created], headers: [.eTag]),
        problems: [.notFound, .preconditionFailed, .reminderEnded, .tooEarly, .notOpen]
    ) { caller, inputs in
        let (device, reminder, id) = (
            inputs[DeviceInputs.device], inputs[ReminderInputs.reminder], inputs[ReminderInputs.act]
        )
        let (what, on, until, condition) = (
            inputs[what], inputs[on], inputs[until], inputs[Input<EntityTagCondition?>.ifMatchOfChange]
        )
        let at = inputs[at]
        guard (what == .later) == (until != nil) else {
            throw Problem(Self.until, what == .later ? .missing : .unknown)
        }
        return try await caller.scope.transaction { transaction, account in
            let tank = try transaction.tank(of: device).key
            let now = try transaction.execute(ReadClock())[0]
            if let at, at > now + CareActing.clocksAhead || at < Timestamp(unixSeconds: 631_152_000) {
                throw Problem(Self.at, .pattern)
            }
            guard let found = try transaction.lockedReminder(reminder, of: tank)?.reminder else {
                throw Problem(.notFound)
            }
            let act = CareAct(what, on: on, at: min(at ?? now, now), day: found.today, until: until)
            let acting = CareActing(reminder: found, tank: tank, account: account, now: now)
            let outcome = try acting.perform(act, as: id, condition, in: transaction)
            return try outcome.act.answer(isNew: outcome.isNew, of: found, in: transaction)
        }
    }

    private static let undo = Route<Caller>(
        .delete, "/devices/{device}/reminders/{reminder}/acts/{act}", id: "undoCareAct", tag: ReminderRoutes.tag,
        access: .write,
        "Undo what was said of an occurrence",
        text:
            "One undoes what one did oneself, and what was put off; the owner undoes what anybody did. It is as if nobody had.",
        inputs: [DeviceInputs.device, ReminderInputs.reminder, ReminderInputs.act], answers: .nothing,
        problems: [.notFound]
    ) { caller, inputs in
        let (device, reminder, id) = (
            inputs[DeviceInputs.device], inputs[ReminderInputs.reminder], inputs[ReminderInputs.act]
        )
        return try await caller.scope.transaction { transaction, _ in
            let tank = try transaction.tank(of: device).key
            let now = try transaction.execute(ReadClock())[0]
            guard let found = try transaction.lockedReminder(reminder, of: tank)?.reminder,
                try transaction.perform(UndoAct(key: found.key, id: id)) > 0
            else { throw Problem(.notFound) }
            try transaction.plan(reminder, of: tank, now: now, isActed: true, isUndone: true)
            return .nothing
        }
    }

    private static let limit = Input.limit(1...200, default: 50)
    private static let cursor = Input.cursor(of: "listCareActs", Int64.self)

    private static let list = Route<Caller>(
        .get, "/devices/{device}/reminders/{reminder}/acts", id: "listCareActs", tag: ReminderRoutes.tag, access: .read,
        "List what was done about a reminder", text: "The newest first.",
        inputs: [DeviceInputs.device, ReminderInputs.reminder, cursor, limit],
        answers: .json(.ok, .page(of: ShownAct.output)),
        problems: [.notFound]
    ) { caller, inputs in
        let (device, id, after, limit) = (
            inputs[DeviceInputs.device], inputs[ReminderInputs.reminder], inputs[cursor], inputs[limit]
        )
        return try await caller.scope.transaction { transaction, _ in
            let tank = try transaction.tank(of: device).key
            guard let reminder = try transaction.lockedReminder(id, of: tank)?.reminder else {
                throw Problem(.notFound)
            }
            let people = try TankPeople(of: [reminder], in: transaction)
            let rows = try transaction.execute(PageCareActs(of: reminder.key, below: after, limit: limit + 1))
            let shown = rows.map { ShownAct(stored: $0, by: people.person($0.account, of: reminder)) }
            return .value(Page(shown, limit: limit, of: "listCareActs", key: \.place))
        }
    }
}

/// An act as clients see it.
struct ShownAct: Sendable {
    var stored: StoredAct
    var by: CarePerson?

    /// The place among the acts of its reminder.
    var place: Int64 {
        Int64(CivilDay(stored.act.on).number) << 1 | (stored.act.what == .later ? 1 : 0)
    }

    static let output = Output<ShownAct>.object(
        "CareAct", "What somebody did about an occurrence of a reminder.",
        [
            .member("id", .id, "The id that its client chose.") { $0.stored.id },
            .member("what", .choice(CareAct.What.self), "What they did.", example: "done") { $0.stored.act.what },
            .member("on", .text, "The occurrence, by the clock of the reminder's zone.", example: "2027-03-05T18:00") {
                $0.stored.act.on.minuteText
            },
            .member("at", .timestamp, "When they did.") { $0.stored.act.at },
            .member("until", .optional(of: .timestamp), "Until when it was put off.") { $0.stored.act.until },
            .member("by", .optional(of: CarePerson.output), "Who did; null: somebody who is gone.") { $0.by },
            .member("version", .integer, "Counts the changes, as the ETag does.", example: 1) {
                Int($0.stored.version)
            },
        ])
}

extension StoredAct {
    var tag: EntityTag { EntityTag(version: Int64(version)) }

    fileprivate func answer(
        isNew: Bool, of reminder: StoredReminder, in transaction: PostgresTransaction
    ) throws -> Answer<ShownAct> {
        let people = try TankPeople(of: [reminder], in: transaction)
        return .value(
            ShownAct(stored: self, by: people.person(account, of: reminder)), status: isNew ? .created : nil,
            headers: [.eTag: tag.description])
    }
}
