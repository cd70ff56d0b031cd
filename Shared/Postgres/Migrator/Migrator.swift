/// Brings a database's schema to this program's version: one migration per transaction, and with the last one the scripts that have changed.
///
/// Each transaction takes an advisory lock and reads the state anew: any number of migrators may run at once, and one
/// that is killed leaves whole steps only.
package struct Migrator: Sendable {
    package let migrations: [Migration]
    /// In the order in which they are applied.
    package let scripts: [SchemaScript]

    /// The result of a call of `migrate`.
    package struct Outcome: Equatable, Sendable {
        package var migrations: [Migration] = []
        /// Names of the scripts.
        package var scripts: [String] = []
        package var isEmpty: Bool { migrations.isEmpty && scripts.isEmpty }
    }

    /// - Throws: `migration` unless the numbers are 1, 2, 3, ..., or go on from what the first migration takes over.
    package init(_ migrations: [Migration], scripts: [SchemaScript] = []) throws(PostgresError) {
        let sorted = migrations.sorted { $0.number < $1.number }
        let first = Int32(sorted.first?.takeover?.steps.count ?? 0) + 1
        for (index, migration) in sorted.enumerated() where migration.number != first + Int32(index) {
            throw PostgresError(
                .migration, "migration \(first + Int32(index)) is missing or \(migration.number) is there twice")
        }
        self.migrations = sorted
        self.scripts = scripts
    }

    /// Reads only; a role needs SELECT on `schema_migration` and `schema_script`.
    package func state(on connection: PostgresConnection) async throws -> MigrationState {
        try await connection.transaction(TransactionOptions(isReadOnly: true)) { try state(in: $0) }
    }

    /// The database's version; 0 of an empty one.
    package func version(on connection: PostgresConnection) async throws -> Int32 {
        try await connection.transaction(TransactionOptions(isReadOnly: true)) { try applied(in: $0).last?.number ?? 0 }
    }

    /// - Returns: What this call applied.
    /// - Throws: `migration` for a changed past, a gap or a newer database; a migration's own error with its number.
    package func migrate(on connection: PostgresConnection) async throws -> Outcome {
        var outcome = Outcome()
        while true {
            let step = try await whenTablesAreFree { try await connection.transaction { try applyNext(in: $0) } }
            if step.isEmpty { return outcome }
            outcome.migrations += step.migrations
            outcome.scripts += step.scripts
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
        var known: [MigrationRecord] = []
        var steps: [MigrationRecord] = []
        let first = migrations.first?.number ?? 1
        for row in try transaction.execute(ChecksumMigrations(migrations: migrations)) {
            if row.record.number < first {
                Self.add(row.record, isFormer: row.record.number == steps.last?.number, to: &steps)
            } else {
                Self.add(row.record, isFormer: row.isFormer, to: &known)
            }
        }
        let state = MigrationState(known: known, steps: steps, applied: try applied(in: transaction))
        guard state == .upToDate, !scripts.isEmpty else { return state }
        let changed = try transaction.execute(FindChangedScripts(scripts: scripts))
        return changed.isEmpty ? .upToDate : .scripts(changed)
    }

    private static func add(_ record: MigrationRecord, isFormer: Bool, to records: inout [MigrationRecord]) {
        if isFormer, let last = records.indices.last {
            records[last].formerChecksums.append(record.checksum)
        } else {
            records.append(record)
        }
    }

    private func applied(in transaction: PostgresTransaction) throws -> [MigrationRecord] {
        guard try transaction.execute(FindMigrationTables()).first?.migrations == true else { return [] }
        return try transaction.execute(ReadAppliedMigrations())
    }

    /// - Returns: Nothing where nothing is left to do.
    private func applyNext(in transaction: PostgresTransaction) throws -> Outcome {
        try transaction.perform(LockMigrations())
        // Fails early and tries again: a session that waits for a table's lock blocks everybody behind it.
        try transaction.executeScript("SET LOCAL lock_timeout = '2s'")
        let state = try state(in: transaction)
        switch state {
        case .upToDate: return Outcome()
        case .scripts: return Outcome(scripts: try applyScripts(in: transaction))
        case .behind(let next): return try apply(next, in: transaction)
        default: throw PostgresError(.migration, state.refusal() ?? "")
        }
    }

    private func apply(_ next: Int32, in transaction: PostgresTransaction) throws -> Outcome {
        guard let migration = migrations.first(where: { $0.number == next }) else { return Outcome() }
        let tables = try transaction.execute(FindMigrationTables()).first
        if tables?.migrations != true { try transaction.perform(CreateMigrationTable()) }
        if tables?.scripts != true { try transaction.perform(CreateScriptTable()) }
        do {
            try transaction.executeScript(migration.sql(isTakeover: try !applied(in: transaction).isEmpty))
            try transaction.perform(RecordMigration(migration: migration))
        } catch let error as PostgresError {
            throw error.prefixed("migration \(migration.number) (\(migration.name))")
        }
        let isLast = migration == migrations.last
        return Outcome(migrations: [migration], scripts: isLast ? try applyScripts(in: transaction) : [])
    }

    private func applyScripts(in transaction: PostgresTransaction) throws -> [String] {
        let changed = Set(try transaction.execute(FindChangedScripts(scripts: scripts)))
        let missing = scripts.filter { changed.contains($0.name) }
        for script in missing {
            do {
                try transaction.executeScript(script.sql)
                try transaction.perform(RecordScript(script: script))
            } catch let error as PostgresError {
                throw error.prefixed("script \(script.name)")
            }
        }
        return missing.map(\.name)
    }
}
