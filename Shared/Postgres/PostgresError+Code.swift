extension PostgresError.Code {
    /// The code of a SQLSTATE (PostgreSQL's manual, appendix A); classes stand for their members.
    init(sqlState: String) {
        self =
            switch sqlState {
            case "23505": .uniqueViolation
            case "23503": .foreignKeyViolation
            case "23514": .checkViolation
            case "23502": .notNullViolation
            case "23P01": .exclusionViolation
            case "40001": .serializationFailure
            case "40P01": .deadlock
            case "55P03": .lockNotAvailable
            case "42501": .insufficientPrivilege
            case "42P01": .undefinedTable
            case "42703", "42704", "42883", "3D000", "3F000": .undefinedObject
            case "57014": .queryCanceled
            case "57P01", "57P02": .adminShutdown
            case "57P03": .cannotConnectNow
            case "53300": .tooManyConnections
            case "53100": .diskFull
            case "25P02": .inFailedTransaction
            case "25P03": .idleInTransactionTimeout
            case _ where sqlState.hasPrefix("08"): .connectionLost
            default: .other(sqlState: sqlState)
            }
    }

    /// The code in words, safe to show to anybody.
    var phrase: String {
        switch self {
        case .configuration: "the database configuration is wrong"
        case .connectionFailed: "no connection"
        case .connectionLost: "connection lost"
        case .cannotConnectNow: "the server is starting up, shutting down or recovering"
        case .adminShutdown: "connection ended by the server"
        case .tooManyConnections: "the server has no connection left"
        case .idleInTransactionTimeout: "transaction idle for too long"
        case .uniqueViolation: "the row exists already"
        case .foreignKeyViolation: "a row that is referred to is missing, or still referred to"
        case .checkViolation: "a value breaks a check"
        case .notNullViolation: "a required value is missing"
        case .exclusionViolation: "the row overlaps another"
        case .serializationFailure: "lost to a concurrent transaction"
        case .deadlock: "deadlock"
        case .lockNotAvailable: "lock not available"
        case .insufficientPrivilege: "this role may not do that"
        case .undefinedTable: "no such table"
        case .undefinedObject: "no such column, function, type or database"
        case .queryCanceled: "statement canceled"
        case .diskFull: "the server's disk is full"
        case .inFailedTransaction: "the transaction had failed before"
        case .unencodable: "a value that PostgreSQL cannot hold"
        case .notReplicated: "committed on one server alone, which counts as not committed"
        case .serverRefused: "this server is refused"
        case .sharedSession:
            "others' statements run on this connection, as behind PgBouncer's transaction mode: "
                + "set pool_mode to session there, or connect to the server itself"
        case .decoding: "a column is not what was expected"
        case .unexpectedAnswer: "unexpected answer"
        case .poolExhausted: "too many wait for a connection"
        case .closed: "closed"
        case .migration: "the database's migrations do not fit this program"
        case .other: "error"
        }
    }
}
