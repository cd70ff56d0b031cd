import Instants
import Postgres
import Routes
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

/// Kim's tank, which Lee shares, and the Gateway's own code for what they do. The test says what time it is.
struct CareScene: Sendable {
    let sharing: SharingScene
    let accounts: [Keeper: Account.ID]
    let sessions: [Keeper: SessionID]
    let gateway: PostgresConnection
    let notifier: CareNotifier

    private let hardwareID: Device.HardwareID

    /// The act that stands after somebody acted: theirs, or that of whoever was faster.
    struct Standing: Equatable {
        var id: Int
        var isNew: Bool
    }

    static func with(_ body: @Sendable (CareScene) async throws -> Void) async throws {
        try await SharingScene.with { sharing in
            let lee = try await sharing.fixture.addAccount("lee")
            try await sharing.fixture.database.freezeClock()
            let gateway = try await SchemaFixture.connect(sharing.fixture.database, .gateway)
            let notifier = try await CareNotifier(sharing.fixture.database)
            let scene = CareScene(
                sharing: sharing, accounts: [.kim: sharing.kim, .lee: lee],
                sessions: [
                    .kim: try await TwoPeople.open(sharing.kim, "kim-1", gateway),
                    .lee: try await TwoPeople.open(lee, "lee-1", gateway),
                ], gateway: gateway, notifier: notifier, hardwareID: try #require(Device.HardwareID("tank-1")))
            try await scene.join(1)
            try await scene.addWays(kim: sharing.kim, lee: lee)
            try await body(scene)
            await notifier.close()
            await gateway.close()
        }
    }

    /// A browser, in which messages are replaced, and a webhook, where they are not; and Lee's nights.
    private func addWays(kim: Account.ID, lee: Account.ID) async throws {
        try await sharing.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, client_id, fingerprint, vapid_key_id, confirmed_at)
            VALUES (nextval('endpoint_id'), \(kim.rawValue), 'webPush', 'https://push.example.org', '1', gen_random_uuid(), sha256('1'),
                '0123456789abcdef', now());
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            VALUES (nextval('endpoint_id'), \(lee.rawValue), 'webhook', 'https://lee.example.org', '1');
            UPDATE account SET time_zone = 'Europe/Lisbon' WHERE account_id = \(lee.rawValue);
            INSERT INTO quiet_hours (account_id, begins_at, ends_at, days, silence_rings)
            VALUES (\(lee.rawValue), '22:00', '07:00', 127, false)
            """)
    }

    // MARK: Sharing

    func join(_ token: UInt8) async throws {
        _ = try await sharing.invite(token)
        let outcome = try await sharing.join(token, try #require(accounts[.lee]))
        #expect(outcome == .joined)
    }

    func leave() async throws {
        let leaving = EndWatching(device: sharing.device, account: try #require(accounts[.lee]))
        let hasLeft = try await sharing.fixture.owner.execute(leaving)
        #expect(hasLeft == [true])
    }

    // MARK: What people do

    private func transaction<T: Sendable>(
        as keeper: Keeper, at now: Int, _ body: @Sendable (PostgresTransaction, Account.ID) throws -> T
    ) async throws -> T {
        try await sharing.sql("UPDATE frozen.clock SET at = to_timestamp(\(now))")
        let session = try #require(sessions[keeper])
        return try await gateway.transaction { transaction in
            let entered = try #require(try transaction.execute(EnterSession(session)).first)
            return try body(transaction, entered.account)
        }
    }

    /// Sets a reminder, as its route does.
    /// - Parameters:
    ///   - version: The version that is changed; `nil`: it is a new one.
    ///   - keepers: Who is to be told; `nil`: as usual.
    func set(
        _ place: Int, _ name: String, _ rule: ModelRule, version: Int64?, for keepers: [Keeper]?, by keeper: Keeper,
        at now: Int
    ) async throws {
        let content = ReminderContent(name: name, activity: .other, rule: rule.stored, notes: "")
        let wanted = keepers.map { Set($0.compactMap { accounts[$0] }) }
        let condition = version.map { EntityTagCondition.tags([EntityTag(version: $0)]) }
        try await transaction(as: keeper, at: now) { transaction, account in
            let tank = try transaction.tank(of: hardwareID)
            let people = try transaction.execute(ListTankPeople(of: [(tank.key.slot, tank.key.tank)])).map { $0.member }
            let parts = wanted.map { wanted in people.filter { wanted.contains($0.account) }.map(\.person.part) }
            let setting = ReminderSetting(
                tank: tank, id: Self.reminder(place), account: account, content: content, who: parts,
                now: Timestamp(unixSeconds: Int64(now)))
            _ = try setting.perform(in: transaction, condition)
        }
    }

    func end(_ place: Int, by keeper: Keeper, at now: Int) async throws {
        try await transaction(as: keeper, at: now) { transaction, _ in
            let tank = try transaction.tank(of: hardwareID).key
            let key = try #require(try transaction.lockedReminder(Self.reminder(place), of: tank)).reminder.key
            _ = try transaction.perform(EndReminder(key: key))
        }
    }

    /// Does what an act says, as its route does.
    func act(
        _ act: ModelReminder.Act, on place: Int, _ rule: ModelRule, by keeper: Keeper, at now: Int
    ) async throws -> Standing {
        try await transaction(as: keeper, at: now) { transaction, account in
            let tank = try transaction.tank(of: hardwareID).key
            let reminder = try #require(try transaction.lockedReminder(Self.reminder(place), of: tank)).reminder
            let stored = CareAct(
                try #require(CareAct.What(rawValue: act.what.rawValue)),
                on: try #require(CivilTime(minuteText: Wall.text(act.day, rule.minute))),
                at: Timestamp(unixSeconds: Int64(act.at)), day: reminder.today,
                until: act.until.map { Timestamp(unixSeconds: Int64($0)) })
            let acting = CareActing(
                reminder: reminder, tank: tank, account: account, now: Timestamp(unixSeconds: Int64(now)))
            let outcome = try acting.perform(stored, as: CareActID(rawValue: UInt128(act.id)), nil, in: transaction)
            return Standing(id: Int(outcome.act.id.rawValue), isNew: outcome.isNew)
        }
    }

    /// Undoes an act, as its route does.
    func undo(_ act: ModelReminder.Act, of place: Int, by keeper: Keeper, at now: Int) async throws {
        try await transaction(as: keeper, at: now) { transaction, _ in
            let tank = try transaction.tank(of: hardwareID).key
            let key = try #require(try transaction.lockedReminder(Self.reminder(place), of: tank)).reminder.key
            let count = try transaction.perform(UndoAct(key: key, id: CareActID(rawValue: UInt128(act.id))))
            #expect(count == 1)
            try transaction.plan(
                key.reminder, of: tank, now: Timestamp(unixSeconds: Int64(now)), isActed: true, isUndone: true)
        }
    }

    private static func reminder(_ place: Int) -> ReminderID { ReminderID(rawValue: UInt128(place + 1)) }
}

extension ModelRule {
    fileprivate var stored: ReminderRule {
        let pattern: Recurrence.Pattern =
            switch rhythm {
            case .everyDays(let days): .daily(interval: days)
            case .weekday(let day): .weekly(interval: 1, days: [day])
            case .monthDay(let day): .monthly(interval: 1, day: day)
            case .afterDone(let days): .afterDone(days: days)
            }
        return ReminderRule(
            Recurrence(pattern), minute: minute, zone: zone, startsOn: CivilDay(number: firstDay))
    }
}
