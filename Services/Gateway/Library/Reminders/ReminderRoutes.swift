import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Routes of reminders, and of the calendar that they make.
enum ReminderRoutes {
    static let all = [calendar, list, set, end, preview] + ActRoutes.all + ProposalRoutes.all + CareLinkRoutes.all
    static let tag = "Care"

    // MARK: Reading

    private struct Calendar: Sendable {
        var zone: String
        var reminders: [ShownReminder]
        var occurrences: [ShownOccurrence]

        static let output = Output<Calendar>.object(
            "CareCalendar", "What is to be done for the person's tanks, and what was.",
            [
                .member("zone", .text, "The time zone of the account.", example: "Europe/Vienna") { $0.zone },
                .member(
                    "reminders", .list(of: ShownReminder.output), "Those that go on, and that ended within the time."
                ) {
                    $0.reminders
                },
                .member("occurrences", .list(of: ShownOccurrence.output), "In the order of their times.") {
                    $0.occurrences
                },
            ])
    }

    private static let from = Input<CivilDay?>.optionalQuery("from", .day, "The first day; 30 days ago unless given.")
    private static let until = Input<CivilDay?>.optionalQuery(
        "until", .day, "The last day; 61 days after the first unless given, and 400 days at most.")
    private static let longest = 400

    private static let calendar = Route<Caller>(
        .get, "/care", id: "showCare", tag: tag, access: .read, "Show what is to be done, and what was",
        text: """
            Over all tanks that the person owns or watches. Of a reminder that is counted from what was done, the next occurrence is the last \
            that is known. An occurrence that nobody acted on is open until the next one comes; then it was missed.
            """,
        inputs: [from, until], answers: .json(.ok, Calendar.output)
    ) { caller, inputs in
        let (from, until) = (inputs[from], inputs[until])
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, account in
            let now = try transaction.execute(ReadClock())[0]
            let first = from ?? until.map { $0 + -61 } ?? CivilDay(now) + -30
            let last = until ?? first + 61
            guard first <= last, last - first <= longest else {
                throw Problem(Self.until, .tooLarge(maximum: .string((first + longest).text)))
            }
            guard let zone = try transaction.execute(ReadTimeZone(of: account)).first else {
                throw Problem(.unauthenticated)
            }
            let since = Timestamp(first.at(minutes: 0))
            let reminders = try transaction.execute(ListPersonReminders(since: since))
            do {
                let calendar = try CareCalendar(of: reminders, in: first...last, now: now, from: transaction)
                return .value(
                    Calendar(
                        zone: zone, reminders: try transaction.shown(reminders, now: now),
                        occurrences: calendar.occurrences))
            } catch is CareCalendar.TooMany {
                throw Problem(Self.until, .tooLarge(maximum: .string((first + 31).text)))
            }
        }
    }

    private static let list = Route<Caller>(
        .get, "/devices/{device}/reminders", id: "listReminders", tag: tag, access: .read, "List a tank's reminders",
        inputs: [DeviceInputs.device], answers: .json(.ok, .list(of: ShownReminder.output)), problems: [.notFound]
    ) { caller, inputs in
        let device = inputs[DeviceInputs.device]
        return try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let tank = try transaction.tank(of: device).key
            let now = try transaction.execute(ReadClock())[0]
            return .value(try transaction.shown(try transaction.execute(ListTankReminders(of: tank)), now: now))
        }
    }

    // MARK: Setting

    private static let name = Input.field(
        "name", Format<String>.visibleText(1...80, example: "Water change"), "What people call it.")
    private static let activity = Input.field(
        "activity", Format<CareActivity>.choice(CareActivity.self), "What is to be done.")
    private static let notes = Input.field(
        "notes", Format<String>.text(0...1000).example("30 litres, from the barrel"), default: "", "Notes.")
    static let who = Input<[Int64]?>.optionalField(
        "who", .list(of: Format<Int64>.ownershipID, count: 0...50),
        "The parts of those who are told. Unless given, of a new one its maker and the owner; of another as before.")

    private static let set = Route<Caller>(
        .put, "/devices/{device}/reminders/{reminder}", id: "setReminder", tag: tag, access: .write, "Set a reminder",
        text: """
            It belongs to the tank: everybody who shares it sees it, changes it, and does it for all. The client chooses its id; sent twice it \
            counts once, and a change names the version it knows by If-Match. One may have oneself told, and the owner; the owner chooses \
            among all. With another rhythm, time, zone or first day it begins anew. A tank has 100 at most.
            """,
        inputs: [
            DeviceInputs.device, ReminderInputs.reminder, Input<EntityTagCondition?>.ifMatchOfChange, name, activity,
            ReminderInputs.rhythm, ReminderInputs.at,
            ReminderInputs.zone, ReminderInputs.startsOn, who, notes,
        ],
        answers: .json(.ok, ShownReminder.output, alternatives: [.created], headers: [.eTag]),
        problems: [.notFound, .preconditionFailed, .tooManyReminders, .reminderEnded]
    ) { caller, inputs in
        let (device, id, condition) = (
            inputs[DeviceInputs.device], inputs[ReminderInputs.reminder],
            inputs[Input<EntityTagCondition?>.ifMatchOfChange]
        )
        return try await caller.scope.transaction { transaction, account in
            let content = ReminderContent(
                name: inputs[name], activity: inputs[activity], rule: try transaction.rule(inputs), notes: inputs[notes]
            )
            let tank = try transaction.tank(of: device)
            let now = try transaction.execute(ReadClock())[0]
            let setting = ReminderSetting(
                tank: tank, id: id, account: account, content: content, who: inputs[who], now: now)
            return try setting.perform(in: transaction, condition)
        }
    }

    private static let end = Route<Caller>(
        .delete, "/devices/{device}/reminders/{reminder}", id: "endReminder", tag: tag, access: .write,
        "End a reminder",
        text: "Nothing of it is due any more; what was done about it stays in the history.",
        inputs: [DeviceInputs.device, ReminderInputs.reminder], answers: .nothing, problems: [.notFound]
    ) { caller, inputs in
        let (device, id) = (inputs[DeviceInputs.device], inputs[ReminderInputs.reminder])
        return try await caller.scope.transaction { transaction, _ in
            let tank = try transaction.tank(of: device).key
            guard let found = try transaction.lockedReminder(id, of: tank) else { throw Problem(.notFound) }
            // Said twice it is the same.
            _ = try transaction.perform(EndReminder(key: found.reminder.key))
            return .nothing
        }
    }

    // MARK: Trying

    private struct Preview: Sendable {
        var on: CivilTime
        var at: Timestamp

        static let output = Output<Preview>.object(
            "CarePreview", "One of the next times.",
            [
                .member("on", .text, "By the clock of its zone.", example: "2027-03-05T18:00") { $0.on.minuteText },
                .member("at", .timestamp, "The instant of that.") { $0.at },
            ])
    }

    private static let preview = Route<Caller>(
        .post, "/care/preview", id: "previewReminder", tag: tag, access: .read, "See the next three times of a rhythm",
        text: "Nothing is stored. Of one that is counted from what was done it is as if each were done on its day.",
        inputs: [ReminderInputs.rhythm, ReminderInputs.at, ReminderInputs.zone, ReminderInputs.startsOn],
        answers: .json(.ok, .list(of: Preview.output))
    ) { caller, inputs in
        try await caller.scope.transaction(TransactionOptions(isReadOnly: true)) { transaction, _ in
            let rule = try transaction.rule(inputs)
            let now = try transaction.execute(ReadClock())[0]
            let times = rule.comingDays(from: CivilDay(now) + -1, count: 6).map { $0.at(minutes: rule.minute) }
            let instants = try CivilInstants([rule.zone: Set(times)], in: transaction)[rule.zone]
            let coming = times.compactMap { time in instants[time].map { Preview(on: time, at: $0) } }
            return .value(Array(coming.filter { $0.at > now }.prefix(3)))
        }
    }
}
