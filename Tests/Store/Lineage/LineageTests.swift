import Foundation
import Postgres
import Store
import TestSupport
import Testing

/// A schema that was built step by step, up to version 46, and one that is built at once are the same.
@Suite(.timeLimit(.minutes(5))) struct LineageTests {
    /// A database at schema 46.
    static func with46(
        _ body: @Sendable (TestDatabase, PostgresConnection) async throws -> Void
    ) async throws {
        let file = Paths.repository.appending(path: "Tests/Store/Lineage/schema-46.sql")
        let dump = try String(contentsOf: file, encoding: .utf8)
        try await TestCluster.shared.database.withDatabase { database in
            let owner = try await SchemaFixture.connect(database, .owner)
            try await owner.executeScript(dump)
            try await body(database, owner)
            await owner.close()
        }
    }

    private static func differences(_ one: [String: String], _ other: [String: String]) -> [String] {
        Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
    }

    @Test func bothWaysLeadToTheSameSchema() async throws {
        try await Self.with46 { _, owner in
            #expect(try await Schema.migrator().state(on: owner) == .behind(next: 47))
            let outcome = try await Schema.migrator().migrate(on: owner)
            #expect(outcome.migrations.map(\.number) == Schema.migrations.map(\.number))
            #expect(outcome.scripts == Schema.scripts.map(\.name))
            let takenOver = try await owner.describeSchema()
            try await SchemaFixture.with { fixture in
                let built = try await fixture.owner.describeSchema()
                #expect(built.count > 1_500)
                for object in Self.differences(built, takenOver) {
                    Issue.record(
                        "\(object) is \(built[object] ?? "missing") when built, \(takenOver[object] ?? "missing") when taken over"
                    )
                }
            }
        }
    }

    /// Changes of a schema, each with the objects that a comparison has to name.
    private static let changes: [(change: String, objects: [String])] = [
        ("DROP INDEX alert_uid", ["relation alert_uid"]),
        ("ALTER TABLE setting DROP CONSTRAINT setting_limits_cross", ["constraint setting.setting_limits_cross"]),
        ("ALTER TABLE device ALTER rules_version DROP DEFAULT", ["column device.rules_version"]),
        ("ALTER TABLE alert ALTER kind DROP NOT NULL", ["column alert.kind"]),
        ("ALTER TABLE alert SET (fillfactor = 90)", ["relation alert"]),
        ("ALTER TABLE throttle REPLICA IDENTITY DEFAULT", ["relation throttle"]),
        ("ALTER TABLE alert DISABLE ROW LEVEL SECURITY", ["relation alert"]),
        ("DROP POLICY person ON alert", ["policy alert.person"]),
        ("ALTER POLICY services ON alert TO aqua_rules", ["policy alert.services"]),
        ("GRANT SELECT ON alert TO aqua_ingestor", ["right on alert"]),
        ("GRANT UPDATE (ended) ON alert TO aqua_notifier", ["right on alert(ended)"]),
        ("GRANT EXECUTE ON FUNCTION end_holders() TO PUBLIC", ["right on end_holders()"]),
        ("GRANT USAGE ON SEQUENCE alert_id TO aqua_gateway", ["right on alert_id"]),
        ("ALTER SEQUENCE alert_id CYCLE", ["sequence alert_id"]),
        ("ALTER TABLE account ENABLE TRIGGER account_changes_rules", ["trigger account.account_changes_rules"]),
        ("ALTER FUNCTION end_holders() SECURITY INVOKER", ["function end_holders()"]),
        (
            "ALTER TABLE notifier DROP COLUMN missing_since, ADD COLUMN missing_since timestamptz, ADD COLUMN more boolean",
            ["column notifier.more"]
        ),
        ("CREATE VIEW more AS SELECT 1 AS one", ["column more.one", "relation more", "right on more"]),
        ("DELETE FROM growth_bound WHERE held = 'slot'", ["row growth_bound slot"]),
    ]

    @Test func aComparisonSeesEachKindOfDifference() async throws {
        try await SchemaFixture.with { fixture in
            let built = try await fixture.owner.describeSchema()
            for (change, objects) in Self.changes {
                struct Undone: Error {}
                do {
                    try await fixture.owner.transaction { transaction in
                        try transaction.executeScript(change)
                        let changed = Dictionary(
                            uniqueKeysWithValues: try transaction.execute(DescribeSchema()).map {
                                ($0.object, $0.definition)
                            })
                        #expect(Self.differences(built, changed) == objects, "\(change)")
                        throw Undone()
                    }
                } catch is Undone {}
            }
        }
    }

    /// As an upgrade does with scripts whose text has changed: in their order, over all that stands.
    @Test func scriptsThatAreAppliedAgainChangeNothing() async throws {
        try await SchemaFixture.with { fixture in
            let built = try await fixture.owner.describeSchema()
            try await fixture.owner.transaction { transaction in
                for script in Schema.scripts { try transaction.executeScript(script.sql) }
            }
            #expect(Self.differences(built, try await fixture.owner.describeSchema()) == [])
        }
    }

    private static let rows = """
        INSERT INTO account (email, password_hash, locale) VALUES ('kim@example.org', 'scrypt$test', 'ja');
        INSERT INTO device (slot, hardware_id, claim_code_hash) VALUES (7, 'old-tank', sha256('old'));
        INSERT INTO ownership (slot, device_id, account_id, name) SELECT slot, device_id, account_id, 'Old tank' FROM device, account;
        INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, minimum, maximum, colour, position)
        SELECT slot, device_id, account_id, 0, 1, 'F', 120, 240, 'red', 3 FROM ownership;
        INSERT INTO setting (slot, device_id, account_id, parameter, version, unit, colour, position)
        SELECT slot, device_id, account_id, n, 1, 'ppm', 'red', n FROM ownership, generate_series(1, 16) AS n;
        INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature, filled_more)
        SELECT slot, 0, device_id, now() - n * interval '30 seconds', now(), 24, n FROM device, generate_series(1, 100) AS n;
        INSERT INTO sample_hour (slot, device_id, starts_at, ph_sum, ph_count)
        SELECT slot, device_id, date_trunc('hour', now(), 'UTC'), 7, 1 FROM device;
        INSERT INTO episode (slot, parameter, device_id, account_id, episode_id, kind, side, opened_at, last_at)
        SELECT slot, 0, device_id, account_id, nextval('episode_id'), 'range', 'high', now(), now() FROM ownership;
        INSERT INTO alert (slot, parameter, device_id, account_id, alert_id, episode_id, kind, purpose, side, opened_at, event_time)
        SELECT slot, 0, device_id, account_id, nextval('alert_id'), episode_id, 'range', 'alarm', 'high', now(), now() FROM episode;
        INSERT INTO evaluation_batch (slot, messages, received_at, readings) VALUES (7, 1, now(), 'one');
        """

    private static let kept = """
        SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM (
            SELECT (to_jsonb(account) - 'display_name' - 'password_until' - 'kind' - 'operates')::text FROM account UNION ALL
            SELECT (to_jsonb(device) - 'enrolled_for' - 'kind')::text FROM device UNION ALL
            SELECT (to_jsonb(ownership) - 'shows_on_device' - 'moves' - 'tank_id' - 'project_id' - 'may_act' - 'place_accuracy'
                - 'place_source')::text FROM ownership
            UNION ALL SELECT format('%s %s %s %s %s %s', parameter, version, unit, minimum, maximum, position) FROM setting
            WHERE parameter < 17
            UNION ALL SELECT format('%s %s %s', event_time, temperature, filled_more) FROM sample
            UNION ALL SELECT format('%s %s', starts_at, ph_sum) FROM sample_hour
            UNION ALL SELECT (to_jsonb(episode) - 'gathered' - 'still_at' - 'differs_by')::text FROM episode
            UNION ALL SELECT alert_id || state FROM alert
            UNION ALL SELECT evaluation_batch::text FROM evaluation_batch UNION ALL SELECT key::text FROM identity_key
            UNION ALL SELECT number || name FROM schema_migration WHERE number <= 46
        ) AS t
        """

    /// Nobody's rows change, but that who has a device has a setting of each parameter, and no engine reads its rules again.
    @Test func aDatabaseWithRowsIsTakenOverAsItStands() async throws {
        try await Self.with46 { database, owner in
            try await owner.executeScript(Self.rows)
            let before = try await database.sql(Self.kept)
            let rules = "SELECT string_agg(rules_version::text, ' ') FROM device"
            let version = try await database.sql(rules)
            _ = try await Schema.migrator().migrate(on: owner)
            #expect(try await Schema.migrator().state(on: owner) == .upToDate)
            #expect(try await database.sql(Self.kept) == before)
            #expect(try await database.sql(rules) == version)
            let settings = try await database.sql(
                "SELECT count(*), count(minimum), min(position), max(position) FROM setting WHERE valid_until IS NULL")
            let last = SchemaFixture.defaults.count - 1
            #expect(settings == "\(last + 1)|1|1|\(last)")
            #expect(try await Schema.migrator().migrate(on: owner).isEmpty)
        }
    }

    @Test func onlyASchemaThatIsKnownIsTakenOver() async throws {
        try await Self.with46 { database, owner in
            for (change, state) in [
                ("DELETE FROM schema_migration WHERE number = 46", MigrationState.tooOld(version: 45, takenOver: 46)),
                ("DELETE FROM schema_migration WHERE number = 12", .gap(missing: 12)),
                ("UPDATE schema_migration SET checksum = sha256('') WHERE number = 46", .changed(number: 46)),
            ] {
                try await database.sql("CREATE TABLE steps AS TABLE schema_migration; \(change)")
                #expect(try await Schema.migrator().state(on: owner) == state)
                await #expect(throws: PostgresError.self) { try await Schema.migrator().migrate(on: owner) }
                try await database.sql(
                    "TRUNCATE schema_migration; INSERT INTO schema_migration TABLE steps; DROP TABLE steps")
            }
            // The first step had another text once, with which roles were made.
            try await database.sql(
                """
                UPDATE schema_migration SET checksum = '\\xc87caae17c9d3ed0b5e5c62d28868fb326c00916169b8c6ff5cdecb453fc864c'
                WHERE number = 1
                """)
            #expect(try await Schema.migrator().state(on: owner) == .behind(next: 47))
        }
    }

    @Test func aNewInstallationJudgesEverything() async throws {
        try await SchemaFixture.with { fixture in
            let since = try await fixture.database.sql("SELECT DISTINCT judged_since FROM rollup_progress")
            #expect(since == "-infinity")
        }
    }
}
