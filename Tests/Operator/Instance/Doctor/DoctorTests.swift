import BrokerControl
import Foundation
import Instants
import MQTT
import Store
import TestSupport
import Testing

@testable import Operator

/// Every fault is planted into a real instance. The test servers do not wait for the disk, which the doctor reports
/// each time.
@Suite struct DoctorTests {
    private static let disk = ["fsync", "full_page_writes", "synchronous_commit"].map {
        "\($0) is off: a crash of the server loses readings that devices were told are safe"
    }

    @Test func aSoundInstanceHasNothingWrongButTheDisk() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.succeed(
                instance.aqua("endpoint", "add", Instance.person, "--webhook", "https://example.org/"))
            let examination = try await instance.examine()
            #expect(examination.wrong.sorted() == Self.disk)
            #expect(examination.code == 1)
            for statement in [
                "the schema has version \(Schema.version)", "aqua_ingestor may do what it needs and no more",
                "samples have their partitions from 8 days back to 3 ahead", "it refuses clients without a name",
                "it has an account for each of the 1 devices", "everybody who owns a device has an endpoint",
            ] {
                #expect(examination.report.contains(statement))
            }
        }
    }

    @Test func itSpeaksToPeopleToo() async throws {
        try await Instance.with { instance in
            let run = await instance.aqua("doctor")
            #expect(run.output.contains("wrong    database: fsync is off"))
            #expect(run.output.contains("         -> As a superuser run: ALTER SYSTEM SET fsync = on;"))
            #expect(run.output.hasSuffix("3 things are wrong.\n"))
        }
    }

    @Test(arguments: [
        ("GRANT SELECT ON account TO aqua_notifier", "aqua_notifier can read password hashes"),
        (
            "GRANT SELECT (email) ON account TO aqua_rules",
            "aqua_rules may SELECT on account(email), which it does not need"
        ),
        ("GRANT DELETE ON sample TO aqua_ingestor", "aqua_ingestor may DELETE on sample, which it does not need"),
        ("GRANT CREATE ON SCHEMA public TO aqua_rules", "aqua_rules can create tables and functions"),
        ("GRANT SELECT ON reject TO PUBLIC", "everybody may SELECT on reject"),
        ("REVOKE UPDATE ON slot FROM aqua_rules", "aqua_rules lacks UPDATE on slot"),
        ("REVOKE USAGE ON SEQUENCE alert_id FROM aqua_rules", "aqua_rules lacks USAGE on alert_id"),
        (
            "REVOKE EXECUTE ON FUNCTION make_sample_partitions FROM aqua_ingestor",
            "aqua_ingestor lacks EXECUTE on make_sample_partitions"
        ),
        (
            "REVOKE SELECT (hardware_id) ON device FROM aqua_notifier",
            "aqua_notifier lacks SELECT on device(hardware_id)"
        ),
    ])
    func rightsThatAreTooManyOrTooFew(_ fault: String, _ finding: String) async throws {
        try await Instance.with { instance in
            try await instance.database.sql(fault, as: .owner)
            let examination = try await instance.examine()
            #expect(examination.wrong.contains(finding))
            // The suggested commands fix it.
            let mends = examination.findings.filter { $0.topic == "roles" && $0.status == "wrong" }.compactMap(\.mend)
            for mend in mends {
                guard let statements = mend.firstRange(of: "Run in psql: ") else { continue }
                try await instance.database.sql(String(mend[statements.upperBound...]))
            }
            #expect(try await instance.examine().wrong.filter { !Self.disk.contains($0) } == [])
        }
    }

    /// Roles belong to the whole cluster.
    @Test func rolesThatAreMoreThanTheyShould() async throws {
        try await TestCluster.with { cluster in
            try await Instance.with(cluster) { instance in
                try await instance.database.sql(
                    """
                    ALTER ROLE aqua_rules SUPERUSER; ALTER ROLE aqua_notifier NOLOGIN; GRANT aqua_owner TO aqua_ingestor;
                    ALTER ROLE aqua_ingestor SET synchronous_commit = off; ALTER ROLE aqua_owner CREATEROLE;
                    ALTER ROLE aqua_ingestor CONNECTION LIMIT -1;
                    GRANT TEMPORARY ON DATABASE \(instance.database.name) TO PUBLIC; GRANT EXECUTE ON FUNCTION lo_put TO PUBLIC;
                    GRANT EXECUTE ON FUNCTION pg_try_advisory_lock(bigint) TO PUBLIC; REVOKE aqua_gateway FROM aqua_owner;
                    """)
                let wrong = try await instance.examine().wrong
                for finding in [
                    "aqua_rules is SUPERUSER, which no service needs", "aqua_notifier may not log in",
                    "aqua_ingestor is a member of aqua_owner and has its rights",
                    "aqua_ingestor can read password hashes",
                    "durability is switched off for aqua_ingestor: synchronous_commit=off",
                    "aqua_owner, who owns the database, is CREATEROLE: that reaches beyond it",
                    "aqua_ingestor may take all connections of the server", "everybody may TEMPORARY on the database",
                    "everybody may make large objects, without a bound",
                    "everybody may take the advisory locks by which services take turns, and stop them",
                    "engines cannot end transactions of aqua_gateway that hold everybody's alarms up",
                ] {
                    #expect(wrong.contains(finding))
                }
                try await instance.database.sql("ALTER ROLE aqua_notifier RENAME TO somebody")
                #expect(try await instance.examine().wrong.contains("the role aqua_notifier does not exist"))
            }
        }
    }

    @Test func messagesThatTheDatabaseRefused() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.database.sql(
                """
                INSERT INTO reject (position, reject_number, received_at, topic, reason, detail, payload)
                SELECT n, n, now() - age, 'aqua/v1/pond-1/readings', reason, 'PostgreSQL: error [P0001]', ''
                FROM (VALUES (1, interval '1 hour', 'refused'), (2, '2 hours', 'refused'), (3, '2 days', 'refused'), (4, '0', 'malformed'))
                    v (n, age, reason)
                """)
            let wrong = try await instance.examine().wrong
            #expect(
                wrong.contains(
                    "the database refused 2 messages of aqua/v1/pond-1/readings today: PostgreSQL: error [P0001]"))
        }
    }

    @Test func whatWaitsTooLong() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            try await instance.openEpisode()
            try await instance.database.sql(
                """
                INSERT INTO ingest_seat VALUES (0, true, now()), (1, false, now());
                INSERT INTO ingest_seat (seat, session_open, level_at, last_held_at)
                VALUES (2, true, now() - interval '3 minutes', now() + interval '1 hour');
                INSERT INTO evaluation_batch (slot, messages, received_at, readings) VALUES (3, 1, now() - interval '10 minutes', '');
                UPDATE alert SET decided_at = now() - interval '20 minutes' WHERE state = 'decided';
                UPDATE delivery SET next_attempt_at = now() - interval '5 minutes' WHERE state = 'pending';
                UPDATE endpoint SET retired_at = now(), retired_because = 'gone';
                """)
            let wrong = try await instance.examine().wrong
            #expect(
                wrong.contains("the broker session of seat 0 is open and no Ingestor sits there: messages wait in it"))
            // Plus the seconds that the machine took to get here.
            #expect(
                wrong.contains {
                    $0.contains("s the broker has not answered the Ingestor on seat 2, or has held messages back")
                })
            for (words, least) in [
                ("1 batches of readings wait for a decision, the oldest for", 600),
                ("1 alerts wait to be sent, the oldest for", 1_200),
                ("1 deliveries are pending, the oldest overdue by", 300),
            ] {
                let seconds = wrong.filter { $0.hasPrefix(words) }.compactMap { finding in
                    Int(finding.dropFirst(words.count + 1).prefix { $0.isNumber })
                }
                #expect(seconds.count == 1 && seconds.allSatisfy { $0 >= least }, "\(words): \(wrong)")
            }
            #expect(
                wrong.contains(
                    "1 people get no alerts, as the receivers of their endpoints are gone: ada@example.org")
            )
        }
    }

    /// Until the broker's first answer, the seat's row holds facts from before the Ingestor started.
    @Test func anIngestorThatHasOnlyJustStarted() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            // A seat that has caught up at the second look.
            try await instance.database.sql(
                """
                INSERT INTO ingest_seat (seat, session_open) VALUES (0, true);
                ALTER TABLE ingest_seat RENAME TO held_seat;
                CREATE SEQUENCE look;
                CREATE VIEW ingest_seat AS SELECT seat, session_open, now() AS last_held_at,
                    CASE nextval('look') WHEN 1 THEN now() - interval '3 minutes' ELSE now() END AS level_at FROM held_seat;
                GRANT USAGE ON SEQUENCE look TO PUBLIC;
                GRANT SELECT ON ingest_seat TO PUBLIC
                """)
            let report = try await instance.examine().report
            #expect(report.contains("the broker session of seat 0 is open") && !report.contains("has not answered"))
            #expect(try await instance.database.sql("SELECT last_value > 1 FROM look") == "t")
        }
    }

    @Test func aTimeZoneThatTheServerDoesNotKnow() async throws {
        try await Instance.with { instance in
            try await instance.addPeople(Instance.person)
            try await instance.database.sql(
                """
                ALTER TABLE account DISABLE TRIGGER account_time_zone;
                UPDATE account SET time_zone = 'Mars/Olympus'
                """)
            #expect(
                try await instance.examine().wrong.contains(
                    "people have time zones that the server does not know, and are told times in UTC: "
                        + "Mars/Olympus (1 people, such as ada@example.org)"))
        }
    }

    @Test func aSeatThatSomebodyHoldsIsFine() async throws {
        try await Instance.with { instance in
            try await instance.database.sql("INSERT INTO ingest_seat VALUES (7, true, now())")
            let holder = try ProcessUnderTest.start(
                "/usr/bin/psql",
                [
                    instance.database.url(.owner), "-qAt", "-c", "SELECT pg_advisory_lock(7133702, 7)", "-c",
                    "SELECT 'held'", "-c", "SELECT pg_sleep(600)",
                ],
                environment: ["PGPASSWORD": try instance.database.password(.owner)])
            try await holder.line { $0 == "held" }
            #expect(try await instance.examine().wrong.sorted() == Self.disk)
            await holder.stop()
        }
    }

    @Test func missingPartitionsAndMigrations() async throws {
        try await Instance.with { instance in
            let today = try await instance.database.sql("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD')")
            try await instance.database.sql("DROP TABLE sample_\(today)")
            let wrong = try await instance.examine().wrong
            #expect(
                wrong.contains {
                    $0.hasPrefix("samples of ") && $0.hasSuffix(" have no partition: their messages fail")
                })

            try await instance.database.sql(
                "DELETE FROM schema_migration WHERE number = (SELECT max(number) FROM schema_migration)")
            let behind = try await instance.examine()
            #expect(
                behind.wrong.contains(
                    "The database lacks migration \(Schema.version) and later ones: run `aqua migrate`."))
            #expect(behind.findings.contains { $0.topic == "roles" && $0.status == "skipped" })
        }
    }

    @Test func clocksThatDiffer() async throws {
        try await Instance.with { instance in
            let run = await instance.aqua("doctor", clock: .seconds(60))
            #expect(run.output.contains("s behind this machine's"))
            #expect(run.output.contains("Synchronize both with NTP"))
        }
    }

    @Test func devicesThatTheBrokerDoesNotKnow() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let device = instance.device
            try await instance.administer { try await $0.deleteClient(device) }
            let examination = try await instance.examine()
            #expect(examination.wrong.contains("device \(device) has no account there and cannot connect"))
            #expect(examination.findings.contains { $0.mend == "Run: aqua device add \(device)" })
        }
    }

    @Test func serversThatAreAway() async throws {
        try await Instance.with { instance in
            let port = Ports.free()
            let examination = try await instance.examine([
                "AQUA_DATABASE_URL": "postgresql://aqua_owner@127.0.0.1:\(port)/aqua",
                "AQUA_MQTT_URL": "mqtt://127.0.0.1:\(port)",
            ])
            #expect(examination.wrong.contains { $0.hasPrefix("The database cannot be reached:") })
            #expect(examination.wrong.contains("The broker cannot be reached"))
            #expect(
                examination.findings.contains { $0.finding == "its device accounts, for the devices could not be read" }
                    == false)
        }
    }

    @Test func wrongCredentials() async throws {
        try await Instance.with { instance in
            try Instance.write(Instance.randomKey(), to: instance.directory.appending(path: "guess"))
            let examination = try await instance.examine([
                "AQUA_DATABASE_PASSWORD_FILE": instance.file("guess"),
                "AQUA_MQTT_PASSWORD_FILE": instance.file("guess"),
            ])
            #expect(examination.wrong.contains { $0.contains("password authentication failed") })
            #expect(examination.wrong.contains { $0.hasPrefix("The broker ") })
            #expect(
                examination.wrong.contains(
                    "AQUA_DATABASE_PASSWORD_FILE and AQUA_MQTT_PASSWORD_FILE hold the same secret"))
        }
    }

    @Test func theConfigurationsFaults() async throws {
        try await Instance.with { instance in
            let directory = instance.directory
            try Instance.write(Instance.randomKey(), to: directory.appending(path: "open"), mode: 0o644)
            try Instance.write("short", to: directory.appending(path: "short"))
            try Instance.write(String(repeating: "0", count: 64), to: directory.appending(path: "zeros"))
            let one = try await instance.examine([
                "AQUA_DEVICE_KEY_FILE": instance.file("open"), "AQUA_SECRET_KEY_FILE": instance.file("short"),
                "AQUA_DATABASE_URL": nil, "AQUA_MQTT_URL": "http://broker", "AQUA_PUSH_ALLOW": "everything",
            ]).wrong
            #expect(
                one.contains {
                    $0.hasPrefix("AQUA_DEVICE_KEY_FILE names") && $0.contains("is open to other users (mode 0644)")
                })
            #expect(
                one.contains {
                    $0.hasPrefix("AQUA_SECRET_KEY_FILE names") && $0.contains("holds a weak secret of 5 bytes")
                })
            #expect(one.contains("AQUA_DATABASE_URL is not set"))
            #expect(one.contains { $0.hasPrefix("AQUA_MQTT_URL is") })
            #expect(one.contains { $0.hasPrefix("AQUA_PUSH_ALLOW is") })

            let two = try await instance.examine([
                "AQUA_DEVICE_KEY_FILE": instance.file("zeros"), "AQUA_SECRET_KEY_FILE": instance.file("missing"),
                "AQUA_DATBASE_URL": "postgresql://x",
            ]).wrong
            #expect(two.contains("the secret of AQUA_DEVICE_KEY_FILE repeats a few characters"))
            #expect(two.contains { $0.hasPrefix("AQUA_SECRET_KEY_FILE names") && $0.contains("cannot be read") })
            #expect(two.contains("AQUA_DATBASE_URL is unknown"))
        }
    }

    @Test func pushAllowIsShown() async throws {
        try await Instance.with { instance in
            let examination = try await instance.examine(["AQUA_PUSH_ALLOW": "127.0.0.1/32:9000"])
            #expect(examination.report.contains("AQUA_PUSH_ALLOW is 127.0.0.1/32:9000"))
        }
    }

    @Test func theCertificateIsRead() async throws {
        try await Instance.with { instance in
            let secure =
                ["AQUA_MQTT_URL": instance.broker.tlsURL, "AQUA_MQTT_CA_FILE": instance.broker.authorityFile]
                as [String: String?]
            #expect(try await instance.examine(secure).report.contains("its TLS certificate is valid for 824 days"))
            let distrusted = try await instance.examine(["AQUA_MQTT_URL": instance.broker.tlsURL])
            #expect(distrusted.wrong.contains("The TLS handshake with the broker failed"))
            #expect(distrusted.report.contains("its TLS certificate is valid for 824 days"))
        }
    }

    @Test(
        arguments: [
            (-1, "has expired"), (86_400 * 20, "expires in 20 days"), (86_400 * 22, "is valid for 22 days"),
        ] as [(Int64, String)])
    func certificatesThatExpire(_ left: Int64, _ verdict: String) {
        let now = Timestamp(unixSeconds: 1_800_000_000 as Int64)
        let finding = BrokerChecks.certificate.judge(now - .seconds(86_400 * 90)..<now + .seconds(left), now: now)
        #expect(finding.finding == "its TLS certificate \(verdict)")
        #expect((finding.status == .ok) == verdict.hasPrefix("is valid"))
    }
}

/// The output of `aqua doctor --json`.
struct Examination: Sendable {
    struct Line: Decodable, Sendable {
        var topic: String
        var status: String
        var finding: String
        var mend: String?
    }

    private struct Report: Decodable { var findings: [Line] }

    let code: Int32
    let report: String
    let findings: [Line]

    init(_ run: Run) throws {
        code = run.code
        report = run.output
        findings = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)).findings
    }

    var wrong: [String] { findings.filter { $0.status == "wrong" }.map(\.finding) }
}

extension Instance {
    /// - Returns: The doctor's findings; asked again if a busy machine kept it from finding them in time.
    func examine(_ changes: [String: String?] = [:]) async throws -> Examination {
        for _ in 0..<4 {
            let examination = try Examination(await aqua("doctor", "--json", changes: changes))
            if !examination.report.contains("did not answer in time") { return examination }
        }
        return try Examination(await aqua("doctor", "--json", changes: changes))
    }
}
