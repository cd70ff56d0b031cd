import Foundation
import Messaging
import Notifier
import ServiceKit
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// What people are told regularly: summaries, and the notes by which ways show that they work.
@Suite struct RegularTests {
    /// Settings with a look four times a second.
    private static var settings: NotifierSettings {
        var settings = Scene.settings
        settings.lookForRegular = .milliseconds(250)
        settings.lookAtWays = .milliseconds(250)
        return settings
    }

    /// Has a summary chosen that came due so long ago, of today.
    private static func choose(
        _ scene: Scene, due ago: String = "1 minute", rhythm: String = "daily", proofs: String = "none"
    ) async throws {
        try await scene.database.sql(
            """
            INSERT INTO summary_choice (account_id, rhythm, weekday, at_time, proofs, due_on, next_at)
            SELECT account_id, '\(rhythm)', 1, date_trunc('minute', (now() - interval '\(ago)') AT TIME ZONE time_zone)::time,
                '\(proofs)', ((now() - interval '\(ago)') AT TIME ZONE time_zone)::date, now() - interval '\(ago)'
            FROM account
            """)
    }

    private static func night(_ scene: Scene) async throws {
        try await scene.database.sql(
            """
            INSERT INTO quiet_hours (account_id, begins_at, ends_at, days, silence_rings)
            SELECT account_id, date_trunc('minute', now() AT TIME ZONE time_zone - interval '1 hour')::time,
                date_trunc('minute', now() AT TIME ZONE time_zone + interval '2 hours')::time, 127, false FROM account
            """)
    }

    private static func data(_ scene: Scene) throws -> [[String: Any]] {
        try scene.sink.received.compactMap { request in
            let message = try #require(JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
            return message["data"] as? [String: Any]
        }
    }

    private static let summaries = "SELECT count(*) FROM alert WHERE kind = 'summary'"
    private static let proofs = "SELECT count(*) FROM alert WHERE kind = 'proof'"

    @Test func `a summary comes once, however many notifiers look, in the person's words`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await Self.choose(scene)
            try await scene.notifying(Self.settings) {
                try await scene.notifying(Self.settings) {
                    try await scene.await("1", "\(Self.summaries) AND state = 'delivered'")
                    // Both have looked again, and found nothing.
                    try await scene.await("t", "SELECT due = 0 FROM send_summaries(10)")
                    try await scene.await("t", "SELECT due = 0 FROM send_summaries(10)")
                }
            }
            #expect(try await scene.ask(Self.summaries) == "1")
            let told = try Self.data(scene)
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
            try await Self.choose(scene)
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
            try await Self.choose(scene)
            #expect(try await scene.ask("SELECT sent FROM send_summaries(10)") == "1")
            #expect(try await scene.ask("SELECT string_agg(endpoint_id::text, ',') FROM delivery") == "1")
        }
    }

    @Test func `it waits for the end of quiet hours, and comes when there are none any more`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await Self.choose(scene)
            try await Self.night(scene)
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
            try await Self.choose(scene)
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
            try await Self.choose(scene)
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
            try await Self.choose(scene, due: ago)
            #expect(try await scene.ask("SELECT due || ' ' || sent FROM send_summaries(10)") == "1 \(sent)")
            #expect(try await scene.ask("SELECT next_at > now() FROM summary_choice") == "t", "the next is planned")
            #expect(try await scene.ask("SELECT told_on IS NOT NULL FROM summary_choice") == (sent == "1" ? "t" : "f"))
        }
    }

    @Test func `a doubted clock sends nothing`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await Self.choose(scene, proofs: "all")
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
            try await Self.choose(scene)
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
            try await Self.choose(scene)
            let mails = try await TestMailServer.with { server in
                try await scene.notifying(
                    Self.settings, origin: PublicOrigin("https://water.example.org"), mail: server.settings
                ) {
                    try await server.mails(1)
                }
            }
            // In the person's language and unit.
            #expect(mails[0].text.contains("Acuario  Medición"), "\(mails[0].text)")
            #expect(mails[0].text.contains("68,0 °F") && mails[0].text.contains("73,4 °F"), "\(mails[0].text)")
        }
    }

    // MARK: Notes by which ways show that they work

    /// Makes the turn of all endpoints come.
    private static func comesDue(_ scene: Scene) async throws {
        try await scene.database.sql("UPDATE endpoint SET proof_due_at = now()")
    }

    @Test func `a way that was silent for a week gets a note, and the next a week later`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await Self.choose(scene, rhythm: "weekly", proofs: "all")
            try await scene.database.sql("UPDATE summary_choice SET next_at = now() + interval '1 day'")
            try await Self.comesDue(scene)
            try await scene.notifying(Self.settings) {
                try await scene.await("1", "\(Self.proofs) AND state = 'delivered'")
            }
            #expect(try Self.data(scene).first?["kind"] as? String == "proof")
            try await Self.comesDue(scene)
            #expect(
                try await scene.ask("SELECT due || ' ' || sent FROM send_proofs(10)") == "1 0", "it took one just now")
            #expect(
                try await scene.ask(
                    "SELECT proof_due_at = next_proof(endpoint_id, now()) OR proof_due_at > now() FROM endpoint") == "t"
            )
            try await scene.database.sql(
                "UPDATE alert SET decided_at = decided_at - interval '7 days'; UPDATE delivery SET ended_at = ended_at - interval '7 days'"
            )
            try await Self.comesDue(scene)
            #expect(try await scene.ask("SELECT sent FROM send_proofs(10)") == "1")
        }
    }

    @Test(arguments: [
        ("none", ""), ("push", "5"), ("all", "1,5"),
    ])
    func `only ways that the person chose, and none that costs or wakes`(proofs: String, told: String) async throws {
        try await Scene.with { scene in
            for number in Int64(1)...4 { try await scene.endpoint(number) }
            try await scene.browser(5)
            try await scene.database.sql(
                """
                UPDATE endpoint SET channel = 'ntfy', only_urgent = true WHERE endpoint_id = 2;
                UPDATE endpoint SET channel = 'sms' WHERE endpoint_id = 3;
                UPDATE endpoint SET paused_at = now() WHERE endpoint_id = 4
                """)
            if proofs != "push" {  // the standard needs no row
                try await Self.choose(scene, rhythm: "weekly", proofs: proofs)
            }
            try await Self.comesDue(scene)
            #expect(try await scene.ask("SELECT due FROM send_proofs(10)") == "5")
            #expect(
                try await scene.ask(
                    "SELECT string_agg(d.endpoint_id::text, ',' ORDER BY d.endpoint_id) FROM delivery d JOIN alert a USING (slot, alert_id) WHERE a.kind = 'proof'"
                )
                    == told)
        }
    }

    @Test func `a person's ways are judged once, however many of them are looked at`() async throws {
        try await Scene.with { scene in
            for number in Int64(1)...4 { try await scene.endpoint(number) }
            try await Self.comesDue(scene)
            try await scene.database.sql(
                """
                CREATE SEQUENCE looks; GRANT USAGE ON SEQUENCE looks TO PUBLIC;
                CREATE OR REPLACE FUNCTION ways_of(
                    person bigint, OUT endpoint_id bigint, OUT reaches text, OUT unconfirmed_since timestamptz
                ) RETURNS SETOF record
                LANGUAGE plpgsql VOLATILE AS $$ BEGIN PERFORM nextval('looks'); END $$
                """)
            #expect(try await scene.ask("SELECT due FROM send_proofs(10)") == "4")
            #expect(try await scene.ask("SELECT last_value || ' ' || is_called FROM looks") == "1 true")
        }
    }

    @Test func `not in quiet hours`() async throws {
        try await Scene.with { scene in
            try await scene.browser(1)
            try await Self.night(scene)
            try await Self.comesDue(scene)
            #expect(try await scene.ask("SELECT due || ' ' || sent FROM send_proofs(10)") == "1 0")
            #expect(
                try await scene.ask(
                    "SELECT proof_due_at = until FROM endpoint JOIN current_quiet_hours USING (account_id)") == "t")
        }
    }

    @Test func `a phone that leaves two unconfirmed is told of by the other ways, until it confirms again`()
        async throws
    {
        try await Scene.with { scene in
            try await scene.browser(1)
            try await scene.endpoint(2)
            // Its push service takes everything all the same.
            let taken = "UPDATE delivery SET state = 'accepted', ended_at = now() WHERE state = 'pending'"
            func look(later: String = "0") async throws -> String {
                try await scene.database.sql(
                    """
                    \(taken);
                    UPDATE delivery d SET ended_at = ended_at - interval '\(later)'
                    FROM alert a WHERE a.slot = d.slot AND a.alert_id = d.alert_id AND a.kind = 'proof';
                    UPDATE alert SET decided_at = decided_at - interval '\(later)' WHERE kind = 'proof'
                    """)
                try await scene.database.sql("UPDATE endpoint SET proof_due_at = now() WHERE endpoint_id = 1")
                return try await scene.ask("SELECT sent FROM send_proofs(10)")
            }
            try await scene.database.sql(
                "UPDATE endpoint SET heard_at = now() - interval '20 days' WHERE endpoint_id = 1")
            #expect(try await look() == "1")
            #expect(try await look(later: "7 days") == "1")
            #expect(
                try await scene.ask(
                    "SELECT proof_due_at BETWEEN now() AND now() + interval '1 day' FROM endpoint WHERE endpoint_id = 1"
                )
                    == "t", "looked at once more soon")
            #expect(try await look(later: "1 day") == "0")
            #expect(try await scene.ask("SELECT is_mute AND since IS NOT NULL FROM failed_way") == "t")
            #expect(try await scene.ask("SELECT failed || ' ' || unreachable FROM tell_failed_ways()") == "1 0")
            #expect(try await scene.ask("SELECT about[3] FROM alert WHERE kind = 'way'") == "unconfirmed")
            #expect(
                try await scene.ask(
                    "SELECT d.endpoint_id FROM delivery d JOIN alert a USING (slot, alert_id) WHERE a.kind = 'way'")
                    == "2")
            // What its push service takes does not make it well again.
            #expect(try await scene.ask("SELECT failed FROM tell_failed_ways()") == "1")
            let arrived = try await scene.ask(
                """
                UPDATE alert SET decided_at = now() WHERE alert_id = (SELECT max(alert_id) FROM alert WHERE kind = 'proof');
                SELECT note_arrival(receipt_token(slot, alert_id, uid, 1)) FROM alert WHERE kind = 'proof' ORDER BY alert_id DESC LIMIT 1
                """)
            #expect(arrived == "t")
            #expect(try await scene.ask("SELECT failed FROM tell_failed_ways()") == "0")
            #expect(try await scene.ask("SELECT since IS NULL AND NOT is_mute FROM failed_way") == "t")
        }
    }

    @Test func `a browser that never says when messages arrive is not taken for one that stopped`() async throws {
        try await Scene.with { scene in
            try await scene.browser(1)
            for later in ["7 days", "7 days", "1 day"] {
                try await Self.comesDue(scene)
                _ = try await scene.ask("SELECT sent FROM send_proofs(10)")
                try await scene.database.sql(
                    """
                    UPDATE delivery SET state = 'accepted', ended_at = now() WHERE state = 'pending';
                    UPDATE delivery SET ended_at = ended_at - interval '\(later)';
                    UPDATE alert SET decided_at = decided_at - interval '\(later)'
                    """)
            }
            #expect(try await scene.ask("SELECT count(*) FROM failed_way") == "0")
            #expect(try await scene.ask("SELECT count(*) > 1 FROM alert WHERE kind = 'proof'") == "t")
        }
    }
}

extension Scene {
    /// A browser that has a subscription, as the Gateway registers one.
    fileprivate func browser(_ number: Int64) async throws {
        try await endpoint(number)
        try await database.sql(
            """
            UPDATE endpoint SET channel = 'webPush', client_id = gen_random_uuid(), fingerprint = sha256('\(number)'),
                vapid_key_id = '0123456789abcdef', confirmed_at = now(), created_at = now() - interval '90 days'
            WHERE endpoint_id = \(number)
            """)
    }
}
