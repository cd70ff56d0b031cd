import Foundation
import Postgres
import Store
import TestSupport
import Testing

/// What a summary says, from the roll-ups and the alerts of its time; a person's own, found by indexes, and bounded.
@Suite struct SummaryContentTests {
    private static let people = """
        SET session_replication_role = replica;
        INSERT INTO account (email, password_hash) SELECT 'a' || n || '@example.org', 'scrypt$' FROM generate_series(1, 2000) n;
        INSERT INTO device (slot, hardware_id, claim_code_hash)
            SELECT n % 64, 'tank-' || n, sha256(n::text::bytea) FROM generate_series(1, 4000) n;
        INSERT INTO ownership (slot, device_id, account_id, name, linked_at)
            SELECT slot, device_id, CASE WHEN device_id <= 20 THEN 1 ELSE device_id / 2 END, 'Tank ' || device_id, now() - interval '90 days'
            FROM device;
        INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, maximum, colour, position)
            SELECT slot, device_id, account_id, p, 1, 'pH', CASE WHEN p < 2 THEN 84 END, 'red', p FROM ownership, generate_series(0, 5) p;
        INSERT INTO sample_hour (slot, device_id, starts_at, ph_sum, ph_min, ph_max, ph_count)
            SELECT slot, device_id, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', 7, 7 + h, 8 + h, 1
            FROM device, generate_series(1, 4) h WHERE device_id <> 7;
        INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, closed_at,
                closed_because, alert_id)
            SELECT slot, device_id, 1, account_id, device_id * 10 + e, 'range', 'low', now(), now(),
                CASE WHEN e > 0 OR device_id <> 3 THEN now() END, CASE WHEN e > 0 OR device_id <> 3 THEN 'recovered' END, device_id * 10 + e
            FROM ownership, generate_series(0, 2) e WHERE device_id % 3 = 0;
        INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side, value, opened_at,
                event_time, decided_at, state)
            SELECT slot, device_id, 1, account_id, episode_id * 10 + r, episode_id, 'range', CASE r WHEN 0 THEN 'alarm' ELSE 'reminder' END,
                'low', 6, now(), now(), now() - interval '1 hour', 'delivered'
            FROM episode, generate_series(0, 1) r;
        RESET session_replication_role;
        ANALYZE;
        """
    private static let span = "now() - interval '1 day', now() + interval '1 second'"

    private func lines(_ fixture: SchemaFixture, of person: Int, _ span: String = span) async throws -> [[String: Any]]
    {
        try await fixture.database.sql("SELECT * FROM summarize(\(person), \(span))").split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func `all tanks are counted, and those that need a look come first`() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(Self.people)
            let lines = try await lines(fixture, of: 1)
            #expect(lines.count == 13, "twelve are named")
            let counts = lines[0].compactMapValues { $0 as? Int }
            #expect(
                counts == ["tanks": 20, "alarms": 18, "alarmed": 6, "open": 1, "troubled": 1, "silent": 1],
                "a reminder is no alarm: \(counts)")
            let names = lines.dropFirst().compactMap { $0["name"] as? String }
            #expect(names.prefix(2) == ["Tank 3", "Tank 7"], "what goes on, then what is silent: \(names)")
            #expect(Set(names[2...6]) == ["Tank 6", "Tank 9", "Tank 12", "Tank 15", "Tank 18"])
            let troubles = try #require(lines[1]["troubles"] as? [[String: Any]])
            #expect(troubles.count == 1 && troubles[0]["alarms"] as? Int == 3 && troubles[0]["goesOn"] as? Bool == true)
            #expect(lines[2]["isSilent"] as? Bool == true && (lines[2]["ranges"] as? [Any])?.isEmpty == true)
            let ranges = try #require(lines[1]["ranges"] as? [[String: Any]])
            #expect(ranges.count == 1, "what is measured and has a limit")
            #expect(ranges[0]["least"] as? Double == 8 && ranges[0]["most"] as? Double == 12)
        }
    }

    @Test func `it is of its time, and of the readings that are the person's`() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(Self.people)
            let before = try await lines(fixture, of: 1, "now() - interval '9 days', now() - interval '8 days'")
            #expect(before[0]["alarms"] as? Int == 0 && before[0]["silent"] as? Int == 20)
            #expect(before[0]["open"] as? Int == 1, "what goes on does so now")
            try await fixture.database.sql(
                "UPDATE ownership SET readings_from = date_trunc('hour', now(), 'UTC') - interval '2 hours' WHERE device_id = 3"
            )
            let ranges = try #require(try await lines(fixture, of: 1)[1]["ranges"] as? [[String: Any]])
            #expect(ranges[0]["least"] as? Double == 8 && ranges[0]["most"] as? Double == 10)
            try await fixture.database.sql("UPDATE ownership SET unlinked_at = now() WHERE account_id = 1")
            #expect(try await lines(fixture, of: 1).isEmpty, "without a tank there is nothing to say")
        }
    }

    /// Quiet hours, a snooze, and a person who has had too many hold an alert back, and the water is no better for it.
    @Test func `what is open is told though no alert was sent of it`() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(Self.people)
            try await fixture.database.sql("UPDATE episode SET alert_id = NULL WHERE closed_at IS NULL")
            let lines = try await lines(fixture, of: 1)
            #expect(lines[0]["open"] as? Int == 1 && lines[0]["troubled"] as? Int == 1)
            #expect(lines[1]["name"] as? String == "Tank 3")
        }
    }

    @Test func `an alarm of the evening that is told in the morning is of the day before`() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(Self.people)
            try await fixture.database.sql(
                """
                UPDATE alert SET opened_at = date_trunc('day', now(), 'UTC') - interval '1 hour', purpose = 'past', decided_at = now()
                WHERE account_id = 1 AND purpose = 'alarm'
                """)
            let today = "date_trunc('day', now(), 'UTC')"
            let yesterday = "\(today) - interval '1 day', \(today)"
            #expect(try await lines(fixture, of: 1, yesterday)[0]["alarms"] as? Int == 18)
            #expect(try await lines(fixture, of: 1, "\(today), \(today) + interval '1 day'")[0]["alarms"] as? Int == 0)
        }
    }

    @Test func `it is found by indexes, however many people there are`() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(Self.people)
            let body = try await fixture.database.sql("SELECT prosrc FROM pg_proc WHERE proname = 'summarize'")
            let plan = try await fixture.database.sql(
                """
                PREPARE hot (bigint, timestamptz, timestamptz) AS \(body);
                SET plan_cache_mode = force_generic_plan;
                EXPLAIN EXECUTE hot (1, \(Self.span));
                """)
            for table in ["ownership", "alert", "episode", "setting"] {
                #expect(!plan.contains("Seq Scan on \(table)"), "\(plan)")
            }
            #expect(plan.contains("alert_of_account") && plan.contains("_pkey on sample_hour_"), "\(plan)")
            // By the tank: a condition on the person alone would go over all that is open.
            let lines = plan.split(separator: "\n")
            let place = try #require(lines.firstIndex { $0.contains("episode_one_open") }, "\(plan)")
            #expect(lines[place + 1].contains("slot = "), "\(plan)")
        }
    }

    @Test func `what is stored of it is bounded`() async throws {
        try await SchemaFixture.with { fixture in
            try await fixture.database.sql(
                "INSERT INTO account (email, password_hash) VALUES ('a@example.org', 'scrypt$')")
            func store(_ kind: String, _ length: Int, lines: Int = 1) async throws -> Bool {
                do {
                    try await fixture.database.sql(
                        """
                        INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time, state, about)
                        SELECT 1, account_id, nextval('alert_id'), '\(kind)', 'note', now(), now(), 'delivered',
                            array_fill(repeat('x', \(length)), ARRAY[\(lines)]) FROM account
                        """)
                    return true
                } catch let error as TestSupportError {
                    guard error.description.contains("alert_about") else { throw error }
                    return false
                }
            }
            #expect(try await store("summary", 3000, lines: 13))
            #expect(try await !store("summary", 3100, lines: 13))
            #expect(try await !store("summary", 1, lines: 14))
            #expect(try await store("signIn", 600))
            #expect(try await !store("signIn", 601))
        }
    }
}
