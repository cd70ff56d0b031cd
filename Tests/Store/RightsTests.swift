import Instants
import Postgres
import Store
import TestSupport
import Testing

@testable import Ingestor

/// The rights that each service has, and those that it lacks.
@Suite struct RightsTests {
    @Test(arguments: ServiceStatements.all.map(\.role)) func aServiceMayDoItsWork(
        _ role: TestDatabase.Role
    ) async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, role)
            try await Schema.require(on: connection)
            for statement in ServiceStatements.all.first(where: { $0.role == role })?.statements ?? [] {
                do {
                    try await connection.perform(statement)
                } catch {
                    let told = String(reflecting: error)
                    // The function itself refuses whoever is no operator, or another person, and so may be called.
                    if ["no operator is named", "another person is named"].contains(where: told.contains) { continue }
                    Issue.record("\(type(of: statement)): \(told)")
                }
            }
            for statement in ServiceStatements.composed(role) {
                await #expect(throws: Never.self, "\(type(of: statement))") {
                    try await connection.transaction { try $0.run(statement) }
                }
            }
            if role == .ingestor { try await connection.copy(into: CopySamples.self, rows: CopyBuffer()) }
            await connection.close()
        }
    }

    private static let forbidden: [(role: TestDatabase.Role, statements: [String])] = [
        (
            .ingestor,
            [
                "SELECT password_hash FROM account", "SELECT email FROM account",
                "SELECT claim_code_hash FROM device", "SELECT key_generation FROM device", "DELETE FROM sample",
                "UPDATE sample SET event_time = now()", "TRUNCATE sample", "UPDATE alert SET state = 'cancelled'",
                "SELECT FROM alert", "SELECT FROM evaluation_batch", "DELETE FROM evaluation_batch",
                "SELECT target FROM endpoint", "UPDATE device SET slot = 1", "SELECT rules_changed(0::smallint, 1)",
                "UPDATE device SET key_hash = NULL",
                "DELETE FROM sample_hour", "DELETE FROM sample_day", "TRUNCATE rollup_due",
                "UPDATE rollup_due SET slot = 1",
                "UPDATE rollup_progress SET hours_since = now()", "DELETE FROM rollup_progress", "DELETE FROM episode",
                "DELETE FROM alert", "SELECT FROM transition", "SELECT tune_sample_partition('sample')",
                "UPDATE quality_due SET since = now()", "SELECT name FROM ownership",
                "SELECT colour FROM setting", "UPDATE setting SET minimum = NULL", "DELETE FROM time_outside",
                "SELECT may_be_forgotten(now(), now())", "DROP TABLE sample_hour",
                "ALTER TABLE sample_day ADD mine integer", "UPDATE clock_watch SET trusted_at = now()",
                "SELECT note_clock_at(now())", "SELECT believe_clock(now())", "UPDATE retention SET keep = '9 days'",
                "UPDATE temperature_probe SET probe_id = 'A'", "DELETE FROM temperature_probe",
                "SELECT FROM reported_probe", "DELETE FROM reported_probe",
                "SELECT FROM device_life", "INSERT INTO device_life_day DEFAULT VALUES",
                "DELETE FROM device_life_change", "SELECT FROM person_life",
                "SELECT choose_probe(1::smallint, 1, 'AA01')",
                "SELECT FROM person_probe", "SELECT FROM person_clock", "SELECT FROM device_reject",
                "DELETE FROM device_reject", "SELECT FROM audit_entry", "DELETE FROM audit_entry",
                "SELECT FROM track", "UPDATE track SET latitude = 0", "DELETE FROM track", "SELECT FROM person_track",
                "UPDATE ownership SET moves = true", "SELECT forget_track(1::smallint, 1, 1)",
                "UPDATE station SET address = '01646500'", "INSERT INTO station DEFAULT VALUES", "DELETE FROM station",
                "SELECT let_station_go('site-1')", "INSERT INTO station_host VALUES ('a')", "SELECT note FROM approval",
                "UPDATE approval SET withdrawn_at = now()",
            ]
        ),
        (
            .rules,
            [
                "SELECT target FROM endpoint", "SELECT sealed_secret FROM endpoint", "SELECT email FROM account",
                "SELECT password_hash FROM account", "SELECT latitude FROM ownership", "SELECT hardware_id FROM device",
                "SELECT key_hash FROM device",
                "UPDATE sample SET ph = 7", "INSERT INTO evaluation_batch DEFAULT VALUES",
                "UPDATE setting SET minimum = NULL", "DELETE FROM episode", "SELECT endpoint_id FROM delivery",
                "UPDATE snooze SET ended_at = now()", "DELETE FROM snooze",
                "UPDATE clock_watch SET trusted_at = now()", "SELECT note_clock_at(now())",
                "SELECT session_id FROM ingest_seat",
                "UPDATE temperature_probe SET probe_id = 'A'", "DELETE FROM reported_probe",
                "SELECT version FROM device_life", "SELECT FROM device_life_change",
                "UPDATE device_life SET battery = 1",
                "SELECT note_device_lives('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')",
                "SELECT nextval('evaluation_batch_batch_id_seq')", "TRUNCATE device_clock",
            ]
        ),
        (
            .notifier,
            [
                "INSERT INTO sample DEFAULT VALUES", "SELECT FROM sample", "SELECT FROM sample_hour",
                "SELECT FROM flat_line",
                "SELECT password_hash FROM account",
                "SELECT email FROM account", "SELECT claim_code_hash FROM device", "SELECT key_hash FROM device",
                "UPDATE alert SET value = 7",
                "UPDATE endpoint SET target = 'x'", "INSERT INTO endpoint DEFAULT VALUES", "DELETE FROM delivery",
                "SELECT FROM evaluation_batch", "SELECT worst FROM episode", "UPDATE episode SET closed_at = NULL",
                "UPDATE clock_watch SET trusted_at = now()", "SELECT latitude FROM ownership",
                "UPDATE endpoint SET retired_at = now()",
                "SELECT note_clock_at(now())", "SELECT session_id FROM ingest_seat", "SELECT FROM snooze",
            ]
        ),
        (
            .gateway,
            [
                "SELECT password_hash FROM account", "UPDATE account SET password_hash = 'scrypt$'",
                "UPDATE account SET email = 'b@example.org'", "DELETE FROM account", "SELECT FROM sample",
                "SELECT FROM sample_hour", "SELECT FROM sample_day", "SELECT FROM rollup_due",
                "SELECT FROM track", "INSERT INTO track DEFAULT VALUES", "DELETE FROM track",
                "SELECT delete_old_positions('9 days', 1)",
                "UPDATE station SET due_at = now()", "INSERT INTO station DEFAULT VALUES", "DELETE FROM station",
                "UPDATE station_host SET paused_until = now()",
                "SELECT claim_code_hash FROM device", "SELECT key_generation FROM device",
                "SELECT key_hash FROM device",
                "SELECT token_hash FROM personal_token", "UPDATE personal_token SET scope = 'write'",
                "SELECT FROM refresh_token", "SELECT FROM erasure", "SELECT erase_readings(1)",
                "SELECT FROM account_invitation", "INSERT INTO session DEFAULT VALUES",
                "UPDATE session SET ended_at = NULL", "DELETE FROM session", "INSERT INTO ownership DEFAULT VALUES",
                "UPDATE ownership SET unlinked_at = NULL", "UPDATE ownership SET readings_from = now()",
                "INSERT INTO endpoint DEFAULT VALUES", "UPDATE endpoint SET target = 'x'",
                "UPDATE endpoint SET paused_at = NULL", "UPDATE alert SET value = 7", "DELETE FROM alert",
                "INSERT INTO alert DEFAULT VALUES", "SELECT nextval('alert_id')",
                "INSERT INTO delivery DEFAULT VALUES", "SELECT FROM evaluation_batch", "SELECT FROM reject",
                "SELECT FROM device_reject", "SELECT delete_old_rejects(1)",
                "SELECT session_id FROM ingest_seat", "SELECT rules_changed(1::smallint, 1)",
                "SELECT end_sessions_of(1, '{}', 'signedOut')",
                "SELECT add_ownership(1::smallint, 1, 1, 'owner', 'x', '{}', '{}', '{}', '{}', '{}', '{}')",
                "SELECT end_ownerships(1::smallint, 1, '{1}')", "UPDATE slot SET state_version = 1",
                "SELECT note_clock()", "INSERT INTO vapid_key DEFAULT VALUES", "DELETE FROM vapid_key",
                "INSERT INTO app_channel DEFAULT VALUES", "DELETE FROM app_channel",
                "UPDATE endpoint SET fingerprint = ''", "UPDATE retention SET keep = '9 days'",
                "SELECT FROM temperature_probe", "SELECT FROM reported_probe",
                "SELECT note_reported_probes('{}', '{}', '{}', '{}', '{}')", "SELECT erase_reported_probes()",
                "SELECT FROM device_life", "SELECT FROM device_life_day", "SELECT FROM device_life_change",
                "SELECT note_device_lives('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')",
                "UPDATE snooze SET snoozed_until = now()", "SELECT FROM throttle",
                "SELECT FROM device_status", "SELECT FROM identity_key", "SELECT request FROM audit_entry",
                "UPDATE audit_entry SET subject = 'x'", "DELETE FROM audit_entry", "TRUNCATE audit_entry",
                "INSERT INTO audit_entry (action, actor) VALUES ('limit.change', 'account')",
                "SELECT FROM audit_entry_rest", "SELECT FROM refusal_count", "SELECT note_act(NULL, false)",
                "SELECT make_audit_partitions()", "SELECT seal_of('account 1 0')",
                "SELECT name_person(1)", "SELECT accounts_of('{}')", "SELECT end_holders()",
                "SELECT pg_advisory_lock(7133705)", "SELECT pg_try_advisory_lock(7133702, 0)",
                "SELECT pg_advisory_xact_lock_shared(7133701)",
                "SELECT FROM operation", "UPDATE operation SET provider_gives = true", "SELECT FROM operated_device",
                "SELECT operates FROM account", "UPDATE account SET operates = true",
                "UPDATE session SET operates_at = now()",
                "SELECT require_operator()", "SELECT is_of_accounts('x')",
                "SELECT FROM enrolment", "SELECT FROM enrolment_device", "DELETE FROM enrolment",
                "INSERT INTO enrolment DEFAULT VALUES", "UPDATE enrolment_device SET sealed = NULL",
                "SELECT allowed FROM enroller_state", "UPDATE enroller_state SET allowed = 'people'",
                "SELECT FROM enrolment_day", "SELECT take_enrolments(1)", "SELECT forget_enrolments(1)",
                "SELECT beat_enroller('people', 1, 'x', 1, true, NULL, NULL)", "SELECT standing_of('x', 1)",
                "SELECT FROM own_preset", "INSERT INTO own_preset DEFAULT VALUES", "DELETE FROM own_preset",
                "SELECT begin_with_preset(1::smallint, 1, 1, gen_random_uuid())",
                "SELECT FROM field_protocol", "INSERT INTO field_sample DEFAULT VALUES",
                "UPDATE field_sample SET version = 1", "DELETE FROM field_sample", "DELETE FROM field_sample_version",
                "UPDATE hand_test SET of_sample = false", "SELECT lock_field_sample(gen_random_uuid())",
                "SELECT FROM sample_sending", "SELECT FROM sample_reception", "SELECT FROM received_sample",
                "INSERT INTO sample_sending DEFAULT VALUES", "DELETE FROM sample_sending", "SELECT next_received(1)",
                "SELECT tell_receivers_it_went(NULL, true)",
                "SELECT keep_version_of_sample(NULL)", "SELECT forget_surveyor(1)",
                "SELECT set_values_of_sample(NULL, '{}', '{}', '{}', '{}', '{}', '{}', '{}')",
            ]
        ),
        (
            .enroller,
            [
                "SELECT FROM account", "SELECT FROM device", "SELECT FROM ownership", "SELECT FROM session",
                "SELECT FROM enrolment", "SELECT FROM enrolment_device", "SELECT FROM enroller_state",
                "UPDATE device SET key_hash = NULL", "INSERT INTO device DEFAULT VALUES", "SELECT FROM sample",
                "SELECT FROM endpoint", "SELECT FROM person_enrolment", "SELECT name_person(1)",
                "SELECT name_actor(1, 2)",
                "SELECT ask_enrolment('make', '', '', true, '{}', '{}', '{}', '{}')", "SELECT show_enrolment()",
                "SELECT look_at_ids('{x}')", "SELECT forget_enrolments(1)",
                "SELECT lock_enrolment(gen_random_uuid(), 1::smallint)",
                "SELECT settle_locked_enrolment(gen_random_uuid(), 1::smallint, 'known', NULL, NULL)",
                "SELECT current_account()", "SELECT pg_advisory_lock(7133705)", "SELECT FROM audit_entry",
            ]
        ),
    ]

    @Test(arguments: forbidden) func aServiceMayNotDoWhatIsNotItsWork(
        _ role: TestDatabase.Role, _ statements: [String]
    ) async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, role)
            for sql in statements { await expectForbidden(sql, connection) }
            await connection.close()
        }
    }

    private static let upkeep = [
        "SELECT make_sample_partitions(current_date, current_date)", "SELECT make_hour_partitions()",
        "SELECT drop_oldest_partition('sample', '900 days')", "SELECT delete_old_alerts('900 days', 1)",
        "SELECT FROM sample_day", "SELECT FROM rollup_due",
    ]

    @Test(arguments: [TestDatabase.Role.ingestor, .rules, .notifier, .gateway, .enroller])
    func noServiceChangesTheSchema(_ role: TestDatabase.Role) async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, role)
            for sql in [
                "CREATE TABLE mine ()", "CREATE SCHEMA mine", "DROP TABLE sample", "ALTER TABLE slot ADD mine integer",
                "CREATE FUNCTION mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'", "SET ROLE aqua_owner",
                "DELETE FROM schema_migration", "INSERT INTO slot VALUES (64)",
            ] + (role == .ingestor ? [] : Self.upkeep) {
                await expectForbidden(sql, connection)
            }
            await connection.close()
        }
    }

    private static let beyondTheDatabase = [
        "CREATE ROLE mine", "ALTER ROLE aqua_rules SUPERUSER", "ALTER ROLE postgres SET jit = on",
        "GRANT pg_execute_server_program TO aqua_owner", "GRANT pg_read_server_files TO CURRENT_USER",
        "COPY schema_migration TO PROGRAM 'true'", "COPY schema_migration FROM PROGRAM 'true'",
        "COPY schema_migration TO '/tmp/mine'", "CREATE DATABASE mine",
        "SELECT lo_creat(-1)", "SELECT lo_from_bytea(0, 'x')", "SELECT lo_put(1, 0, 'x')",
        "SELECT lo_import('/etc/passwd')",
        "ALTER SYSTEM SET fsync = off",
    ]

    /// The password of the migrating role gives access to the database, but not to the server.
    @Test(arguments: [TestDatabase.Role.owner, .ingestor, .rules, .notifier, .gateway, .enroller])
    func nobodyReachesBeyondTheDatabase(_ role: TestDatabase.Role) async throws {
        try await SchemaFixture.with { fixture in
            let connection = try await SchemaFixture.connect(fixture.database, role)
            for sql in Self.beyondTheDatabase + (role == .owner ? [] : ["CREATE TEMPORARY TABLE mine ()"]) {
                await expectForbidden(sql, connection)
            }
            await connection.close()
        }
    }

    /// Earlier grants do not matter: the database may have been created by hand or by an earlier version.
    @Test func migratingClosesTheDatabaseToEverybodyElse() async throws {
        try await TestCluster.shared.database.withDatabase { database in
            try await database.sql("GRANT ALL ON DATABASE \(database.name) TO PUBLIC")
            try await SchemaFixture.migrate(database)
            let granted = try await database.sql(
                """
                SELECT string_agg(grantee::regrole || ' ' || privilege_type, ', ' ORDER BY grantee::regrole::text)
                FROM pg_database, aclexplode(datacl) WHERE datname = current_database() AND grantee <> datdba
                """)
            #expect(
                granted
                    == "aqua_enroller CONNECT, aqua_gateway CONNECT, aqua_ingestor CONNECT, aqua_notifier CONNECT, aqua_rules CONNECT"
            )
        }
    }

    /// A service that uses all its connections leaves some to the others.
    @Test func noServiceTakesAllConnections() async throws {
        let limits = try await TestCluster.shared.database.maintenance.sql(
            """
            SELECT min(rolconnlimit) >= 10 AND sum(rolconnlimit) + 20 <= current_setting('max_connections')::integer
            FROM pg_roles WHERE rolname IN ('aqua_ingestor', 'aqua_rules', 'aqua_notifier', 'aqua_gateway', 'aqua_enroller')
            """)
        #expect(limits == "t")
    }

    /// The Ingestor cannot shorten the configured retention, or make partitions of days that nobody needs.
    @Test func whatTheOwnerConfiguredBindsTheIngestor() async throws {
        try await SchemaFixture.with { fixture in
            let ingestor = try await SchemaFixture.connect(fixture.database, .ingestor)
            try await fixture.database.sql("SELECT make_sample_partitions(current_date - 80, current_date - 80)")
            let drop = DropOldestPartition(of: .samples, keep: .seconds(8 * 86_400))
            #expect(try await ingestor.execute(drop) == [nil], "90 days are kept")
            try await fixture.owner.perform(SetRetention([.samples: .seconds(60 * 86_400)]))
            #expect(try await ingestor.execute(drop).compactMap(\.self).count == 1)
            for days in [
                "current_date, current_date + 5", "current_date - 62, current_date", "'2000-01-01', '2000-01-01'",
            ] {
                let error = await #expect(throws: PostgresError.self, "\(days)") {
                    try await ingestor.executeScript("SELECT make_sample_partitions(\(days))")
                }
                #expect(error?.sqlState == "P0001", "\(days)")
            }
            await ingestor.close()
        }
    }

    private func expectForbidden(_ sql: String, _ connection: PostgresConnection) async {
        let error = await #expect(throws: PostgresError.self, "\(sql)") { try await connection.executeScript(sql) }
        #expect(error?.code == .insufficientPrivilege, "\(sql): \(error?.message ?? "")")
    }
}
