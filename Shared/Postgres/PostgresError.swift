/// An error between us and PostgreSQL: a closed code for machines, a private message for operators.
///
/// `description` is safe for any log. `debugDescription` holds the server's own message, which may quote values.
package struct PostgresError: Error, Sendable {
    package enum Code: Hashable, Sendable {
        /// The configuration itself cannot work: a malformed URL, a password inside it.
        case configuration
        /// No connection was made: unreachable, refused, wrong password, still starting.
        case connectionFailed
        /// An open connection ended; whether a running COMMIT took effect is unknown.
        case connectionLost
        case cannotConnectNow, adminShutdown, tooManyConnections, idleInTransactionTimeout
        case uniqueViolation, foreignKeyViolation, checkViolation, notNullViolation, exclusionViolation
        case serializationFailure, deadlock, lockNotAvailable
        case insufficientPrivilege, undefinedTable, undefinedObject
        case queryCanceled, diskFull
        /// The transaction had already failed with an earlier error that its body swallowed.
        case inFailedTransaction
        /// A value that PostgreSQL cannot hold, such as text with a NUL byte.
        case unencodable
        /// The server has committed, but its standby may not have the commit: it is lost if the standby takes over.
        case notReplicated
        /// A server that must not be written to: it was left behind by another, or holds another database.
        case serverRefused
        /// Other clients' statements run on our server connection, as behind PgBouncer's transaction mode.
        case sharedSession
        /// A column's type is not the one that the statement's row expects.
        case decoding
        /// An answer that libpq or this module did not expect.
        case unexpectedAnswer
        /// The pool's queue of waiters is full.
        case poolExhausted
        /// We closed the pool or the connection.
        case closed
        /// The database's migrations differ from this binary's: changed, with gaps, or newer.
        case migration
        /// Any other SQLSTATE.
        case other(sqlState: String)
    }

    package let code: Code
    /// The five characters of the SQL standard; nil for an error that is not the server's.
    package let sqlState: String?
    /// The violated constraint's name, which comes from our schema and is no secret.
    package let constraint: String?
    package let table: String?
    /// The server's or libpq's message. May quote values: for operators, not for users or metrics.
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

    /// Whether the same work may succeed when it is done again from its beginning, perhaps on another connection.
    package var isRetriable: Bool {
        switch code {
        case .connectionFailed, .connectionLost, .cannotConnectNow, .adminShutdown, .tooManyConnections,
            .idleInTransactionTimeout, .serializationFailure, .deadlock, .lockNotAvailable, .diskFull,
            .poolExhausted, .queryCanceled, .notReplicated, .serverRefused:
            true
        // Transient classes: out of memory or connections, an operator's intervention, an I/O error, a read-only
        // standby.
        case .other(let sqlState):
            ["53", "57", "58"].contains(sqlState.prefix(2)) || sqlState == "25006"
        case .configuration, .uniqueViolation, .foreignKeyViolation, .checkViolation, .notNullViolation,
            .exclusionViolation, .insufficientPrivilege, .undefinedTable, .undefinedObject,
            .inFailedTransaction, .unencodable, .decoding, .unexpectedAnswer, .closed, .migration, .sharedSession:
            false
        }
    }

    /// Whether an error is a `PostgresError` and retriable.
    package static func isRetriable(_ error: any Error) -> Bool {
        (error as? PostgresError)?.isRetriable ?? false
    }

    /// The description; for a failed or refused connection also the message, which names host, role and cause, and no
    /// secret.
    package var explanation: String {
        [.connectionFailed, .serverRefused].contains(code) ? "\(self): \(message)" : description
    }

    /// The same error with a context in front of the message.
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

    /// The same error with a place, unless it has one: the innermost caller's is the most precise.
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
