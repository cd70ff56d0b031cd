import Foundation
import Instants
import Postgres
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// Messages of what is to be done for a person's water.
@Suite struct ReminderSendingTests {
    private static let messages = "SELECT count(*) FROM alert WHERE kind = 'care'"

    /// Adds a reminder that came due a minute ago, of which everybody who shares the tank is told.
    private static func add(_ number: Int, _ scene: Scene, looked ago: String = "1 hour") async throws {
        try await scene.database.sql(
            """
            INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                looked_at, next_at, planned_at)
            SELECT slot, tank_id, device_id, '00000000-0000-4000-8000-00000000000\(number)', 'Feed \(number)', 'feed', 'day', 1,
                date_trunc('minute', (now() - interval '1 minute') AT TIME ZONE 'UTC')::time, 'UTC', '2026-01-01',
                now() - interval '\(ago)', now() - interval '\(ago)', now() - interval '1 minute', now()
            FROM ownership WHERE role = 'owner';
            INSERT INTO reminder_person SELECT r.slot, r.reminder_id, o.account_id FROM reminder r JOIN ownership o USING (slot, tank_id)
            ON CONFLICT DO NOTHING
            """)
    }

    /// Looks once, as a notifier does.
    private static func look(_ connection: PostgresConnection) async throws -> String {
        let moment = try await connection.execute(ReadClock())[0]
        _ = try await connection.transaction { try $0.lookAtReminders(at: moment, limit: 100) }
        let turn = try await connection.execute(TellCare(now: moment, limit: 100)).first ?? nil
        return turn.map { "\($0.due) \($0.sent)" } ?? "none"
    }

    private static func connected(_ scene: Scene, _ body: (PostgresConnection) async throws -> Void) async throws {
        let connection = try await PostgresConnection.connect(
            PostgresConfiguration(
                url: scene.database.url(.notifier), password: scene.database.password(.notifier),
                applicationName: "reminder-tests"))
        try await body(connection)
        await connection.close()
    }

    private static func act(
        _ what: String, _ scene: Scene, until: String = "NULL", about names: String = "%"
    ) async throws {
        try await scene.database.sql(
            """
            INSERT INTO reminder_act (slot, tank_id, reminder_id, act_id, on_at, what, acted_at, until_at, account_id)
            SELECT r.slot, r.tank_id, r.reminder_id, gen_random_uuid(), t.on_at, '\(what)', now(), \(until), \(scene.account)
            FROM reminder r JOIN reminder_telling t USING (slot, reminder_id) WHERE r.name LIKE '\(names)'
            """)
    }

    @Test func `several are one message, which comes once, however many notifiers look`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            for number in 1...3 { try await Self.add(number, scene) }
            try await scene.notifying(Scene.regularSettings) {
                try await scene.notifying(Scene.regularSettings) {
                    try await scene.await("1", "\(Self.messages) AND state = 'delivered'")
                }
            }
            #expect(try await scene.ask(Self.messages) == "1")
            let told = try scene.toldData()
            #expect(told.count == 1 && told[0]["kind"] as? String == "care" && told[0]["device"] == nil, "\(told)")
            let text = try #require(told[0]["text"] as? String)
            #expect((1...3).allSatisfy { text.contains("Feed \($0)") }, "\(text)")
            #expect(try await scene.ask("SELECT bool_and(next_at > now() AND looked_at <= now()) FROM reminder") == "t")
            #expect(try await scene.ask("SELECT count(*) FROM throttle") == "0", "no alarm is held back by it")
        }
    }

    @Test func `what cannot be sent, or looked at, keeps no other from being told`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            for number in 1...3 { try await Self.add(number, scene) }
            try await scene.database.sql(
                """
                CREATE OR REPLACE FUNCTION send_summaries(most integer, OUT due integer, OUT sent integer) LANGUAGE plpgsql AS
                    $$ BEGIN RAISE 'no summary'; END $$;
                CREATE FUNCTION break_look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no look'; END $$;
                CREATE TRIGGER breaks BEFORE UPDATE OF looked_at ON reminder FOR EACH ROW WHEN (NEW.name = 'Feed 1')
                    EXECUTE FUNCTION break_look()
                """)
            try await scene.notifying(Scene.regularSettings) {
                try await scene.await("1", "\(Self.messages) AND state = 'delivered'")
            }
            let text = try #require(try scene.toldData().first?["text"] as? String)
            #expect(!text.contains("Feed 1") && text.contains("Feed 2") && text.contains("Feed 3"), "\(text)")
            #expect(
                try await scene.ask(
                    "SELECT next_at > now() + interval '50 minutes' AND looked_at < now() - interval '50 minutes' FROM reminder WHERE name = 'Feed 1'"
                ) == "t")
        }
    }

    @Test func `quiet hours hold it, and what is done meanwhile is told nobody`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await Self.add(1, scene)
            try await scene.beginNight()
            try await Self.connected(scene) { connection in
                #expect(try await Self.look(connection) == "1 0")
                #expect(
                    try await scene.ask("SELECT waits_at = until FROM reminder_telling, current_quiet_hours") == "t")
                try await Self.act("done", scene)
                #expect(try await scene.ask("SELECT count(*) FROM reminder_telling") == "0")
                try await scene.database.sql("DELETE FROM quiet_hours")
                #expect(try await Self.look(connection) == "0 0")
            }
            #expect(try await scene.ask(Self.messages) == "0")
        }
    }

    @Test func `a message that is on its way is called back, and one that was shown is replaced in browsers alone`()
        async throws
    {
        try await Scene.with { scene in
            try await scene.registeredBrowser(1)
            try await scene.endpoint(2)
            try await Self.add(1, scene)
            try await Self.connected(scene) { connection in
                #expect(try await Self.look(connection) == "1 1")
                try await scene.database.sql(
                    "UPDATE delivery SET state = 'accepted', ended_at = now() WHERE endpoint_id = 1")
                try await Self.act("done", scene)
                #expect(try await scene.ask("SELECT state FROM delivery WHERE endpoint_id = 2") == "cancelled")
                #expect(try await scene.ask("SELECT state FROM alert WHERE kind = 'care'") == "delivered")
                let now = try await connection.execute(ReadClock())[0]
                let turn = try await connection.execute(ReplaceCare(now: now, limit: 10)).first ?? nil
                #expect(turn?.sent == 1)
                let again = try await connection.execute(ReplaceCare(now: now, limit: 10)).first ?? nil
                #expect(again?.due == 0, "once")
            }
            #expect(
                try await scene.ask(
                    """
                    SELECT string_agg(d.endpoint_id::text, ',') FROM alert a JOIN delivery d USING (slot, alert_id)
                    WHERE a.about[1]::jsonb ->> 'replaces' = (SELECT uid::text FROM alert ORDER BY alert_id LIMIT 1)
                    """) == "1")
        }
    }

    @Test func `a message that is partly done keeps no other from being replaced`() async throws {
        try await Scene.with { scene in
            try await scene.registeredBrowser(1)
            try await Self.connected(scene) { connection in
                for number in 1...2 { try await Self.add(number, scene) }
                #expect(try await Self.look(connection) == "1 1")
                try await scene.database.sql("UPDATE reminder_telling SET told_at = now() - interval '2 minutes'")
                try await Self.add(3, scene)
                #expect(try await Self.look(connection) == "1 1")
                try await scene.database.sql("UPDATE delivery SET state = 'accepted', ended_at = now()")
                for name in ["Feed 1", "Feed 3"] { try await Self.act("done", scene, about: name) }
                let now = try await connection.execute(ReadClock())[0]
                let turn = try await connection.execute(ReplaceCare(now: now, limit: 1)).first ?? nil
                #expect(turn?.sent == 1, "that of the third, though the first waits for the second")
                // Nobody does the rest, and nobody is told of an alert that has been deleted.
                let late = now + .seconds(4 * 86_400)
                for due in [Int32(1), 0] {
                    let turn = try await connection.execute(ReplaceCare(now: late, limit: 1)).first ?? nil
                    #expect(turn?.due == due && turn?.sent == 0)
                }
            }
        }
    }

    @Test func `what is undone is told again, to those alone who do not see it`() async throws {
        /// What the Gateway does after an undo.
        let isOpenAgain = "UPDATE reminder SET looked_at = now() - interval '30 minutes', next_at = now()"
        try await Scene.with { scene in
            try await scene.registeredBrowser(1)
            try await Self.add(1, scene)
            try await Self.connected(scene) { connection in
                #expect(try await Self.look(connection) == "1 1")
                // Undone before it was replaced, what is shown is true again.
                try await scene.database.sql("UPDATE delivery SET state = 'accepted', ended_at = now()")
                try await Self.act("done", scene)
                try await scene.database.sql("DELETE FROM reminder_act; \(isOpenAgain)")
                #expect(try await Self.look(connection) == "0 0")
                // It is replaced by who did it, and undone.
                try await Self.act("done", scene)
                let now = try await connection.execute(ReadClock())[0]
                #expect(try await connection.execute(ReplaceCare(now: now, limit: 1)).first??.sent == 1)
                try await scene.database.sql(
                    """
                    DELETE FROM reminder_act; \(isOpenAgain);
                    UPDATE reminder_telling SET told_at = now() - interval '2 minutes'
                    """)
                #expect(try await Self.look(connection) == "1 1")
                // Called back on its way nobody saw it.
                try await Self.act("done", scene)
                try await scene.database.sql(
                    """
                    DELETE FROM reminder_act; \(isOpenAgain);
                    UPDATE reminder_telling SET told_at = now() - interval '2 minutes'
                    """)
                #expect(try await Self.look(connection) == "1 1")
            }
        }
    }

    @Test func `what is undone early leaves open what it had settled`() async throws {
        try await Scene.with { scene in
            try await scene.registeredBrowser(1)
            try await Self.add(1, scene)
            try await Self.connected(scene) { connection in
                #expect(try await Self.look(connection) == "1 1")
                try await scene.database.sql(
                    """
                    INSERT INTO reminder_act (slot, tank_id, reminder_id, act_id, on_at, what, acted_at, account_id)
                    SELECT r.slot, r.tank_id, r.reminder_id, gen_random_uuid(), t.on_at + interval '1 day', 'done', now(), \(scene.account)
                    FROM reminder r JOIN reminder_telling t USING (slot, reminder_id)
                    """)
                let isSettled = "SELECT settled_at IS NOT NULL FROM reminder_telling"
                #expect(try await scene.ask(isSettled) == "t")
                try await scene.database.sql("DELETE FROM reminder_act")
                #expect(try await scene.ask(isSettled) == "f")
            }
        }
    }

    @Test func `who has left the tank is told nothing`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await Self.add(1, scene)
            try await scene.database.sql("UPDATE ownership SET unlinked_at = now()")
            try await Self.connected(scene) { connection in
                let turn = try await Self.look(connection)
                #expect(turn == "0 0")
            }
            #expect(try await scene.ask("SELECT ended_at IS NOT NULL AND next_at IS NULL FROM reminder") == "t")
        }
    }

    /// A year with both changes of clocks: a feeding in the hour that is skipped and comes twice, a change of water counted from when it was done,
    /// two people who take turns, forget, put off and go on holiday. Each occurrence is told once, when it comes, and by the clock on the wall.
    @Test(.timeLimit(.minutes(10))) func `a year of a keeper's life: nothing due is lost or told twice`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.database.sql(
                """
                INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                    looked_at, next_at, planned_at)
                SELECT slot, tank_id, device_id, '00000000-0000-4000-8000-000000000001', 'Feed', 'feed', 'day', 1, time '02:30', 'Europe/Madrid',
                    '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-01', '2026-01-01' FROM ownership;
                INSERT INTO reminder_person SELECT slot, reminder_id, \(scene.account) FROM reminder
                """)
            try await Self.connected(scene) { connection in
                var random = SeededGenerator(seed: 2026)
                var clock = Timestamp(unixSeconds: Int64(1_767_225_600))  // 2026-01-01
                var told: [String: Timestamp] = [:]
                for _ in 0..<1400 {
                    // Every six hours or so, and now and then a day without a notifier.
                    let isAway = Int.random(in: 0..<20, using: &random) == 0
                    clock = clock + .seconds(isAway ? 90_000 : Int.random(in: 18_000...25_000, using: &random))
                    let now = clock
                    let count = try await connection.transaction { try $0.lookAtReminders(at: now, limit: 100) }
                    guard count > 0 else { continue }
                    let on = try await scene.ask(
                        "SELECT coalesce(max(to_char(on_at, 'YYYY-MM-DD HH24:MI')), '') FROM reminder_telling WHERE waits_at IS NOT NULL"
                    )
                    guard !on.isEmpty else { continue }
                    #expect(told[on] == nil, "\(on) twice")
                    told[on] = now
                    let isForgotten = Int.random(in: 0..<3, using: &random) == 0
                    try await scene.database.sql(
                        isForgotten
                            ? "DELETE FROM reminder_telling"
                            : """
                            DELETE FROM reminder_telling;
                            INSERT INTO reminder_act (slot, tank_id, reminder_id, act_id, on_at, what, acted_at, account_id)
                            SELECT slot, tank_id, reminder_id, gen_random_uuid(), '\(on)', 'done', to_timestamp(\(now.unixSeconds)), \(scene.account)
                            FROM reminder
                            """)
                }
                #expect(
                    told.keys.allSatisfy { $0.hasSuffix("02:30") },
                    "by the clock on the wall, also after changes of clocks")
                let values = told.map { "(timestamp '\($0)', to_timestamp(\($1.unixSeconds)))" }.joined(separator: ", ")
                #expect(
                    try await scene.ask(
                        """
                        SELECT count(*) FROM (VALUES \(values)) v (local, told)
                        WHERE told < civil_instant(local, 'Europe/Madrid') OR told > civil_instant(local, 'Europe/Madrid') + interval '25 hours'
                        """) == "0", "when it came, and not before")
                // Lost are those alone that the next one had superseded when somebody looked again.
                let days = Set(told.keys.map { String($0.prefix(10)) })
                let first = try #require(CivilDay("2026-01-01"))
                let missing = (0..<340).filter { !days.contains((first + $0).text) }.count
                #expect(missing <= 12, "\(missing)")
            }
        }
    }
}
