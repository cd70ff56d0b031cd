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
    @Test func `several are one message, which comes once, however many notifiers look`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            for number in 1...3 { try await Reminding.add(number, scene) }
            try await scene.notifying(Scene.regularSettings) {
                try await scene.notifying(Scene.regularSettings) {
                    try await scene.await("1", "\(Reminding.messages) AND state = 'delivered'")
                }
            }
            #expect(try await scene.ask(Reminding.messages) == "1")
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
            for number in 1...3 { try await Reminding.add(number, scene) }
            try await scene.database.sql(
                """
                CREATE OR REPLACE FUNCTION send_summaries(most integer, OUT due integer, OUT sent integer) LANGUAGE plpgsql AS
                    $$ BEGIN RAISE 'no summary'; END $$;
                CREATE FUNCTION break_look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no look'; END $$;
                CREATE TRIGGER breaks BEFORE UPDATE OF looked_at ON reminder FOR EACH ROW WHEN (NEW.name = 'Feed 1')
                    EXECUTE FUNCTION break_look()
                """)
            try await scene.notifying(Scene.regularSettings) {
                try await scene.await("1", "\(Reminding.messages) AND state = 'delivered'")
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
            try await Reminding.add(1, scene)
            try await scene.beginNight()
            try await Reminding.connected(scene) { connection in
                #expect(try await Reminding.look(connection) == "1 0")
                #expect(
                    try await scene.ask("SELECT waits_at = until FROM reminder_telling, current_quiet_hours") == "t")
                try await Reminding.act("done", scene)
                #expect(try await scene.ask("SELECT count(*) FROM reminder_telling") == "0")
                try await scene.database.sql("DELETE FROM quiet_hours")
                #expect(try await Reminding.look(connection) == "0 0")
            }
            #expect(try await scene.ask(Reminding.messages) == "0")
        }
    }

    @Test func `a message that is on its way is called back, and one that was shown is replaced in browsers alone`()
        async throws
    {
        try await Scene.with { scene in
            try await scene.registeredBrowser(1)
            try await scene.endpoint(2)
            try await Reminding.add(1, scene)
            try await Reminding.connected(scene) { connection in
                #expect(try await Reminding.look(connection) == "1 1")
                try await scene.database.sql(
                    "UPDATE delivery SET state = 'accepted', ended_at = now() WHERE endpoint_id = 1")
                try await Reminding.act("done", scene)
                #expect(try await scene.ask("SELECT state FROM delivery WHERE endpoint_id = 2") == "cancelled")
                #expect(try await scene.ask("SELECT state FROM alert WHERE kind = 'care'") == "delivered")
                let now = try await connection.execute(ReadClock())[0]
                let turn = try await connection.execute(ReplaceCare(now: now)).first ?? nil
                #expect(turn?.sent == 1)
                let again = try await connection.execute(ReplaceCare(now: now)).first ?? nil
                #expect(again?.due == 0, "once")
            }
            let told = "(SELECT about[2]::jsonb FROM alert WHERE about[1]::jsonb ? 'replaces')"
            #expect(try await scene.ask("SELECT \(told) ->> 'by', \(told) ->> 'account'") == "a|\(scene.account)")
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
            try await Reminding.connected(scene) { connection in
                for number in 1...2 { try await Reminding.add(number, scene) }
                #expect(try await Reminding.look(connection) == "1 1")
                try await scene.database.sql("UPDATE reminder_telling SET told_at = now() - interval '2 minutes'")
                try await Reminding.add(3, scene)
                #expect(try await Reminding.look(connection) == "1 1")
                try await scene.database.sql("UPDATE delivery SET state = 'accepted', ended_at = now()")
                for name in ["Feed 1", "Feed 3"] { try await Reminding.act("done", scene, about: name) }
                let now = try await connection.execute(ReadClock())[0]
                let turn = try await connection.execute(ReplaceCare(now: now)).first ?? nil
                #expect(turn?.sent == 1, "that of the third, though the first waits for the second")
                // Nobody does the rest, and nobody is told of an alert that has been deleted.
                let late = now + .seconds(4 * 86_400)
                for due in [Int32(1), 0] {
                    let turn = try await connection.execute(ReplaceCare(now: late)).first ?? nil
                    #expect(turn?.due == due && turn?.sent == 0)
                }
            }
        }
    }

    /// Adds a neighbour who shares the tank.
    private static func addNeighbour(_ scene: Scene) async throws -> String {
        try await scene.ask(
            """
            WITH person AS (
                INSERT INTO account (email, password_hash) VALUES ('b@example.com', 'scrypt$') RETURNING account_id
            )
            INSERT INTO ownership (slot, device_id, account_id, role, name)
            SELECT o.slot, o.device_id, p.account_id, 'watcher', o.name FROM ownership o, person p RETURNING account_id
            """)
    }

    /// Keeps rows locked, as somebody does who acts or closes an account just now.
    private static func locking(
        _ rows: String, _ scene: Scene, _ body: () async throws -> Void
    ) async throws {
        let other = try await PostgresConnection.connect(
            PostgresConfiguration(
                url: scene.database.url(.owner), password: scene.database.password(.owner),
                applicationName: "reminder-tests"))
        try await other.executeScript("BEGIN; SELECT FROM \(rows) FOR UPDATE")
        try await body()
        try await other.executeScript("ROLLBACK")
        await other.close()
    }

    @Test func `people are told one after the other, each by a transaction`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let neighbour = try #require(Int64(try await Self.addNeighbour(scene)))
            try await scene.endpoint(2, account: neighbour)
            for number in 1...2 { try await Reminding.add(number, scene) }
            try await Reminding.connected(scene) { connection in
                let now = try await connection.execute(ReadClock())[0]
                _ = try await connection.transaction { try $0.lookAtReminders(at: now, limit: 100) }
                for told in ["1", "2"] {
                    let turn = try await connection.execute(TellCare(now: now)).first ?? nil
                    #expect(turn?.due == 1 && turn?.sent == 1)
                    #expect(
                        try await scene.ask("SELECT count(DISTINCT account_id) FROM alert WHERE kind = 'care'") == told)
                }
                try await Reminding.act("done", scene)
                for left in ["2", "0"] {
                    let due = try await Reminding.replace(connection, at: now)
                    #expect(due == 1)
                    let waiting = "SELECT count(*) FROM reminder_telling WHERE settled_at IS NOT NULL AND NOT replaced"
                    #expect(try await scene.ask(waiting) == left)
                }
            }
        }
    }

    /// Whoever tells holds locks of a person, and one who acts or closes an account others: waiting for each other would be a deadlock.
    @Test func `telling and replacing wait for nobody's lock`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            for number in 1...2 { try await Reminding.add(number, scene) }
            try await Reminding.connected(scene) { connection in
                try await connection.executeScript("SET lock_timeout = '10s'")
                let now = try await connection.execute(ReadClock())[0]
                _ = try await connection.transaction { try $0.lookAtReminders(at: now, limit: 100) }
                let ticked = "reminder_telling WHERE reminder_id::text LIKE '%1'"
                try await Self.locking(ticked, scene) {
                    let told = try await Reminding.tell(connection, at: now)
                    #expect(told == "1 0", "the other reminder's is put off")
                }
                try await Self.locking("account", scene) {
                    let told = try await Reminding.tell(connection, at: now + .seconds(6))
                    #expect(told == "2 0")
                }
                #expect(try await Reminding.tell(connection, at: now + .seconds(12)) == "1 1")
                for name in ["Feed 1", "Feed 2"] { try await Reminding.act("done", scene, about: name) }
                for rows in [ticked, "account"] {
                    try await Self.locking(rows, scene) {
                        let due = try await Reminding.replace(connection, at: now)
                        #expect(due == 0)
                    }
                }
                let due = try await Reminding.replace(connection, at: now)
                #expect(due == 1)
            }
        }
    }

    /// A name that is written while its account is closed would stay: whoever closes it looks for names before.
    @Test func `who closes an account just now is named in no message`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let neighbour = try await Self.addNeighbour(scene)
            try await Reminding.add(1, scene)
            try await scene.database.sql("DELETE FROM reminder_person WHERE account_id = \(neighbour)")
            try await Reminding.connected(scene) { connection in
                #expect(try await Reminding.look(connection) == "1 1")
                try await Reminding.act("done", scene)
                try await scene.database.sql("UPDATE reminder_telling SET settled_by = \(neighbour)")
                let now = try await connection.execute(ReadClock())[0]
                try await Self.locking("account WHERE account_id = \(neighbour)", scene) {
                    let due = try await Reminding.replace(connection, at: now)
                    #expect(due == 0)
                }
                let due = try await Reminding.replace(connection, at: now)
                #expect(due == 1)
            }
        }
    }

    @Test func `of sixty in a day the next waits until the first is a day old, and who did it is none of them`()
        async throws
    {
        /// Messages of the last day, which are told anew or take the place of others.
        @Sendable func messages(_ count: Int, _ about: String) -> String {
            """
            INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time, decided_at, state, about)
            SELECT account_id % 64, account_id, nextval('alert_id'), gen_random_uuid(), 'care', 'note', now(), now(),
                now() - n * interval '10 minutes', 'delivered', ARRAY['\(about)', '{}']
            FROM account, generate_series(1, \(count)) n
            """
        }
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.database.sql(messages(59, #"{"count": 1}"#))
            try await scene.database.sql(messages(30, #"{"count": 1, "replaces": "x"}"#))
            try await Reminding.add(1, scene)
            try await Reminding.connected(scene) { connection in
                #expect(try await Reminding.look(connection) == "1 1", "the sixtieth")
                try await Reminding.add(2, scene)
                let now = try await connection.execute(ReadClock())[0]
                _ = try await connection.transaction { try $0.lookAtReminders(at: now, limit: 100) }
                #expect(try await Reminding.tell(connection, at: now + .seconds(120)) == "1 0")
                let free =
                    "SELECT waits_at = (SELECT min(decided_at) FROM alert) + interval '1 day' FROM reminder_telling WHERE waits_at IS NOT NULL"
                #expect(try await scene.ask(free) == "t", "it is not lost")
                // 590 minutes have passed of the first's day.
                #expect(try await Reminding.tell(connection, at: now + .seconds(851 * 60)) == "1 1")
            }
        }
    }
}
