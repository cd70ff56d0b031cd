import Foundation
import Messaging
import Notifier
import ServiceKit
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// Notes by which ways show that they still work.
@Suite struct ProofTests {
    private static let proofs = "SELECT count(*) FROM alert WHERE kind = 'proof'"

    @Test func `a way that was silent for a week gets a note, and the next a week later`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.chooseSummary(rhythm: "weekly", proofs: "all")
            try await scene.database.sql("UPDATE summary_choice SET next_at = now() + interval '1 day'")
            try await scene.makeProofsDue()
            try await scene.notifying(Scene.regularSettings) {
                try await scene.await("1", "\(Self.proofs) AND state = 'delivered'")
            }
            #expect(try scene.toldData().first?["kind"] as? String == "proof")
            try await scene.makeProofsDue()
            #expect(
                try await scene.ask("SELECT due || ' ' || sent FROM send_proofs(10)") == "1 0", "it took one just now")
            #expect(
                try await scene.ask(
                    "SELECT proof_due_at = next_proof(endpoint_id, now()) OR proof_due_at > now() FROM endpoint") == "t"
            )
            try await scene.database.sql(
                "UPDATE alert SET decided_at = decided_at - interval '7 days'; UPDATE delivery SET ended_at = ended_at - interval '7 days'"
            )
            try await scene.makeProofsDue()
            #expect(try await scene.ask("SELECT sent FROM send_proofs(10)") == "1")
        }
    }

    @Test(arguments: [
        ("none", ""), ("push", "5"), ("all", "1,5"),
    ])
    func `only ways that the person chose, and none that costs or wakes`(proofs: String, told: String) async throws {
        try await Scene.with { scene in
            for number in Int64(1)...4 { try await scene.endpoint(number) }
            try await scene.registeredBrowser(5)
            try await scene.database.sql(
                """
                UPDATE endpoint SET channel = 'ntfy', only_urgent = true WHERE endpoint_id = 2;
                UPDATE endpoint SET channel = 'sms' WHERE endpoint_id = 3;
                UPDATE endpoint SET paused_at = now() WHERE endpoint_id = 4
                """)
            if proofs != "push" {  // the standard needs no row
                try await scene.chooseSummary(rhythm: "weekly", proofs: proofs)
            }
            try await scene.makeProofsDue()
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
            try await scene.makeProofsDue()
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
            try await scene.registeredBrowser(1)
            try await scene.beginNight()
            try await scene.makeProofsDue()
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
            try await scene.registeredBrowser(1)
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
            try await scene.registeredBrowser(1)
            for later in ["7 days", "7 days", "1 day"] {
                try await scene.makeProofsDue()
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
