import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// A reminder as clients see it.
struct ShownReminder: Sendable {
    /// The raw values are a promise to clients.
    enum State: String, CaseIterable, Sendable, Encodable {
        case ahead, due, late
        /// No occurrence is left, or somebody ended it.
        case ended
    }

    var stored: StoredReminder
    var device: String
    var standing: ReminderStanding
    var who: [CarePerson]
    var lastDone: (at: Timestamp, by: CarePerson?)?

    var tag: EntityTag { EntityTag(version: Int64(stored.version)) }

    private var state: State {
        switch standing.current?.state {
        case .ahead: .ahead
        case .due: .due
        case .late: .late
        case .done, .skipped, .missed, nil: .ended
        }
    }

    static let output = Output<ShownReminder>.object(
        "Reminder", "What is to be done for a tank, by the calendar or so many days after it was done.",
        [
            .member("id", .id, "The id that its client chose.") { $0.stored.key.reminder },
            .member("device", .text, "The id of the device.", example: "pond-1") { $0.device },
            .member("name", .text, "What people call it.", example: "Water change") { $0.stored.name },
            .member("activity", .choice(Word<CareActivity>.self), "What is to be done.", example: "waterChange") {
                $0.stored.activity
            },
            .member("rhythm", .rhythm, "When it recurs.") { $0.stored.rule.recurrence },
            .member("at", .text, "The time of day.", example: "18:00") { TimeOfDay.text(of: $0.stored.rule.minute) },
            .member("zone", .text, "The time zone of its times: that of the tank.", example: "Europe/Vienna") {
                $0.stored.rule.zone
            },
            .member("startsOn", .text, "The first day on which it may be.", example: "2027-03-05") {
                $0.stored.rule.startsOn.text
            },
            .member("nextAt", .optional(of: .timestamp), "When it is due, or was; null: never again.") {
                $0.standing.current.map { $0.laterUntil ?? $0.at }
            },
            .member("state", .choice(State.self), "How it is now.", example: "due") { $0.state },
            .member("late", .integer, "For how many days it has been late.", example: 0) { $0.standing.daysLate },
            .member(
                "missed", .integer,
                "How many were missed right before it: one line, \u{201C}missed \u{00D7}3\u{201D}; 8 stands for 8 or more.",
                example: 0
            ) {
                $0.standing.missed
            },
            .member("who", .list(of: CarePerson.output), "Who is told.") { $0.who },
            .member("notes", .text, "Notes.", example: "30 litres, from the barrel") { $0.stored.notes },
            .member("endedAt", .optional(of: .timestamp), "When it was ended; null: it goes on.") { $0.stored.endedAt },
            .member("lastDoneAt", .optional(of: .timestamp), "When it was done last.") { $0.lastDone?.at },
            .member(
                "lastDoneBy", .optional(of: CarePerson.output),
                "Who did it last; null: nobody, or somebody who is gone."
            ) {
                $0.lastDone?.by
            },
            .member("version", .integer, "Counts what people set, as the ETag does.", example: 1) {
                Int($0.stored.version)
            },
        ])

    func answer(isNew: Bool = false) -> Answer<ShownReminder> {
        .value(self, status: isNew ? .created : nil, headers: [.eTag: tag.description])
    }
}

/// Who shares tanks, by tank and account.
struct TankPeople: Sendable {
    private var found: [TankKey: [Account.ID: TankMember]] = [:]

    init(of reminders: [StoredReminder], in transaction: PostgresTransaction) throws {
        let tanks = Set(reminders.map { TankKey(slot: $0.key.slot, tank: $0.tank) })
        guard !tanks.isEmpty else { return }
        for row in try transaction.execute(ListTankPeople(of: tanks.map { ($0.slot, $0.tank) })) {
            found[TankKey(slot: row.slot, tank: row.tank), default: [:]][row.member.account] = row.member
        }
    }

    func all(of reminder: StoredReminder) -> [Account.ID: TankMember] {
        found[TankKey(slot: reminder.key.slot, tank: reminder.tank)] ?? [:]
    }

    func person(_ account: Account.ID?, of reminder: StoredReminder) -> CarePerson? {
        account.flatMap { all(of: reminder)[$0]?.person }
    }
}

extension PostgresTransaction {
    /// The reminders with how they are now.
    func shown(_ reminders: [PersonReminder], now: Timestamp) throws -> [ShownReminder] {
        let stored = reminders.map(\.reminder)
        let keys = stored.map(\.key)
        let acts = try execute(ReadLastActs(of: keys)).byReminder
        let courses = stored.map { $0.course(acts[$0.key.reminder]) }
        let instants = try CivilInstants(of: courses, around: now, in: self)
        let people = try TankPeople(of: stored, in: self)
        let told = Dictionary(grouping: try execute(ListTold(of: keys)), by: \.reminder)
        let done = Dictionary(
            try execute(ListLastDone(of: keys)).map { ($0.reminder, (at: $0.at, account: $0.account)) }
        ) { $1 }
        return zip(reminders, courses).map { row, course in
            let reminder = row.reminder
            let who = told[reminder.key.reminder, default: []].compactMap { people.all(of: reminder)[$0.account] }
            return ShownReminder(
                stored: reminder, device: row.hardwareID,
                standing: course.standing(instants[reminder.rule.zone], now: now, today: reminder.today),
                who: who.filter(\.isThere).map(\.person).sorted { $0.part < $1.part },
                lastDone: done[reminder.key.reminder].map { ($0.at, people.person($0.account, of: reminder)) })
        }
    }
}
