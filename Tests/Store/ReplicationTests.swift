import Foundation
import TestSupport
import Testing

/// A cell is split along its slots with PostgreSQL's logical replication and row filters, while services keep working.
@Suite struct ReplicationTests {
    private static let tables = """
        SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'slot'
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace ORDER BY 1
        """

    /// A table without such a key refuses UPDATE and DELETE once it is published with a row filter.
    @Test func everyRowOfASlotIsNamedByAKeyThatHasIt() async throws {
        try await SchemaFixture.with { fixture in
            let unnamed = try await fixture.database.sql(
                """
                SELECT c.oid::regclass FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'slot'
                WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND c.relreplident <> 'f'
                    AND NOT EXISTS (
                        SELECT FROM pg_index i WHERE i.indrelid = c.oid AND a.attnum = ANY (i.indkey)
                            AND CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident END)
                """)
            #expect(unnamed == "")
            let tables = try await fixture.database.sql(Self.tables).split(separator: "\n")
            #expect(tables.count >= 18)
        }
    }

    /// One round of all changes that services and people make in the tables that have a slot.
    private static func load(_ turn: Int) -> String {
        """
        DO $$
        DECLARE
            turn integer := \(turn);
        BEGIN
            INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT slot, 0, device_id, now(), now(), turn FROM device;
            UPDATE sample SET temperature = turn WHERE event_time > now() - interval '1 hour' AND device_id % 5 = turn % 5;
            INSERT INTO evaluation_batch (slot, messages, received_at, readings) SELECT slot, 1, now(), '\\x01' FROM slot;
            DELETE FROM evaluation_batch WHERE batch_id <= (SELECT max(batch_id) - 100 FROM evaluation_batch);
            UPDATE slot SET state_version = state_version + 1;
            INSERT INTO rollup_due SELECT slot, CASE WHEN turn % 2 = 0 THEN device_id END, date_trunc('hour', now()) FROM device;
            DELETE FROM rollup_due WHERE slot % 3 = turn % 3;
            INSERT INTO quality_due SELECT slot, device_id, date_trunc('day', now(), 'UTC') FROM device ON CONFLICT DO NOTHING;
            DELETE FROM quality_due WHERE slot % 3 = turn % 3;
            UPDATE rollup_progress SET hours_until = hours_until + interval '1 hour';
            INSERT INTO sample_hour (slot, device_id, starts_at, ph_sum, ph_count)
                SELECT slot, device_id, date_trunc('hour', now()), turn, 1 FROM device
                ON CONFLICT (slot, device_id, starts_at) DO UPDATE SET ph_sum = excluded.ph_sum;
            INSERT INTO sample_day (slot, device_id, starts_at, ph_sum, ph_count)
                SELECT slot, device_id, date_trunc('day', now()), turn, 1 FROM device
                ON CONFLICT (slot, device_id, starts_at) DO UPDATE SET ph_sum = excluded.ph_sum;
            INSERT INTO time_outside (slot, device_id, account_id, parameter, day, seconds)
                SELECT slot, device_id, account_id, 1, date_trunc('day', now(), 'UTC'), array_fill(turn::smallint, ARRAY[24])
                FROM ownership
                ON CONFLICT (slot, device_id, account_id, parameter, day) DO UPDATE SET seconds[3] = excluded.seconds[3];
            INSERT INTO device_status SELECT slot, device_id, turn % 2 = 0, now() FROM device
                ON CONFLICT (slot, device_id) DO UPDATE SET online = excluded.online;
            UPDATE ownership SET name = 'Pond ' || turn;
            UPDATE setting SET colour = CASE turn % 2 WHEN 0 THEN 'red' ELSE 'blue' END WHERE device_id % 7 = turn % 7;
            UPDATE account SET throttle_seconds = 600 + turn;
            UPDATE device SET key_generation = key_generation + 1;
            INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, closed_at,
                    closed_because)
                SELECT slot, device_id, 1, account_id, turn * 1000 + device_id, 'range', 'high', now(), now(), now(), 'recovered'
                FROM ownership;
            UPDATE episode SET worst = turn WHERE episode_id / 1000 > turn - 3;
            INSERT INTO transition (slot, episode_id, event_time, reason, notification)
                SELECT slot, episode_id, now(), 'opened', 'alerted' FROM episode WHERE episode_id / 1000 = turn;
            INSERT INTO alert (slot, device_id, parameter, account_id, alert_id, episode_id, kind, purpose, side, opened_at, event_time)
                SELECT slot, device_id, 1, account_id, episode_id, episode_id, 'range', 'alarm', 'high', now(), now()
                FROM episode WHERE episode_id / 1000 = turn;
            INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, expires_at)
                SELECT slot, account_id, alert_id, 1, now() FROM alert WHERE alert_id / 1000 = turn;
            UPDATE delivery SET state = 'accepted', ended_at = now() WHERE alert_id / 1000 = turn - 1;
            INSERT INTO delivery_attempt (slot, attempt, alert_id, endpoint_id, started_at, duration_us, outcome, detail)
                SELECT slot, 1, alert_id, endpoint_id, now(), 1, 'accepted', '' FROM delivery WHERE alert_id / 1000 = turn;
            UPDATE alert SET state = 'delivered' WHERE alert_id / 1000 = turn - 1;
            INSERT INTO throttle (slot, device_id, parameter, account_id, kind, charged_at, alert_id)
                SELECT slot, device_id, parameter, account_id, kind, now(), alert_id FROM alert WHERE alert_id / 1000 = turn
                ON CONFLICT (slot, device_id, parameter, account_id, kind) DO UPDATE
                    SET charged_at = excluded.charged_at, alert_id = excluded.alert_id;
            DELETE FROM throttle WHERE device_id % 4 = turn % 4;
            DELETE FROM delivery_attempt WHERE alert_id / 1000 < turn - 5;
            DELETE FROM delivery WHERE alert_id / 1000 < turn - 5;
            DELETE FROM alert WHERE alert_id / 1000 < turn - 5;
            DELETE FROM transition WHERE episode_id / 1000 < turn - 5;
            DELETE FROM episode WHERE episode_id / 1000 < turn - 5;
        END
        $$;
        """
    }

    private static let people = """
        INSERT INTO account (email, password_hash) SELECT 'a' || n || '@example.org', 'scrypt$test' FROM generate_series(1, 20) n;
        INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            SELECT 1, min(account_id), 'webhook', 'https://example.org/', '' FROM account;
        INSERT INTO device (slot, hardware_id, claim_code_hash)
            SELECT n % 64, 'tank-' || n, sha256(n::text::bytea) FROM generate_series(1, 192) n;
        INSERT INTO ownership (slot, device_id, account_id, name) SELECT slot, device_id, device_id % 20 + 1, 'Pond' FROM device;
        INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, maximum, colour, position)
            SELECT slot, device_id, account_id, 1, 1, 'pH', 90, 'red', 1 FROM ownership;
        """

    @Test func halfOfTheSlotsMoveUnderLoad() async throws {
        try await TestCluster.with { cluster in
            try await cluster.database.maintenance.sql("ALTER SYSTEM SET wal_level = logical")
            try await cluster.halt(.database)
            try await cluster.resume(.database)
            try await cluster.database.withDatabase(migrate: SchemaFixture.migrate) { old in
                try await cluster.database.withDatabase(migrate: SchemaFixture.migrate) { new in
                    try await Self.move(from: old, to: new)
                }
            }
        }
    }

    private static func move(from old: TestDatabase, to new: TestDatabase) async throws {
        try await old.sql(people)
        for turn in 1...3 { try await old.sql(load(turn)) }
        let tables = try await old.sql(tables).split(separator: "\n").map(String.init)
        let filtered = tables.map { "\($0) WHERE (slot >= 32)" } + ["account", "endpoint"]
        // The new cell deletes its own rows of the slots that move to it.
        try await new.sql(
            """
            DELETE FROM rollup_progress WHERE slot >= 32; DELETE FROM slot_rules WHERE slot >= 32;
            DELETE FROM slot WHERE slot >= 32
            """)
        try await old.sql(
            """
            CREATE PUBLICATION cell FOR TABLE \(filtered.joined(separator: ", ")) WITH (publish_via_partition_root = true);
            SELECT pg_create_logical_replication_slot('cell', 'pgoutput')
            """)
        let place = "host=\(old.server.socketDirectory) port=\(old.server.port) dbname=\(old.name)"
        try await new.sql(
            """
            CREATE SUBSCRIPTION cell CONNECTION '\(place) user=postgres password=\(try old.password(.superuser))'
                PUBLICATION cell WITH (create_slot = false, slot_name = 'cell')
            """)
        // Load continues until the tables have been copied, and for some rounds more.
        var turn = 4
        var turnsLeft = 5
        while turnsLeft > 0 {
            try await old.sql(load(turn))
            turn += 1
            guard turn < 500 else { throw TestSupportError("the tables are not copied") }
            let isCopied = try await new.sql("SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel") == "t"
            if isCopied { turnsLeft -= 1 }
        }
        let contents = contents(of: tables)
        let expected = try await old.sql(contents)
        try await awaitFact("equal tables") { try await new.sql(contents) == expected ? true : nil }
        #expect(expected.split(separator: "\n").count == tables.count + 2)
        #expect(
            try await new.sql("SELECT sum(apply_error_count + sync_error_count) FROM pg_stat_subscription_stats") == "0"
        )
        // Replicated changes fire the triggers in the new cell, even if `slot_rules` itself is not replicated.
        try await old.sql("ALTER PUBLICATION cell DROP TABLE slot_rules")
        try await new.sql("ALTER SUBSCRIPTION cell REFRESH PUBLICATION; UPDATE slot_rules SET version = 0")
        try await old.sql("UPDATE account SET throttle_seconds = 1234")
        try await awaitFact("versions that count on") {
            try await new.sql("SELECT min(version) > 0 FROM slot_rules WHERE slot >= 32") == "t" ? true : nil
        }
        try await new.sql(
            "ALTER SUBSCRIPTION cell DISABLE; ALTER SUBSCRIPTION cell SET (slot_name = NONE); DROP SUBSCRIPTION cell")
        try await awaitFact("the end of the replication") {
            try await old.sql("SELECT active FROM pg_replication_slots") == "f" ? true : nil
        }
        try await old.sql("SELECT pg_drop_replication_slot('cell')")
    }

    /// A digest of the rows of each table that move.
    private static func contents(of tables: [String]) -> String {
        (tables.map { ($0, "WHERE slot >= 32") } + [("account", ""), ("endpoint", "")]).map { table, filter in
            "SELECT '\(table)', count(*), md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM \(table) t \(filter)"
        }.joined(separator: " UNION ALL ") + " ORDER BY 1"
    }
}
