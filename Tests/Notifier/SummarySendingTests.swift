import Foundation
import Messaging
import Notifier
import ServiceKit
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// Summaries of a person's water, each sent once.
@Suite struct SummarySendingTests {
    private static let summaries = "SELECT count(*) FROM alert WHERE kind = 'summary'"

    @Test func `a summary comes once, however many notifiers look, in the person's words`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.chooseSummary()
            try await scene.notifying(Scene.regularSettings) {
                try await scene.notifying(Scene.regularSettings) {
                    try await scene.await("1", "\(Self.summaries) AND state = 'delivered'")
                    // Both have looked again, and found nothing.
                    try await scene.await("t", "SELECT due = 0 FROM send_summaries(10)")
                    try await scene.await("t", "SELECT due = 0 FROM send_summaries(10)")
                }
            }
            #expect(try await scene.ask(Self.summaries) == "1")
            let told = try scene.toldData()
            #expect(told.count == 1 && told[0]["kind"] as? String == "summary" && told[0]["device"] == nil)
            #expect((told[0]["text"] as? String)?.contains("Koi: ") == true)
            #expect(told[0]["collapse_key"] as? String == "summary")
            #expect(
                try await scene.ask(
                    "SELECT told_on = (now() AT TIME ZONE 'Europe/Madrid')::date OR told_on < due_on FROM summary_choice"
                ) == "t")
            #expect(try await scene.ask("SELECT next_at > now() AND due_on > told_on FROM summary_choice") == "t")
        }
    }

    /// The same statement in two sessions at one moment: whoever comes second finds the lock taken.
    @Test func `two sessions at one moment send one`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.chooseSummary()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await scene.database.sql("SELECT * FROM send_summaries(10)", as: .notifier) }
                }
                try await group.waitForAll()
            }
            #expect(try await scene.ask(Self.summaries) == "1")
        }
    }

    @Test func `it goes to all ways but calls and what takes only what is urgent`() async throws {
        try await Scene.with { scene in
            for number in Int64(1)...4 { try await scene.endpoint(number) }
            try await scene.database.sql(
                """
                UPDATE endpoint SET channel = 'ntfy', only_urgent = true WHERE endpoint_id = 2;
                UPDATE endpoint SET channel = 'call' WHERE endpoint_id = 3;
                UPDATE endpoint SET paused_at = now() WHERE endpoint_id = 4
                """)
            try await scene.chooseSummary()
            #expect(try await scene.ask("SELECT sent FROM send_summaries(10)") == "1")
            #expect(try await scene.ask("SELECT string_agg(endpoint_id::text, ',') FROM delivery") == "1")
        }
    }

    @Test func `it waits for the end of quiet hours, and comes when there are none any more`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.chooseSummary()
            try await scene.beginNight()
            // The night that was set moved it already; where it did not, the look does.
            for _ in 0..<2 {
                #expect(try await scene.ask("SELECT coalesce(sent, 0) FROM send_summaries(10)") == "0")
                #expect(
                    try await scene.ask(
                        "SELECT next_at = until FROM summary_choice JOIN current_quiet_hours USING (account_id)")
                        == "t")
                try await scene.database.sql("UPDATE summary_choice SET next_at = now()")
            }
            try await scene.database.sql("DELETE FROM quiet_hours")
            #expect(try await scene.ask("SELECT sent FROM send_summaries(10)") == "1")
        }
    }

    @Test func `where nothing but what is urgent is told it comes there, and by no call`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.endpoint(2)
            try await scene.database.sql(
                """
                UPDATE endpoint SET channel = 'sms', only_urgent = true WHERE endpoint_id = 1;
                UPDATE endpoint SET channel = 'call', only_urgent = true WHERE endpoint_id = 2
                """)
            let asked = "SELECT add_summary(\(scene.account), 'daily', gen_random_uuid())"
            #expect(try await scene.ask(asked) == "added")
            #expect(try await scene.ask("SELECT string_agg(endpoint_id::text, ',') FROM delivery") == "1")
            try await scene.database.sql("UPDATE endpoint SET paused_at = now() WHERE endpoint_id = 1")
            #expect(try await scene.ask(asked) == "nowhere")
        }
    }

    /// The digest says first what quiet hours held back.
    @Test(arguments: [
        "INSERT INTO gathering (account_id, began_at, reason, until_at) SELECT account_id, now(), 'quietHours', now() FROM account",
        """
        INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, gathered)
        SELECT slot, device_id, 0, account_id, 1, 'range', 'high', now(), now(), true FROM ownership
        """,
    ])
    func `it waits for the digest of what was held back, for an hour at most`(held: String) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.chooseSummary()
            try await scene.database.sql(held)
            let look = "SELECT due || ' ' || sent FROM send_summaries(10)"
            #expect(try await scene.ask(look) == "0 0")
            try await scene.database.sql("UPDATE summary_choice SET next_at = now() - interval '61 minutes'")
            #expect(try await scene.ask(look) == "1 1")
        }
    }

    /// Where it is another day, one after the other would be due.
    @Test func `other zones and times bring none within twenty hours, and twenty in a day are the most`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.chooseSummary()
            let look = "SELECT sent FROM send_summaries(10)"
            #expect(try await scene.ask(look) == "1")
            for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Pacific/Kiritimati"] {
                try await scene.database.sql("UPDATE account SET time_zone = '\(zone)'")
                #expect(
                    try await scene.ask("SELECT next_at >= told_at + interval '20 hours' FROM summary_choice") == "t",
                    "\(zone)")
                // Whatever is planned, the look itself holds to it.
                try await scene.database.sql("UPDATE summary_choice SET next_at = now(), told_on = NULL")
                #expect(try await scene.ask(look) == "0", "\(zone)")
            }
            try await scene.database.sql(
                "UPDATE summary_choice SET next_at = now(), told_at = now() - interval '20 hours'")
            #expect(try await scene.ask(look) == "1")
            let outcomes = try await scene.ask(
                """
                SELECT string_agg(DISTINCT add_summary(\(scene.account), 'daily', gen_random_uuid()), ',')
                FROM generate_series(3, 20)
                """)
            #expect(outcomes == "added")
            #expect(try await scene.ask(Self.summaries) == "20")
            try await scene.database.sql(
                "UPDATE summary_choice SET next_at = now(), told_at = now() - interval '20 hours'")
            #expect(try await scene.ask(look) == "0")
            #expect(try await scene.ask("SELECT next_at > now() FROM summary_choice") == "t", "the next is planned")
        }
    }

    @Test(arguments: [("5 hours 59 minutes", "1"), ("6 hours 1 minute", "0")])
    func `one that is more than six hours late is left out`(ago: String, sent: String) async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.chooseSummary(due: ago)
            #expect(try await scene.ask("SELECT due || ' ' || sent FROM send_summaries(10)") == "1 \(sent)")
            #expect(try await scene.ask("SELECT next_at > now() FROM summary_choice") == "t", "the next is planned")
            #expect(try await scene.ask("SELECT told_on IS NOT NULL FROM summary_choice") == (sent == "1" ? "t" : "f"))
        }
    }

    @Test func `a doubted clock sends nothing`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.chooseSummary(proofs: "all")
            try await scene.database.sql("UPDATE clock_watch SET trusted_at = now() - interval '1 year'")
            #expect(try await scene.ask("SELECT due IS NULL FROM send_summaries(10)") == "t")
            #expect(try await scene.ask("SELECT due IS NULL FROM send_proofs(10)") == "t")
        }
    }

    @Test func `no more than asked for are made in one transaction`() async throws {
        try await Scene.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO account (email, password_hash) SELECT 'b' || n || '@example.com', 'scrypt$' FROM generate_series(1, 5) n
                """)
            try await scene.chooseSummary()
            let turns = try await scene.ask(
                "SELECT string_agg(t.due::text, ',') FROM (VALUES (4), (4), (4)) v (most) CROSS JOIN LATERAL send_summaries(most) t"
            )
            #expect(turns == "4,2,0")
        }
    }

    @Test func `a mail says it as a table`() async throws {
        try await Scene.with { scene in
            try await scene.mailbox(1)
            try await scene.database.sql(
                """
                INSERT INTO sample_hour (slot, device_id, starts_at, temperature_sum, temperature_min, temperature_max, temperature_count)
                SELECT slot, device_id, date_trunc('hour', (date_trunc('day', now() AT TIME ZONE 'Europe/Madrid') - interval '5 hours')
                    AT TIME ZONE 'Europe/Madrid', 'UTC'), 20, 20, 23, 1 FROM device
                """)
            try await scene.chooseSummary()
            let mails = try await TestMailServer.with { server in
                try await scene.notifying(
                    Scene.regularSettings, origin: PublicOrigin("https://water.example.org"), mail: server.settings
                ) {
                    try await server.mails(1)
                }
            }
            // In the person's language and unit.
            #expect(mails[0].text.contains("Acuario  Medición"), "\(mails[0].text)")
            #expect(mails[0].text.contains("68,0 °F") && mails[0].text.contains("73,4 °F"), "\(mails[0].text)")
        }
    }
}
