import Foundation
import Instants
import Postgres
import ServiceKit
import Store
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// Reminders that are told again, or no more.
@Suite struct ReminderRetellingTests {
    @Test func `what reached nobody is told again, and each time later`() async throws {
        let reachesNobody = """
            UPDATE alert SET state = 'undelivered' WHERE state = 'sending';
            UPDATE delivery SET state = 'failed', ended_at = now() WHERE state = 'pending'
            """
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await Reminding.add(1, scene)
            try await Reminding.connected(scene) { connection in
                #expect(try await Reminding.look(connection) == "1 1")
                let now = try await connection.execute(ReadClock())[0]
                func tell(after minutes: Int) async throws -> String {
                    try await Reminding.tell(connection, at: now + .seconds(60 * minutes))
                }
                #expect(try await tell(after: 32) == "0 0", "it is on its way")
                try await scene.database.sql(reachesNobody)
                #expect(try await tell(after: 34) == "1 1")
                try await scene.database.sql(reachesNobody)
                #expect(try await tell(after: 66) == "0 0", "ten minutes later")
                #expect(try await tell(after: 77) == "1 1")
                try await scene.database.sql(
                    "UPDATE delivery SET state = 'accepted', ended_at = now() WHERE state = 'pending'; UPDATE alert SET state = 'delivered'"
                )
                #expect(try await tell(after: 110) == "0 0", "it reached somebody")
                #expect(try await scene.ask("SELECT count(*) FROM reminder_telling WHERE checks_at IS NOT NULL") == "0")
            }
        }
    }

    @Test func `what waits by a rule that holds no more is told nobody, and what is on its way is called back`()
        async throws
    {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await Reminding.add(1, scene)
            try await scene.beginNight()
            try await Reminding.connected(scene) { connection in
                #expect(try await Reminding.look(connection) == "1 0")
                try await scene.database.sql("UPDATE reminder SET version = 2, name = 'Feed'")
                #expect(try await scene.ask("SELECT count(*) FROM reminder_telling") == "1", "by the same rule")
                try await scene.database.sql("UPDATE reminder SET version = 3, since = now()")
                #expect(try await scene.ask("SELECT count(*) FROM reminder_telling") == "0")
                try await scene.database.sql("DELETE FROM quiet_hours")
                try await Reminding.add(2, scene)
                #expect(try await Reminding.look(connection) == "1 1")
                try await scene.database.sql(
                    "UPDATE reminder SET version = 2, ended_at = now(), next_at = NULL WHERE name = 'Feed 2'")
                #expect(try await scene.ask("SELECT state FROM alert WHERE kind = 'care'") == "cancelled")
                #expect(try await scene.ask("SELECT state FROM delivery") == "cancelled")
            }
        }
    }

    @Test func `what is undone is told again, to those alone who do not see it`() async throws {
        /// What the Gateway does after an undo.
        let isOpenAgain = "UPDATE reminder SET looked_at = now() - interval '30 minutes', next_at = now()"
        try await Scene.with { scene in
            try await scene.registeredBrowser(1)
            try await Reminding.add(1, scene)
            try await Reminding.connected(scene) { connection in
                #expect(try await Reminding.look(connection) == "1 1")
                // Undone before it was replaced, what is shown is true again.
                try await scene.database.sql("UPDATE delivery SET state = 'accepted', ended_at = now()")
                try await Reminding.act("done", scene)
                try await scene.database.sql("DELETE FROM reminder_act; \(isOpenAgain)")
                #expect(try await Reminding.look(connection) == "0 0")
                // It is replaced by who did it, and undone.
                try await Reminding.act("done", scene)
                let now = try await connection.execute(ReadClock())[0]
                #expect(try await connection.execute(ReplaceCare(now: now)).first??.sent == 1)
                try await scene.database.sql(
                    """
                    DELETE FROM reminder_act; \(isOpenAgain);
                    UPDATE reminder_telling SET told_at = now() - interval '2 minutes'
                    """)
                #expect(try await Reminding.look(connection) == "1 1")
                // Called back on its way nobody saw it.
                try await Reminding.act("done", scene)
                try await scene.database.sql(
                    """
                    DELETE FROM reminder_act; \(isOpenAgain);
                    UPDATE reminder_telling SET told_at = now() - interval '2 minutes'
                    """)
                #expect(try await Reminding.look(connection) == "1 1")
            }
        }
    }

    @Test func `what is undone early leaves open what it had settled`() async throws {
        try await Scene.with { scene in
            try await scene.registeredBrowser(1)
            try await Reminding.add(1, scene)
            try await Reminding.connected(scene) { connection in
                #expect(try await Reminding.look(connection) == "1 1")
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
            try await Reminding.add(1, scene)
            try await scene.database.sql("UPDATE ownership SET unlinked_at = now()")
            try await Reminding.connected(scene) { connection in
                let turn = try await Reminding.look(connection)
                #expect(turn == "0 0")
            }
            #expect(try await scene.ask("SELECT ended_at IS NOT NULL AND next_at IS NULL FROM reminder") == "t")
        }
    }
}
