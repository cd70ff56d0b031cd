import HTTPTypes
import Instants
import Postgres
import Routes
import Store
import WaterQuality

/// The setting of a reminder: a new one, the same once more, or a change of a version that its client knows.
struct ReminderSetting: Sendable {
    let tank: Tank
    let id: ReminderID
    let account: Account.ID
    let content: ReminderContent
    /// The parts of those who are to be told; `nil`: as it was.
    let who: [Int64]?
    let now: Timestamp

    private var key: ReminderKey { ReminderKey(slot: tank.key.slot, reminder: id) }

    func perform(
        in transaction: PostgresTransaction, _ condition: EntityTagCondition?
    ) throws -> Answer<ShownReminder> {
        var found = try transaction.lockedReminder(id, of: tank.key)
        if found == nil, condition == nil {
            if try add(in: transaction) { return try shown(in: transaction).answer(isNew: true) }
            // The same may have come by another request in between.
            found = try transaction.lockedReminder(id, of: tank.key)
        }
        guard let known = found else { throw Problem(.notFound) }
        guard known.reminder.endedAt == nil else { throw Problem(.reminderEnded) }
        let before = try transaction.execute(ListTold(of: [key])).map(\.account)
        let told = try chosen(known.reminder, in: transaction) ?? Set(before)
        let old = known.reminder
        let isSame =
            old.name == content.name && old.activity == .known(content.activity) && old.rule == content.rule
            && old.notes == content.notes && told == Set(before)
        if isSame { return try shown(in: transaction).answer() }
        let tag = EntityTag(version: Int64(old.version))
        guard let condition, condition.matches(tag) else {
            throw Problem(.preconditionFailed, headers: [.eTag: tag.description])
        }
        try change(told: told, from: Set(before), known.reminder, in: transaction)
        return try shown(in: transaction).answer()
    }

    /// - Returns: Whether it was added: another reminder has the id otherwise.
    private func add(in transaction: PostgresTransaction) throws -> Bool {
        // One at a time, so that the count holds.
        _ = try transaction.execute(LockTankReminders(of: tank.key))
        let add = AddReminder(tank: tank, id: id, account: account, content: content, now: now)
        guard try !transaction.execute(add).isEmpty else {
            let reminders = try transaction.execute(ListTankReminders(of: tank.key))
            guard reminders.count < AddReminder.most || reminders.contains(where: { $0.reminder.key.reminder == id })
            else {
                throw Problem(.tooManyReminders)
            }
            return false
        }
        guard let added = try transaction.lockedReminder(id, of: tank.key)?.reminder else { throw Problem(.notFound) }
        let people = try TankPeople(of: [added], in: transaction).all(of: added)
        let standard = Set(people.values.filter { $0.isOwner || $0.person.isMe }.map(\.account))
        for person in try chosen(added, in: transaction) ?? standard {
            _ = try transaction.perform(AddTold(key: key, account: person))
        }
        try transaction.plan(id, of: tank.key, now: now, isActed: false)
        return true
    }

    private func change(
        told: Set<Account.ID>, from before: Set<Account.ID>, _ reminder: StoredReminder,
        in transaction: PostgresTransaction
    ) throws {
        let people = try TankPeople(of: [reminder], in: transaction).all(of: reminder)
        for person in before.subtracting(told) {
            // The others' choice is theirs, and the owner's.
            guard tank.isOwners || people[person]?.person.isMe == true else {
                throw Problem(ReminderRoutes.who, .notYours)
            }
            _ = try transaction.perform(RemoveTold(key: key, account: person))
        }
        for person in told.subtracting(before) { _ = try transaction.perform(AddTold(key: key, account: person)) }
        let change = ChangeReminder(
            key: key, content: content, now: now, isAnotherRule: reminder.rule != content.rule)
        _ = try transaction.perform(change)
        try transaction.plan(id, of: tank.key, now: now, isActed: false)
    }

    /// Those who were chosen to be told.
    /// - Throws: A fault where somebody is chosen who does not share the tank, or whom this person may not choose.
    private func chosen(_ reminder: StoredReminder, in transaction: PostgresTransaction) throws -> Set<Account.ID>? {
        guard let who else { return nil }
        let people = try TankPeople(of: [reminder], in: transaction).all(of: reminder)
        let already = Set(try transaction.execute(ListTold(of: [key])).map(\.account))
        let parts = Dictionary(people.values.filter(\.isThere).map { ($0.person.part, $0) }) { first, _ in first }
        return Set(
            try who.map { part in
                guard let member = parts[part] else { throw Problem(ReminderRoutes.who, .notAmongPeople) }
                guard tank.isOwners || member.person.isMe || member.isOwner || already.contains(member.account) else {
                    throw Problem(ReminderRoutes.who, .notYours)
                }
                return member.account
            })
    }

    private func shown(in transaction: PostgresTransaction) throws -> ShownReminder {
        guard let row = try transaction.reminder(id, of: tank.key) else { throw Problem(.notFound) }
        return try transaction.shown([row], now: now)[0]
    }
}

extension Fault {
    fileprivate static let notYours = Fault("not-yours-to-choose")
}
