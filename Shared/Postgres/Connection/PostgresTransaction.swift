/// Isolation, access mode and durability of a transaction.
package struct TransactionOptions: Sendable {
    package enum Isolation: String, Sendable {
        case readCommitted = "READ COMMITTED"
        case repeatableRead = "REPEATABLE READ"
        case serializable = "SERIALIZABLE"
    }

    package var isolation: Isolation
    package var isReadOnly: Bool
    /// Whether COMMIT waits for the disk. If false, a crash of the server may lose the transaction (`synchronous_commit
    /// = off`).
    package var isDurable: Bool

    package init(isolation: Isolation = .readCommitted, isReadOnly: Bool = false, isDurable: Bool = true) {
        self.isolation = isolation
        self.isReadOnly = isReadOnly
        self.isDurable = isDurable
    }

    /// The text that begins the transaction: one message, one round trip.
    var begin: String {
        "BEGIN ISOLATION LEVEL \(isolation.rawValue)\(isReadOnly ? " READ ONLY" : "")"
            + (isDurable ? "" : "; SET LOCAL synchronous_commit TO off")
    }
}

/// The statements of one open transaction, each a plain blocking call on the connection's thread.
///
/// Not Sendable, so that it cannot leave the body that received it. The body can wait for nothing but the database, so
/// no lock is ever held while something else is slow.
package struct PostgresTransaction {
    private let session: Session

    init(_ session: Session) {
        self.session = session
    }

    /// - Returns: All rows. The statement has to bound their number.
    package func execute<S: Statement>(
        _ statement: S, file: String = #fileID, line: UInt = #line
    ) throws -> [S.Row] {
        try locating(file, line) { try session.execute(statement) }
    }

    /// - Returns: All rows. The statement has to bound their number.
    package func execute<S: ComposedStatement>(
        _ statement: S, file: String = #fileID, line: UInt = #line
    ) throws -> [S.Row] {
        try locating(file, line) { try session.execute(statement) }
    }

    /// - Returns: The number of rows affected.
    @discardableResult
    package func perform<S: Statement>(
        _ statement: S, file: String = #fileID, line: UInt = #line
    ) throws -> Int {
        try locating(file, line) { try session.perform(statement) }
    }

    /// - Returns: The number of rows stored.
    @discardableResult
    package func copy<S: CopyStatement>(
        into _: S.Type, rows: CopyBuffer, file: String = #fileID, line: UInt = #line
    ) throws -> Int {
        try locating(file, line) { try session.copy(S.sql, rows) }
    }

    /// The number of rows from which it pays to plan anew.
    package static let manyRows = 50

    /// Has the server plan the connection's statements anew, for the tables as they are now, unless it did just before.
    ///
    /// A plan made while a table was nearly empty reads the whole table; in an alert storm that is quadratic before
    /// autovacuum has even looked. Planning costs milliseconds, so this is for transactions with many rows.
    package func planForManyRows(file: String = #fileID, line: UInt = #line) throws {
        guard session.plans.isTimeToReplanForMany(at: .now) else { return }
        try executeScript("DISCARD PLANS", file: file, line: line)
    }

    /// Runs several statements in one text, for migrations. The text must not end the transaction.
    package func executeScript(_ sql: String, file: String = #fileID, line: UInt = #line) throws {
        try locating(file, line) { _ = try session.executeScript(sql) }
    }
}

/// Adds the caller's file and line to an error that has none.
func locating<R>(_ file: String, _ line: UInt, _ body: () throws -> R) throws -> R {
    do {
        return try body()
    } catch let error as PostgresError {
        throw error.located(file: file, line: line)
    }
}

extension Session {
    /// Runs BEGIN, the body and COMMIT, or ROLLBACK if the body throws.
    func transaction<T>(_ options: TransactionOptions, _ body: (PostgresTransaction) throws -> T) throws -> T {
        try executeScript(options.begin + (plans.isTimeToReplan(at: .now) ? "; DISCARD PLANS" : ""))
        do {
            let value = try body(PostgresTransaction(self))
            try commit()
            return value
        } catch {
            // A failure here leaves the connection in a state that `isUsable` reports.
            if isInTransaction { _ = try? executeRegardlessOfCancellation("ROLLBACK") }
            throw error
        }
    }

    private func commit() throws(PostgresError) {
        guard isInTransaction else {
            throw PostgresError(.unexpectedAnswer, "the body ended its transaction by itself")
        }
        try requireCurrent()
        let committed = try executeCommit()
        guard committed.commandTag == "COMMIT" else {
            throw PostgresError(.inFailedTransaction, "the body went on after an error; nothing was committed")
        }
    }
}
