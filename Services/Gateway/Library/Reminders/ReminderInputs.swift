import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// Inputs of the routes about reminders.
enum ReminderInputs {
    static let reminder = Input<ReminderID>.path("reminder", .id, "The id of the reminder, which its client chooses.")
    static let act = Input<CareActID>.path("act", .id, "The id of the act, which its client chooses.")

    static let rhythm = Input.field("rhythm", Format<Recurrence>.rhythm, "When it recurs.")
    static let at = Input.field("at", Format<Int>.timeOfDay.example("18:00"), "The time of day.")
    static let zone = Input.field(
        "zone", .text(1...64).example("Europe/Vienna"), "The IANA time zone of its times: that of the tank.")
    static let startsOn = Input.field("startsOn", Format<CivilDay>.day, "The first day on which it may be.")
}

extension PostgresTransaction {
    /// The rule of a reminder, with its zone by the name that this server has for it.
    /// - Throws: A fault of the zone.
    func rule(_ inputs: Inputs) throws -> ReminderRule {
        guard let zone = try execute(FindTimeZone(inputs[ReminderInputs.zone])).first else {
            throw Problem(ReminderInputs.zone, .unknownTimeZone)
        }
        return ReminderRule(
            inputs[ReminderInputs.rhythm], minute: inputs[ReminderInputs.at], zone: zone,
            startsOn: inputs[ReminderInputs.startsOn])
    }

    /// A reminder of a tank, kept as it is until the end of the transaction; nil where there is none.
    /// - Throws: `Problem(.notFound)` for one of another tank.
    func lockedReminder(_ id: ReminderID, of tank: TankKey) throws -> PersonReminder? {
        let key = ReminderKey(slot: tank.slot, reminder: id)
        guard let found = try execute(LockReminder(key)).first else { return nil }
        guard found.reminder.tank == tank.tank else { throw Problem(.notFound) }
        return found
    }

    /// Plans when a locked reminder is told next, after a change.
    /// - Parameter isUndone: Whether that is an undo, after which something may be open that was not told.
    func plan(
        _ id: ReminderID, of tank: TankKey, now: Timestamp, isActed: Bool, isUndone: Bool = false
    ) throws {
        guard let reminder = try lockedReminder(id, of: tank)?.reminder, reminder.endedAt == nil else { return }
        let course = reminder.course(try execute(ReadLastActs(of: [reminder.key])).byReminder[id])
        let instants = try CivilInstants(of: [course], around: now, in: self)
        let found = instants[reminder.rule.zone]
        let lookedAt =
            isUndone
            ? course.lookedAtOnceUndone(found, lookedAt: reminder.lookedAt, now: now, today: reminder.today)
            : reminder.lookedAt
        // What has come due since the last look is told by the next one, at once.
        let plan = course.plan(found, lookedAt: lookedAt, now: now, today: reminder.today)
        let nextAt = plan.told == nil ? plan.nextAt : now
        _ = try perform(
            PlanReminder(key: reminder.key, nextAt: nextAt, lookedAt: lookedAt, now: now, isActed: isActed))
    }
}

extension ProblemType {
    static let tooManyReminders = ProblemType("too-many-reminders", .conflict)
    static let reminderEnded = ProblemType("reminder-ended", .conflict)
    static let tooEarly = ProblemType("too-early", .conflict)
    static let notOpen = ProblemType("not-open", .conflict)
}
