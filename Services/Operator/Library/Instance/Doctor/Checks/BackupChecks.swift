import Instants
import Postgres
import ServiceKit
import Store

/// Looks at the age of the last good backup.
struct BackupChecks {
    let connection: PostgresConnection

    private static let topic = "backup"
    /// Two missed daily backups, as in the alert rule AquaBackupOld.
    private static let patience = Duration.seconds(50 * 3_600)
    private static let mend = "Run deploy/backup --into DIRECTORY once a day; deploy/OPERATING.md, \"Backups\"."

    func run() async throws -> [Finding] {
        guard let backup = try await connection.execute(FindBackup()).first else { return [] }
        return [Self.judge(backup)]
    }

    static func judge(_ backup: FindBackup.Row) -> Finding {
        guard let snapshot = backup.snapshotAt else {
            return .notice(topic, "none was made yet", mend: mend)
        }
        let text = "the last good one is of \(snapshot.iso8601)"
        return backup.now - snapshot <= patience
            ? .ok(topic, text) : .wrong(topic, "\(text): what came since is on one disk alone", mend: mend)
    }
}
