import Foundation
import TestSupport
import Testing

@testable import Operator

/// `deploy/upgrade`, by what it has `docker compose` do. The plan is that of the tool.
@Suite struct UpgradeScriptTests {
    /// Where a migration asks for it, the services stop after the backup and before anything is changed.
    @Test(
        arguments: [
            (47, ["stop ingestor rules notifier gateway"]), (48, ["stop ingestor rules notifier gateway"]), (49, []),
        ] as [(Int, [String])])
    func servicesStopWhereAMigrationAsksForIt(_ schema: Int, _ stop: [String]) async throws {
        try await Instance.with { instance in
            let upgrade = try await Upgrade(of: instance, from: schema)
            let told = try await upgrade.run()
            #expect(told.contains("while the services of the former version go on") == stop.isEmpty)
            let prefix = "run --rm -T --no-deps"
            // Secrets first: a version may bring a role, whose password the roles need.
            let prepared = ["\(prefix) setup secrets", "\(prefix) roles", "\(prefix) migrate"]
            #expect(try upgrade.calls() == stop + prepared + ["up --detach"])
            #expect(try FileManager.default.contentsOfDirectory(atPath: upgrade.shelf).count == 1)
        }
    }

    @Test func aMigrationThatFailsReplacesNothing() async throws {
        try await Instance.with { instance in
            var upgrade = try await Upgrade(of: instance, from: 47)
            upgrade.environment["AQUA_TEST_FAILURE"] = " migrate"
            let failing = upgrade
            let error = await #expect(throws: TestSupportError.self) { try await failing.run() }
            #expect(error?.description.contains("start ingestor rules notifier gateway") == true)
            #expect(try failing.calls().last?.hasSuffix(" migrate") == true)
        }
    }

    /// The directory of a share that is not mounted is missing; nothing is written to the disk below it, and nothing is changed.
    @Test func aShelfThatIsMissingIsNotMade() async throws {
        try await Instance.with { instance in
            var upgrade = try await Upgrade(of: instance, from: 47)
            upgrade.shelf = instance.file("share/aquamonitor")
            let failing = upgrade
            await #expect(throws: TestSupportError.self) { try await failing.run() }
            #expect(!FileManager.default.fileExists(atPath: instance.file("share")))
            #expect(try failing.calls().isEmpty)
        }
    }
}

/// An upgrade of an instance whose schema looks like an earlier one.
private struct Upgrade: Sendable {
    var environment: [String: String]
    var shelf: String
    private let file: String

    init(of instance: Instance, from schema: Int) async throws {
        try await instance.database.sql("DELETE FROM schema_migration WHERE number > \(schema)")
        let plan = try await instance.succeed(instance.aqua("migrate", "--dry-run", "--json"))
        try Data(plan.output.utf8).write(to: instance.directory.appending(path: "plan"))
        environment = try BackupScriptTests.environment(instance)
        file = instance.file("calls")
        environment["AQUA_TEST_PLAN"] = instance.file("plan")
        environment["AQUA_TEST_CALLS"] = file
        shelf = instance.file("shelf")
        try FileManager.default.createDirectory(atPath: shelf, withIntermediateDirectories: true)
    }

    /// - Returns: What the script prints.
    @discardableResult
    func run() async throws -> String {
        try await ProcessUnderTest.run(
            Paths.repository.appending(path: "deploy/upgrade").path, [shelf], environment: environment)
    }

    /// The calls that change something, in their order.
    func calls() throws -> [String] {
        guard FileManager.default.fileExists(atPath: file) else { return [] }
        return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
