/// Serialises migrators until the end of the transaction.
struct LockMigrations: Statement {
    static let sql = "SELECT pg_advisory_xact_lock($1)"

    /// "aquamigr" in ASCII: no other advisory lock of this database may use this key.
    private static let key: Int64 = 0x6171_7561_6D69_6772

    func bind(_ parameters: inout Parameters) { parameters.append(Self.key) }
}

/// Which of the migrator's tables are there.
struct FindMigrationTables: Statement {
    static let sql = "SELECT to_regclass('schema_migration') IS NOT NULL, to_regclass('schema_script') IS NOT NULL"

    static func decode(_ row: inout RowReader) throws -> (migrations: Bool, scripts: Bool) {
        try (row.read(), row.read())
    }
}

struct CreateMigrationTable: Statement {
    static let sql = """
        CREATE TABLE schema_migration (
            number integer PRIMARY KEY CHECK (number > 0),
            name text NOT NULL,
            checksum bytea NOT NULL CHECK (length(checksum) = 32), -- SHA-256 of the text
            applied_at timestamptz NOT NULL DEFAULT now()
        )
        """
}

struct CreateScriptTable: Statement {
    static let sql = """
        CREATE TABLE schema_script (
            name text PRIMARY KEY,
            checksum bytea NOT NULL CHECK (length(checksum) = 32), -- SHA-256 of the text
            applied_at timestamptz NOT NULL DEFAULT now()
        )
        """
}

struct ReadAppliedMigrations: Statement {
    static let sql = "SELECT number, checksum FROM schema_migration ORDER BY number"

    static func decode(_ row: inout RowReader) throws -> MigrationRecord {
        MigrationRecord(number: try row.read(), checksum: try row.read())
    }
}

/// Computes checksums in the server, which has SHA-256, so that no library is needed. Each text's checksum comes first,
/// the given ones of former texts, and of steps that a baseline takes over, after it, unchanged.
struct ChecksumMigrations: Statement {
    static let sql = """
        SELECT number, sha256(convert_to(text, 'UTF8')), false AS is_former
        FROM unnest($1, $2) AS migration (number, text)
        UNION ALL
        SELECT number, decode(checksum, 'hex'), true FROM unnest($3, $4) AS former (number, checksum)
        ORDER BY number, is_former
        """
    let migrations: [Migration]

    func bind(_ parameters: inout Parameters) {
        parameters.append(migrations.map(\.number))
        parameters.append(migrations.map(\.sql))
        let former = migrations.flatMap { migration in
            migration.formerChecksums.map { (migration.number, $0) }
                + (migration.takeover?.steps ?? []).enumerated().flatMap { index, checksums in
                    checksums.map { (Int32(index + 1), $0) }
                }
        }
        parameters.append(former.map(\.0))
        parameters.append(former.map(\.1))
    }

    static func decode(_ row: inout RowReader) throws -> (record: MigrationRecord, isFormer: Bool) {
        try (MigrationRecord(number: row.read(), checksum: row.read()), row.read())
    }
}

/// Names of the scripts whose text was not applied.
struct FindChangedScripts: Statement {
    static let sql = """
        SELECT script.name FROM unnest($1, $2) WITH ORDINALITY AS script (name, text, position)
        LEFT JOIN schema_script applied
            ON applied.name = script.name AND applied.checksum = sha256(convert_to(script.text, 'UTF8'))
        WHERE applied.name IS NULL ORDER BY script.position
        """
    let scripts: [SchemaScript]

    func bind(_ parameters: inout Parameters) {
        parameters.append(scripts.map(\.name))
        parameters.append(scripts.map(\.sql))
    }

    static func decode(_ row: inout RowReader) throws -> String { try row.read() }
}

struct RecordMigration: Statement {
    static let sql = """
        INSERT INTO schema_migration (number, name, checksum)
        VALUES ($1, $2, sha256(convert_to($3, 'UTF8')))
        """
    let migration: Migration

    func bind(_ parameters: inout Parameters) {
        parameters.append(migration.number)
        parameters.append(migration.name)
        parameters.append(migration.sql)
    }
}

struct RecordScript: Statement {
    static let sql = """
        INSERT INTO schema_script (name, checksum) VALUES ($1, sha256(convert_to($2, 'UTF8')))
        ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = excluded.applied_at
        """
    let script: SchemaScript

    func bind(_ parameters: inout Parameters) {
        parameters.append(script.name)
        parameters.append(script.sql)
    }
}
