import Foundation
import TestSupport
import Testing

@testable import Operator

/// `deploy/backup` on a real server. Commands for `docker compose` run on this machine.
@Suite struct BackupScriptTests {
    static func environment(_ instance: Instance) throws -> [String: String] {
        let stand = Paths.repository.appending(path: "Tests/Containers/on-this-machine").path
        return [
            "COMPOSE": stand, "PATH": "/usr/local/bin:/usr/bin:/bin", "AQUA_TEST_DATABASE": instance.database.name,
            "AQUA_TEST_KEYS": instance.file("secret-key"), "PGHOST": instance.database.server.socketDirectory,
            "PGPORT": "\(instance.database.server.port)", "PGPASSWORD": try instance.database.password(.superuser),
        ]
    }

    private func backUp(_ instance: Instance, _ arguments: String...) async throws -> String {
        try await ProcessUnderTest.run(
            Paths.repository.appending(path: "deploy/backup").path, arguments,
            environment: try Self.environment(instance))
    }

    @Test func aBackupSaysWhatItHoldsAndIsNoted() async throws {
        try await Instance.with { instance in
            try await instance.populate()
            let told = try await backUp(instance, instance.file("backup"))
            #expect(told.contains("device") && told.contains("schema"))
            let manifest = try String(contentsOfFile: instance.file("backup/manifest"), encoding: .utf8)
            let lines = manifest.split(separator: "\n")
            #expect(lines.contains("rows device 1") && lines.contains("rows sample 0"))
            #expect(lines[0].hasPrefix("made 20") && lines.contains("newest sample none"))
            #expect(
                try await instance.database.sql("SELECT snapshot_at > now() - interval '5 minutes' FROM backup") == "t")
            // The dump contains what the manifest lists.
            let archive = instance.file("backup/database.dump")
            let listed = try await ProcessUnderTest.run(
                "/bin/bash",
                ["-c", "pg_restore --data-only --table=device --file=- '\(archive)' | grep -c '\(instance.device)'"])
            #expect(listed == "1")
        }
    }

    @Test func ofATimersBackupsTheNewestAreKept() async throws {
        try await Instance.with { instance in
            let shelf = instance.directory.appending(path: "shelf")
            for (name, isWhole) in [
                ("2026-01-01T000000Z", true), ("2026-01-02T000000Z", true), ("2026-01-03T000000Z", false),
                ("mine", true),
            ] {
                let old = shelf.appending(path: name)
                try FileManager.default.createDirectory(at: old, withIntermediateDirectories: true)
                let file = old.appending(path: isWhole ? "SHA256SUMS" : "database.dump")
                try Data("x".utf8).write(to: file)
                let date = Date(timeIntervalSinceNow: -5 * 86_400)
                for path in [file.path, old.path] {
                    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
                }
            }
            _ = try await backUp(instance, "--into", shelf.path, "--keep", "2")
            let kept = try FileManager.default.contentsOfDirectory(atPath: shelf.path).sorted()
            #expect(kept.count == 3)
            #expect(kept.first == "2026-01-02T000000Z" && kept.last == "mine")
        }
    }

    /// The directory of a share that is not mounted is missing; nothing is written to the disk below it.
    @Test func aShelfThatIsMissingIsNotMade() async throws {
        try await Instance.with { instance in
            let shelf = instance.file("share/aquamonitor")
            await #expect(throws: TestSupportError.self) { try await backUp(instance, "--into", shelf) }
            #expect(!FileManager.default.fileExists(atPath: instance.file("share")))
        }
    }

    /// The note is written after the backup, so a missing backup is never noted.
    @Test func aBackupThatFailsIsNotNoted() async throws {
        try await Instance.with { instance in
            try await instance.database.sql("ALTER TABLE schema_migration RENAME TO elsewhere")
            await #expect(throws: TestSupportError.self) { try await backUp(instance, instance.file("backup")) }
            #expect(!FileManager.default.fileExists(atPath: instance.file("backup")))
            #expect(try await instance.database.sql("SELECT snapshot_at IS NULL FROM backup") == "t")
        }
    }
}
