import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The acting on an occurrence of a reminder, which is locked: of two people who do the same, one comes after the other.
struct CareActing: Sendable {
    let reminder: StoredReminder
    let tank: TankKey
    let account: Account.ID
    let now: Timestamp

    /// How far ahead a client's clock may be.
    static let clocksAhead = Duration.seconds(300)

    /// The act that stands: the person's, or that of whoever was faster.
    struct Outcome: Sendable {
        var act: StoredAct
        var isNew: Bool
    }

    func perform(
        _ act: CareAct, as id: CareActID, _ condition: EntityTagCondition?, in transaction: PostgresTransaction
    ) throws -> Outcome {
        let known = try transaction.execute(FindActs(key: reminder.key, id: id, day: CivilDay(act.on)))
        if let mine = known.first(where: { $0.id == id }) {
            guard mine.reminder == reminder.key.reminder else { throw Problem(.notFound) }
            return try change(mine, to: act, condition, in: transaction)
        }
        // Somebody has done it, or left it out: what is said once more says so too.
        if let faster = known.first(where: { $0.act.what != .later }), act.what != .later {
            return Outcome(act: faster, isNew: false)
        }
        guard condition == nil else { throw Problem(.notFound) }
        guard reminder.endedAt == nil else { throw Problem(.reminderEnded) }
        try check(act, in: transaction)
        // What was put off before is put off otherwise now.
        if act.what == .later, let before = known.first(where: { $0.act.what == .later }) {
            _ = try transaction.perform(UndoAct(key: reminder.key, id: before.id))
        }
        let add = AddAct(key: reminder.key, tank: reminder.tank, id: id, act: act, account: account)
        guard try !transaction.execute(add).isEmpty else { throw Problem(.notFound) }
        return Outcome(act: try finished(id, act, in: transaction), isNew: true)
    }

    private func change(
        _ mine: StoredAct, to act: CareAct, _ condition: EntityTagCondition?, in transaction: PostgresTransaction
    ) throws -> Outcome {
        let names = condition?.matches(mine.tag) ?? false
        // A phone whose clock is ahead is taken at the service's time, which is a later one when it sends the same again. So the time makes an act
        // another one only to who names the version, or is off by more than a clock may be.
        let isSameTime =
            condition == nil || mine.act.at == act.at || act.at == now
            || !names && act.at > mine.act.at && act.at <= mine.act.at + Self.clocksAhead
        let isSame =
            mine.act.what == act.what && mine.act.on == act.on && mine.act.until == act.until && isSameTime
        if isSame { return Outcome(act: mine, isNew: false) }
        guard names, mine.act.on == act.on,
            (mine.act.what == .later) == (act.what == .later)
        else { throw Problem(.preconditionFailed, headers: [.eTag: mine.tag.description]) }
        try check(act, in: transaction)
        guard try transaction.perform(ChangeAct(slot: reminder.key.slot, id: mine.id, act: act)) > 0 else {
            throw Problem(.notFound)
        }
        return Outcome(act: try finished(mine.id, act, in: transaction), isNew: false)
    }

    private func check(_ act: CareAct, in transaction: PostgresTransaction) throws {
        let course = reminder.course(
            try transaction.execute(ReadLastActs(of: [reminder.key])).byReminder[reminder.key.reminder])
        let instants = try CivilInstants(
            of: [course], around: now, beside: [reminder.rule.zone: [act.on]], in: transaction)
        switch course.fault(of: act, instants[reminder.rule.zone], now: now, today: reminder.today) {
        case .notAnOccurrence: throw Problem(.notOpen)
        case .tooEarly: throw Problem(.tooEarly)
        case .notOpen: throw Problem(.notOpen)
        case nil: break
        }
    }

    private func finished(_ id: CareActID, _ act: CareAct, in transaction: PostgresTransaction) throws -> StoredAct {
        try transaction.plan(reminder.key.reminder, of: tank, now: now, isActed: true)
        let rows = try transaction.execute(FindActs(key: reminder.key, id: id, day: CivilDay(act.on)))
        guard let stored = rows.first(where: { $0.id == id }) else { throw Problem(.notFound) }
        return stored
    }
}
