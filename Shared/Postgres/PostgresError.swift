/// What went wrong between us and PostgreSQL: a closed code for machines, a private story for operators.
///
/// `description` is safe for any log. `debugDescription` repeats the server's own words, which may quote values.
package struct PostgresError: Error, Sendable {
    package enum Code: Hashable, Sendable {
        /// The configuration itself cannot work: a malformed URL, a password inside it.
        case configuration
        /// No connection came to be: unreachable, refused, wrong password, still starting.
        case connectionFailed
        /// An open connection ended; whether a running COMMIT took effect is unknown.
        case connectionLost
        case cannotConnectNow, adminShutdown, tooManyConnections, idleInTransactionTimeout
        case uniqueViolation, foreignKeyViolation, checkViolation, notNullViolation, exclusionViolation
        case serializationFailure, deadlock, lockNotAvailable
        case insufficientPrivilege, undefinedTable, undefinedObject
        case queryCanceled, diskFull
        /// The transaction was already lost to an earlier error that its body swallowed.
        case inFailedTransaction
        /// A value that PostgreSQL cannot hold, such as text with a NUL byte.
        case unencodable
        /// The server has committed, and its standby may not have it: who stopped the wait chose to lose it at a take-over.
        case notReplicated
        /// A server that the program must not write to: it was left behind by another, or holds another database.
        case serverRefused
        /// Statements of others run on our server connection, as behind PgBouncer's transaction mode.
        case sharedSession
        /// A column that is not what the statement's row says.
        case decoding
        /// An answer that libpq or this module did not expect.
        case unexpectedAnswer
        /// The pool's queue of waiters is full.
        case poolExhausted
        /// The pool or the connection was closed by ourselves.
        case closed
        /// The database's migrations are not this binary's: changed, with gaps, or newer.
        case migration
        /// Any other SQLSTATE.
        case other(sqlState: String)
    }

    package let code: Code
    /// The five characters of the SQL standard; nil where the error is not the server's.
    package let sqlState: String?
    /// The violated constraint's name, which is ours and therefore no secret.
    package let constraint: String?
    package let table: String?
    /// The server's or libpq's words. May quote values: for an operator's eyes, not for users or metrics.
    package let message: String
    /// The call that failed; empty until an entry point fills it in.
    package private(set) var file: String
    package private(set) var line: UInt

    init(
        _ code: Code, _ message: String, sqlState: String? = nil, constraint: String? = nil, table: String? = nil,
        file: String = "", line: UInt = 0
    ) {
        self.code = code
        self.sqlState = sqlState
        self.constraint = constraint
        self.table = table
        self.message = message
        self.file = file
        self.line = line
    }

    /// The same work may succeed when it is done again from its beginning, perhaps on another connection.
    package var isRetriable: Bool {
        switch code {
        case .connectionFailed, .connectionLost, .cannotConnectNow, .adminShutdown, .tooManyConnections,
            .idleInTransactionTimeout, .serializationFailure, .deadlock, .lockNotAvailable, .diskFull,
            .poolExhausted, .queryCanceled, .notReplicated, .serverRefused:
            true
        // Out of memory or of connections, an operator's intervention, an I/O error, a read-only standby: they pass.
        case .other(let sqlState):
            ["53", "57", "58"].contains(sqlState.prefix(2)) || sqlState == "25006"
        case .configuration, .uniqueViolation, .foreignKeyViolation, .checkViolation, .notNullViolation,
            .exclusionViolation, .insufficientPrivilege, .undefinedTable, .undefinedObject,
            .inFailedTransaction, .unencodable, .decoding, .unexpectedAnswer, .closed, .migration, .sharedSession:
            false
        }
    }

    /// Whether an error is a retriable one of this module.
    package static func isRetriable(_ error: any Error) -> Bool {
        (error as? PostgresError)?.isRetriable ?? false
    }

    /// The description, and where no connection came to be libpq's words or ours: they name host, role and cause, and no secret.
    package var explanation: String {
        [.connectionFailed, .serverRefused].contains(code) ? "\(self): \(message)" : description
    }

    /// The same error with words of where it arose in front of the server's.
    func prefixed(_ words: String) -> PostgresError {
        PostgresError(
            code, "\(words): \(message)", sqlState: sqlState, constraint: constraint, table: table, file: file,
            line: line)
    }

    /// The same error with another code.
    func with(_ code: Code) -> PostgresError {
        PostgresError(
            code, message, sqlState: sqlState, constraint: constraint, table: table, file: file, line: line)
    }

    /// The innermost caller knows best: a location that is there stays.
    func located(file: String, line: UInt) -> PostgresError {
        guard self.file.isEmpty else { return self }
        var located = self
        located.file = file
        located.line = line
        return located
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        var text = "PostgreSQL: \(code.phrase)"
        if let constraint { text += " (\(constraint))" }
        if let sqlState { text += " [\(sqlState)]" }
        return text
    }

    package var debugDescription: String {
        "\(description) at \(file):\(line)\(table.map { ", table \($0)" } ?? ""): \(message)"
    }
}
