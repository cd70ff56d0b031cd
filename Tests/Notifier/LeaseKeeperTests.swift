import Glibc
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// A lease ends with its holder.
@Suite struct LeaseKeeperTests {
    private static let lease = Duration.seconds(60)

    @Test(arguments: [
        (LeaseHolder?(.init(rawValue: 7)), 0, Lease.Disposition.send), (.init(rawValue: 7), 29, .send),
        (.init(rawValue: 7), 30, .letExpire), (.init(rawValue: 8), 0, .release), (nil, 0, .release),
        (nil, 30, .letExpire),
    ])
    func `what becomes of a lease when its turn comes`(
        current: LeaseHolder?, seconds: Int, disposition: Lease.Disposition
    ) {
        #expect(
            Lease.Disposition(
                leasedBy: LeaseHolder(rawValue: 7), current: current, elapsed: .seconds(seconds), lease: Self.lease,
                longestAttempt: .seconds(30)) == disposition)
    }

    // MARK: Processes

    @Test func `what a killed notifier had begun comes again soon, with the same id`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            scene.sink.answer([.hang], then: .status(200))
            try await scene.withNotifierProcess { victim in
                try await scene.alarms()
                _ = try await scene.sink.requests(1)
                victim.signal(SIGKILL)
                #expect(await victim.end == .signal(SIGKILL))
            }
            #expect(try await scene.ask("SELECT state || attempts FROM delivery") == "pending1")
            // The lease would not expire while this test runs.
            try await scene.database.sql("UPDATE delivery SET next_attempt_at = now() + interval '10 min'")
            try await scene.notifying { try await scene.await("delivered", "SELECT state FROM alert") }
            #expect(scene.sink.received.map { $0.header("webhook-id") } == ["alert_5_1_1", "alert_5_1_1"])
            #expect(try await scene.ask("SELECT count(*) FROM delivery WHERE holder IS NOT NULL") == "0")
        }
    }

    @Test func `a frozen one keeps its lease until its time is up`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.endpoint(2)
            scene.sink.answer([.hang, .hang, .hang, .hang], then: .status(200))
            try await scene.withNotifierProcess { frozen in
                try await scene.alarms(1...1)
                _ = try await scene.sink.requests(2)
                frozen.signal(SIGSTOP)
                try await scene.database.sql("UPDATE delivery SET next_attempt_at = now() + interval '10 min'")
                try await scene.withNotifierProcess { killed in
                    try await scene.alarms(2...2)
                    _ = try await scene.sink.requests(4)
                    killed.signal(SIGKILL)
                    _ = await killed.end
                }
                try await scene.notifying {
                    // The other notifier has looked at both.
                    try await scene.await("delivered", "SELECT state FROM alert WHERE alert_id = 2")
                    let frozenLeases =
                        "SELECT count(*) FROM delivery WHERE alert_id = 1 AND attempts = 1 AND holder IS NOT NULL"
                    #expect(try await scene.ask(frozenLeases) == "2")
                    try await scene.database.sql("UPDATE delivery SET next_attempt_at = now() WHERE alert_id = 1")
                    try await scene.await("delivered", "SELECT state FROM alert WHERE alert_id = 1")
                }
            }
            let ids = scene.sink.received.map { $0.header("webhook-id") }
            for id in ["alert_5_1_1", "alert_5_1_2", "alert_5_2_1", "alert_5_2_2"] {
                #expect(ids.count { $0 == id } == 2)
            }
        }
    }

    @Test func `one that loses its session comes back and sends nothing twice`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            var settings = Scene.settings
            settings.slow = .seconds(60)
            settings.bounds.runningPerHost = 4
            let locks = """
                FROM pg_locks WHERE locktype = 'advisory' AND classid = 7133703
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """
            try await scene.notifying(settings) {
                try await scene.await("1", "SELECT count(*) \(locks)")
                for round in 0..<5 {
                    try await scene.alarms((round * 60 + 1)...(round * 60 + 60))
                    _ = try await scene.sink.requests(round * 60 + 10)
                    _ = try await scene.ask("SELECT pg_terminate_backend(pid) \(locks)")
                    try await scene.await("\(round * 60 + 60)", "SELECT count(*) FROM alert WHERE state = 'delivered'")
                    try await scene.await("1", "SELECT count(*) \(locks)")
                }
            }
            #expect(scene.sink.received.count == 300)
            #expect(Set(scene.sink.received.map { $0.header("webhook-id") }).count == 300)
            // The notifier kept its number, unless it returned before the server had released its lock.
            #expect(try await scene.ask("SELECT max(holder) <= 5 FROM notifier") == "t")
        }
    }

    // MARK: Statements

    private let orphans = EndOrphanedLeases(absence: .zero, slots: Slot.all)
    private let states = """
        SELECT string_agg(
            coalesce(holder::text, 'none') || CASE WHEN next_attempt_at <= now() THEN ' due' ELSE '' END, ','
            ORDER BY alert_id)
        FROM delivery
        """

    /// A database with leases of a live holder, of a dead one, and of an unknown one.
    private func withLeases(
        _ body: @Sendable @escaping (Scene, _ other: PostgresConnection) async throws -> Void
    ) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.alarms(1...3, state: "sending")
            let holder = try await scene.connect()
            let first = try await holder.execute(BecomeLeaseHolder()).first
            #expect(first == LeaseHolder(rawValue: 1))
            let dead = try await scene.connect()
            let second = try await dead.execute(BecomeLeaseHolder()).first
            #expect(second == LeaseHolder(rawValue: 2))
            await dead.close()
            try await scene.await(
                "1",
                """
                SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 7133703
                    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """)
            try await scene.database.sql(
                """
                INSERT INTO delivery (
                    slot, attempts, account_id, alert_id, endpoint_id, next_attempt_at, expires_at, holder, held_attempt)
                SELECT slot, 1, account_id, alert_id, 1, now() + interval '50 s', now() + interval '30 min',
                    CASE WHEN alert_id < 3 THEN alert_id END, 1
                FROM alert
                """)
            let other = try await scene.connect()
            try await body(scene, other)
            await other.close()
            await holder.close()
        }
    }

    @Test func `leases of a holder whose lock is free end, others do not`() async throws {
        try await withLeases { scene, other in
            // The first look records that the lock is missing.
            #expect(try await other.execute(orphans) == [0])
            #expect(try await scene.ask(states) == "1,2,none")
            try await scene.await("2", "SELECT string_agg(holder::text, ',') FROM notifier WHERE missing_since < now()")
            #expect(try await other.execute(orphans) == [1])
            #expect(try await scene.ask(states) == "1,none due,none")
            #expect(try await scene.ask("SELECT string_agg(holder::text, ',') FROM notifier") == "1")
            #expect(try await other.execute(orphans) == [0])
        }
    }

    @Test func `who comes back in time keeps what is leased`() async throws {
        try await withLeases { scene, other in
            let patient = EndOrphanedLeases(absence: .seconds(3600), slots: Slot.all)
            #expect(try await other.execute(patient) == [0])
            #expect(try await other.execute(patient) == [0])
            let back = try await scene.connect()
            #expect(try await back.execute(ReturnAsLeaseHolder(LeaseHolder(rawValue: 2))).count == 1)
            #expect(try await other.execute(orphans) == [0])
            #expect(try await other.execute(orphans) == [0])
            #expect(try await scene.ask(states) == "1,2,none")
            await back.close()
        }
    }

    /// Another notifier has the deliveries by now; with its old number, the first would send them a second time.
    @Test func `who comes back too late gets another number`() async throws {
        try await withLeases { scene, other in
            #expect(try await other.execute(orphans) == [0])
            try await scene.await("2", "SELECT string_agg(holder::text, ',') FROM notifier WHERE missing_since < now()")
            #expect(try await other.execute(orphans) == [1])
            let back = try await scene.connect()
            #expect(try await back.execute(ReturnAsLeaseHolder(LeaseHolder(rawValue: 2))).isEmpty)
            #expect(try await back.execute(BecomeLeaseHolder()).first == LeaseHolder(rawValue: 3))
            await back.close()
        }
    }

    /// A notifier of the previous version leases without a holder.
    @Test func `a later lease of somebody else is not ended`() async throws {
        try await withLeases { scene, other in
            try await scene.database.sql("UPDATE delivery SET attempts = 2")
            #expect(try await other.execute(orphans) == [0])
            try await scene.await("2", "SELECT string_agg(holder::text, ',') FROM notifier WHERE missing_since < now()")
            #expect(try await other.execute(orphans) == [0])
        }
    }

    @Test func `a number that somebody holds is not taken again`() async throws {
        try await withLeases { _, other in
            let again = try await other.execute(ReturnAsLeaseHolder(LeaseHolder(rawValue: 1)))
            #expect(again.isEmpty)
            let fresh = try await other.execute(BecomeLeaseHolder()).first
            #expect(fresh == LeaseHolder(rawValue: 3))
        }
    }
}
