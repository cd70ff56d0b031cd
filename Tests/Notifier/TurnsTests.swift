import Postgres
import PushClient
import PushTargets
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// However much waits for one person, another's alert does not wait behind it.
@Suite struct TurnsTests {
    private static func account(_ number: Int64) -> Account.ID { Account.ID(rawValue: number) }

    @Test func `an account is held from many on, until few are left`() {
        var held = HeldAccounts()
        let (one, two) = (Self.account(1), Self.account(2))
        held.look(at: [one: HeldAccounts.many - 1, two: HeldAccounts.many])
        #expect(held.all == [two])
        #expect(!held.isOver([two: HeldAccounts.few + 1]))
        held.look(at: [one: HeldAccounts.many - 1, two: HeldAccounts.few + 1])
        #expect(held.all == [two], "it has more than few")
        #expect(held.isOver([two: HeldAccounts.few]) && held.isOver([:]))
        held.look(at: [two: HeldAccounts.few])
        #expect(held.all == [])
        held.look(at: [one: HeldAccounts.mostWithUrgent - 1, two: HeldAccounts.mostWithUrgent])
        #expect(
            held.all == [one, two] && held.urgent == [one],
            "critical ones come beside those that hang, and are bounded too")
    }

    @Test func `what is leased is much where nobody is held, and little of each otherwise`() {
        var queue = LeasingQueue()
        #expect(!queue.isInTurn && queue.limit(room: 1000) == 16)
        queue.held = [Self.account(7)]
        #expect(queue.isInTurn && queue.limit(room: 1000) == LeaseInTurn.mostOfEach)
        queue.held = []
        #expect(!queue.isInTurn && queue.limit(room: 1000) == 16, "no lease has brought many")
    }

    private static let alerts = """
        INSERT INTO account (email, password_hash) SELECT n || '@example.com', 'scrypt$' FROM generate_series(2, 5) n;
        INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time, decided_at)
        SELECT 5, a, a * 1000 + n, 'test', 'test', now(), now(), now() - a * interval '1 min' + n * interval '1 ms'
        FROM generate_series(1, 5) a, generate_series(1, CASE a WHEN 5 THEN 3000 WHEN 4 THEN 3 ELSE 20 END) n;
        """

    /// Account 5 has most, and has waited longest.
    @Test func `accounts take turns, a little for each, and those that are held have none`() async throws {
        try await Scene.with { scene in
            _ = try await scene.ask("ALTER TABLE alert DISABLE TRIGGER USER;" + Self.alerts)
            for number in 1...5 { try await scene.endpoint(Int64(number), account: Int64(number)) }
            let notifier = try await scene.connect()
            /// Whose turn was last, and how many deliveries of each account were leased.
            func lease(after last: Int64, without held: Set<Int64>) async throws -> (last: Int64, counts: [Int64: Int])
            {
                let terms = LeaseDeliveries(
                    slots: Slot.all, limit: 8, staleAfter: .seconds(1800), lease: .seconds(60),
                    holder: LeaseHolder(rawValue: 1))
                let leased = try await notifier.execute(
                    LeaseInTurn(terms, after: Self.account(last), without: Set(held.map(Self.account))))
                return (
                    LeasedDelivery.lastTurn(of: leased, after: Self.account(last)).rawValue,
                    Dictionary(grouping: leased, by: \.account.rawValue).mapValues(\.count)
                )
            }
            let first = try await lease(after: 3, without: [])
            #expect(first.counts == [1: 8, 2: 8, 3: 8, 4: 3, 5: 8] && first.last == 3)
            #expect(try await scene.ask("SELECT max(alert_id) FROM delivery") == "5008", "the oldest of each")
            let second = try await lease(after: 5, without: [5])
            #expect(second.counts == [1: 8, 2: 8, 3: 8] && second.last == 3)
            // What is due again has turns of its own, beside what is left of the fresh.
            _ = try await scene.ask("UPDATE delivery SET next_attempt_at = now() - interval '1 s'")
            let third = try await lease(after: 2, without: [])
            #expect(third.counts == [1: 12, 2: 12, 3: 12, 4: 3, 5: 16] && third.last == 2)
            await notifier.close()
        }
    }

    @Test func `what is critical is leased for an account that is held, and takes nobody's turn`() async throws {
        try await Scene.with { scene in
            _ = try await scene.ask(
                "ALTER TABLE alert DISABLE TRIGGER USER; \(Self.alerts) UPDATE alert SET critical = true WHERE alert_id IN (4001, 5007, 5008)"
            )
            for number in 1...5 { try await scene.endpoint(Int64(number), account: Int64(number)) }
            let notifier = try await scene.connect()
            let terms = LeaseDeliveries(
                slots: Slot.all, limit: 8, staleAfter: .seconds(1800), lease: .seconds(60),
                holder: LeaseHolder(rawValue: 1))
            let held: Set = [Self.account(4), Self.account(5)]
            let leased = try await notifier.execute(
                LeaseInTurn(terms, after: Self.account(3), without: held, butUrgentOf: [Self.account(5)]))
            #expect(
                try await scene.ask(
                    "SELECT string_agg(alert_id::text, ',' ORDER BY alert_id) FROM delivery WHERE account_id > 3")
                    == "5007,5008")
            #expect(Set(leased.map(\.account.rawValue)) == [1, 2, 3, 5])
            var queue = LeasingQueue()
            queue.held = held
            queue.leased(leased, limit: 8)
            #expect(queue.last == Self.account(3))
            await notifier.close()
        }
    }

    /// The first of what is told together leads to all of it, and is not critical itself.
    @Test func `a message is critical when any of its alerts is`() async throws {
        try await Scene.with { scene in
            func group(_ alerts: String, _ critical: String) -> String {
                """
                UPDATE alert SET critical = alert_id IN (\(critical)), group_id = (
                    SELECT uid FROM alert WHERE alert_id IN (\(alerts)) ORDER BY alert_id LIMIT 1)
                WHERE alert_id IN (\(alerts));
                """
            }
            // Of the last group the first has gone, so that each of its alerts comes by itself.
            _ = try await scene.ask(
                """
                ALTER TABLE alert DISABLE TRIGGER USER; \(Self.alerts) UPDATE alert SET uid = gen_random_uuid();
                \(group("5010, 5011, 5012, 5013", "5012, 5013")) \(group("5020, 5021", "0")) \(group("5030, 5031, 5032", "5031"))
                UPDATE alert SET state = 'delivered' WHERE alert_id = 5030
                """)
            try await scene.endpoint(5, account: 5)
            let notifier = try await scene.connect()
            let terms = LeaseDeliveries(
                slots: Slot.all, limit: 8, staleAfter: .seconds(1800), lease: .seconds(60),
                holder: LeaseHolder(rawValue: 1))
            let held: Set = [Self.account(5)]
            _ = try await notifier.execute(
                LeaseInTurn(terms, after: Self.account(3), without: held, butUrgentOf: held))
            #expect(
                try await scene.ask(
                    "SELECT string_agg(alert_id::text, ',' ORDER BY alert_id) FROM delivery WHERE account_id > 3")
                    == "5010,5011,5012,5013,5031")
            await notifier.close()
        }
    }

    /// More accounts are held than have turns in a lease, all of them before the one that waits.
    @Test func `whoever is held takes nobody's turn`() async throws {
        try await Scene.with { scene in
            let most = LeaseInTurn.turns + 10
            _ = try await scene.ask(
                """
                INSERT INTO account (email, password_hash) SELECT n || '@example.com', 'scrypt$' FROM generate_series(2, \(most + 1)) n;
                INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time)
                SELECT 5, a, a, 'test', 'test', now(), now() FROM generate_series(1, \(most + 1)) a;
                """)
            try await scene.endpoint(1, account: Int64(most + 1))
            let notifier = try await scene.connect()
            let terms = LeaseDeliveries(
                slots: Slot.all, limit: 8, staleAfter: .seconds(1800), lease: .seconds(60),
                holder: LeaseHolder(rawValue: 1))
            let held = Set((1...Int64(most)).map(Self.account))
            let leased = try await notifier.execute(LeaseInTurn(terms, after: Self.account(0), without: held))
            #expect(leased.map(\.account.rawValue) == [Int64(most + 1)])
            await notifier.close()
        }
    }

    /// All that may be on its way at once, and more, is one person's, and hangs.
    @Test func `another person's alert is sent while all of one person's hang`() async throws {
        try await Scene.with { scene in
            var settings = Scene.settings
            let here = try #require(IPAddress("127.0.0.1"))
            settings.ask = { _ in [here] }
            // No attempt is given up before the end of this test.
            settings.limits.total = .seconds(3600)
            settings.lease = .seconds(4 * 3600)
            let many = settings.capacity + 100
            scene.sink.answer { $0.path == "/1" ? .hang : .status(204) }
            try await scene.endpoint(1, url: "http://hangs.invalid:\(scene.sink.port)/1")
            let other = try #require(
                Int64(
                    try await scene.ask(
                        "INSERT INTO account (email, password_hash) VALUES ('b@example.com', 'scrypt$') RETURNING account_id"
                    )))
            try await scene.endpoint(2, url: "http://good.invalid:\(scene.sink.port)/2", account: other)
            try await scene.notifying(settings) {
                try await scene.alarms(1...many)
                try await awaitFact("the first of many alerts") {
                    scene.sink.received.contains { $0.path == "/1" } ? true : nil
                }
                _ = try await scene.ask(
                    """
                    INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time)
                    VALUES (9, \(other), 100000, 'test', 'test', now(), now());
                    SELECT pg_notify('alert', '')
                    """)
                try await awaitFact("the other person's alert") {
                    scene.sink.received.contains { $0.path == "/2" } ? true : nil
                }
            }
        }
    }
}
