import Foundation
import Postgres
import Store
import TestSupport
import Testing

@testable import Operator

@Suite struct CommandLineTests {
    @Test(arguments: [
        ["migrate"], ["doctor"], ["pending"], ["account", "add"], ["device", "add"], ["device", "link"],
        ["device", "unlink"],
        ["device", "list"],
        ["certificate", "authority"], ["device", "certificate", "issue"], ["device", "certificate", "revoke"],
        ["device", "certificate", "list"],
        ["range", "set"], ["endpoint", "add"], ["endpoint", "test"], ["alerts"], ["canary", "create"],
    ])
    func everyVerbHasHelpWithAnExample(_ verb: [String]) async {
        await expectHelp(for: verb, json: true)
    }

    /// What they print has one form: a log, or a table for a file.
    @Test(arguments: [["canary", "run"], ["enroller", "run"], ["device", "import"]])
    func verbsWithOneFormHaveHelpWithAnExample(_ verb: [String]) async {
        await expectHelp(for: verb, json: false)
    }

    private func expectHelp(for verb: [String], json hasJSON: Bool) async {
        let run = await runAqua(verb + ["--help"])
        #expect(run.code == 0)
        #expect(run.output.contains("Example:"))
        #expect(run.output.contains("aqua \(verb.joined(separator: " "))"))
        #expect(run.output.contains("--json") == hasJSON)
    }

    @Test(arguments: [["no-such-verb"], ["account", "add"], ["doctor", "--nonsense"]])
    func commandLinesThatAreNone(_ arguments: [String]) async {
        let run = await runAqua(arguments)
        #expect(run.code == 64)
        #expect(run.errors.contains("Usage: aqua"))
        #expect(run.output.isEmpty)
    }

    /// The rehearsal is a program of its own, which production does without.
    @Test(arguments: ["demo", "listen", "simulate", "replay"]) func nothingIsRehearsedWithIt(_ verb: String) async {
        let run = await runAqua([verb])
        #expect(run.code == 64 && run.errors.contains("Unexpected argument '\(verb)'"))
    }

    @Test func theProgramItselfReadsThePasswordAndSaysWhatIsMissing() async throws {
        try await Instance.with { instance in
            let added = try ProcessUnderTest.start(
                "aqua", ["account", "add", Instance.person], environment: instance.environment,
                input: "\(Instance.password)\nrest\n")
            #expect(await added.end == .exit(0))
            let lost = try ProcessUnderTest.start("aqua", ["device", "list"])
            #expect(await lost.end == .exit(1))
            #expect(lost.errors.tail().contains("AQUA_DATABASE_URL is not set: set it to a libpq URL"))
        }
    }
}

@Suite struct MigrateTests {
    @Test func itSaysWhatItDidAndThenThatNothingIsLeft() async throws {
        try await TestCluster.shared.database.withDatabase { database in
            try await Paths.withTemporaryDirectory { directory in
                let instance = Instance(
                    database: database, broker: try await TestCluster.shared.broker, directory: directory)
                let early = await instance.aqua("device", "list")
                #expect(early.code == 1)
                #expect(early.errors.contains("run `aqua migrate`"))
                let first = await instance.aqua("migrate")
                #expect(first.output.hasPrefix("Applied 47 baseline\n"))
                #expect(first.output.hasSuffix("The schema has version \(Schema.version).\n"))
                #expect(
                    await instance.aqua("migrate").output
                        == "Nothing to do: the schema has version \(Schema.version) already.\n")
                #expect(try await instance.aqua("migrate", "--json").field("version") == "\(Schema.version)")

                try await database.sql("UPDATE schema_migration SET checksum = sha256('') WHERE number = 47")
                let changed = await instance.aqua("migrate")
                #expect(changed.code == 1)
                #expect(changed.errors.contains("Migration 47 was changed after it had been applied"))
            }
        }
    }

    @Test func itAppliesFunctionsThatHaveChanged() async throws {
        try await TestCluster.shared.database.withDatabase { database in
            let broker = try await TestCluster.shared.broker
            let instance = Instance(database: database, broker: broker, directory: .temporaryDirectory)
            try await instance.succeed(instance.aqua("migrate"))
            try await database.sql("UPDATE schema_script SET checksum = sha256('') WHERE name IN ('live', 'clock')")
            #expect(
                await instance.aqua("migrate", "--dry-run").output
                    == "Would apply the functions that have changed: clock, live\n")
            #expect(
                await instance.aqua("migrate").output == "Applied the functions that have changed: clock, live\n")
            #expect(
                await instance.aqua("migrate").output
                    == "Nothing to do: the schema has version \(Schema.version) already.\n")
        }
    }

    @Test func itSaysWhatItWouldDo() async throws {
        try await TestCluster.shared.database.withDatabase { database in
            let broker = try await TestCluster.shared.broker
            let instance = Instance(database: database, broker: broker, directory: .temporaryDirectory)
            let version = Schema.version
            let empty = await instance.aqua("migrate", "--dry-run").output
            #expect(empty.hasPrefix("Would apply 47 baseline\n") && empty.hasSuffix("The database is empty.\n"))
            #expect(try await database.sql("SELECT to_regclass('schema_migration') IS NULL") == "t")
            // A database at schema 46, as far as the plan looks.
            let dump = try String(
                contentsOf: Paths.repository.appending(path: "Tests/Store/Lineage/schema-46.sql"), encoding: .utf8)
            let owner = try await PostgresConnection.connect(
                PostgresConfiguration(
                    url: database.url(.owner), password: database.password(.owner), applicationName: "test"))
            try await owner.executeScript(dump)
            let plan = await instance.aqua("migrate", "--dry-run").output
            #expect(plan.hasPrefix("Would apply 47 baseline\n"))
            #expect(plan.contains("There is no way back from schema \(version) to 46 but a backup"))
            #expect(plan.hasSuffix("No backup is known: run deploy/backup first.\n"))
            #expect(plan.contains("Stop the services of the former version first"))
            #expect(try await database.sql("SELECT max(number) FROM schema_migration") == "46")
            try await instance.succeed(instance.aqua("migrate"))
            #expect(
                await instance.aqua("migrate", "--dry-run").output
                    == "Nothing to do: the schema has version \(version) already.\n")
            await owner.close()
        }
    }

    /// The migrating role cannot create roles: a superuser has created them before.
    @Test func rolesThatAreMissingAreTold() async throws {
        try await TestCluster.with { cluster in
            try await cluster.database.withDatabase { database in
                // Default privileges for later databases name the role, too.
                try await database.sql(
                    """
                    DROP OWNED BY aqua_rules;
                    \\connect template1
                    DROP OWNED BY aqua_rules;
                    DROP ROLE aqua_rules;
                    """)
                let instance = Instance(database: database, broker: cluster.broker, directory: .temporaryDirectory)
                let run = await instance.aqua("migrate")
                #expect(run.code == 1)
                #expect(run.errors.contains("as a superuser run: CREATE ROLE aqua_rules LOGIN;"))
                #expect(try await database.sql("SELECT to_regclass('account') IS NULL") == "t")
                try await database.sql("CREATE ROLE aqua_rules LOGIN")
                #expect(await instance.aqua("migrate").code == 0)
            }
        }
    }

    @Test func itWritesHowLongDataAreKept() async throws {
        try await TestCluster.shared.database.withDatabase { database in
            let broker = try await TestCluster.shared.broker
            let instance = Instance(database: database, broker: broker, directory: .temporaryDirectory)
            func kept() async throws -> String {
                try await database.sql(
                    "SELECT string_agg(extract(day FROM keep)::text, ' ' ORDER BY kind) FROM retention")
            }
            try await instance.succeed(instance.aqua("migrate"))
            #expect(try await kept() == "800 400 800 90")
            try await instance.succeed(
                instance.aqua("migrate", changes: ["AQUA_SAMPLE_RETENTION": "900d", "AQUA_ALERT_RETENTION": "30d"]))
            #expect(try await kept() == "30 400 900 900")
            try await instance.succeed(instance.aqua("migrate", changes: ["AQUA_SAMPLE_RETENTION": "10d"]))
            #expect(try await kept() == "30 400 900 10", "what is not set stays")
            #expect(await instance.aqua("migrate", changes: ["AQUA_SAMPLE_RETENTION": "7d"]).code == 1)
        }
    }

    @Test func itBelievesTheClockWhenItIsTold() async throws {
        try await Instance.with { instance in
            try await instance.database.sql(
                "UPDATE clock_watch SET trusted_at = now() - interval '90 days'", as: .owner)
            #expect(try await instance.examine().wrong.contains { $0.hasPrefix("the database's clock leapt") })
            try await instance.succeed(instance.aqua("migrate"))
            #expect(try await instance.database.sql("SELECT clock_is_trusted()") == "f")
            try await instance.succeed(instance.aqua("migrate", "--trust-clock"))
            #expect(try await instance.database.sql("SELECT clock_is_trusted()") == "t")
        }
    }
}

@Suite struct TextTableTests {
    @Test func columnsAreAsWideAsTheirWidestCell() {
        var table = TextTable(["A", "B", "C"])
        table.add(["水槽", "1", "x"])
        table.add(["abc", "22", "yz"])
        #expect(table.text == "A     B   C\n水槽  1   x\nabc   22  yz")
    }
}
