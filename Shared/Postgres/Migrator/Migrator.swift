/// Brings a database's schema to this program's version, one migration per transaction.
///
/// Each transaction takes an advisory lock and reads the state anew: any number of migrators may run at once, and one
/// that is killed leaves whole steps only.
package struct Migrator: Sendable {
    package let migrations: [Migration]

    /// - Throws: `migration` unless the numbers are 1, 2, 3, ...
    package init(_ migrations: [Migration]) throws(PostgresError) {
        let sorted = migrations.sorted { $0.number < $1.number }
        for (index, migration) in sorted.enumerated() where migration.number != Int32(index + 1) {
            throw PostgresError(
                .migration, "migration \(index + 1) is missing or \(migration.number) is there twice")
        }
        self.migrations = sorted
    }

    /// The schema's state. Reads only; a role needs SELECT on `schema_migration`.
    package func state(on connection: PostgresConnection) async throws -> MigrationState {
        try await connection.transaction(TransactionOptions(isReadOnly: true)) { try state(in: $0) }
    }

    /// - Returns: The migrations that this call applied.
    /// - Throws: `migration` for a changed past, a gap or a newer database; a migration's own error with its number.
    package func migrate(on connection: PostgresConnection) async throws -> [Migration] {
        var applied: [Migration] = []
        while true {
            let next = try await whenTablesAreFree { try await connection.transaction { try applyNext(in: $0) } }
            guard let next else { return applied }
            applied.append(next)
        }
    }

    /// Repeats `body` while other sessions hold locks; a migration that fails leaves nothing behind.
    private func whenTablesAreFree<Result>(_ body: () async throws -> Result) async throws -> Result {
        for _ in 1..<Self.attempts {
            do { return try await body() } catch let error as PostgresError
                where [.lockNotAvailable, .deadlock].contains(error.code)
            {
                try await Task.sleep(for: Self.pause)
            }
        }
        return try await body()
    }

    private static let attempts = 20
    private static let pause = Duration.seconds(3)

    private func state(in transaction: PostgresTransaction) throws -> MigrationState {
        let checksums = try transaction.execute(ChecksumMigrations(migrations: migrations))
        let known = checksums.reduce(into: [MigrationRecord]()) { known, row in
            if row.isFormer, let last = known.indices.last {
                known[last].formerChecksums.append(row.record.checksum)
            } else {
                known.append(row.record)
            }
        }
        let hasTable = try transaction.execute(FindMigrationTable()) == [true]
        let applied = hasTable ? try transaction.execute(ReadAppliedMigrations()) : []
        return MigrationState(known: known, applied: applied)
    }

    /// Applies the next migration.
    /// - Returns: nil when none is left.
    private func applyNext(in transaction: PostgresTransaction) throws -> Migration? {
        try transaction.perform(LockMigrations())
        // Fails early and tries again: a session that waits for a table's lock blocks everybody behind it.
        try transaction.executeScript("SET LOCAL lock_timeout = '2s'")
        let state = try state(in: transaction)
        guard case .behind(let next) = state else {
            if let refusal = state.refusal() { throw PostgresError(.migration, refusal) }
            return nil
        }
        let migration = migrations[Int(next) - 1]
        if try transaction.execute(FindMigrationTable()) == [false] {
            try transaction.perform(CreateMigrationTable())
        }
        do {
            try transaction.executeScript(migration.sql)
            try transaction.perform(RecordMigration(migration: migration))
        } catch let error as PostgresError {
            throw error.prefixed("migration \(migration.number) (\(migration.name))")
        }
        return migration
    }
}
