import CLibpq

/// A `PGresult`, freed with its owner.
struct QueryResult: ~Copyable {
    let handle: OpaquePointer

    deinit { PQclear(handle) }

    /// - Throws: The server's error; `connectionLost` when there is no answer.
    init(_ handle: OpaquePointer?, _ connection: OpaquePointer) throws(PostgresError) {
        guard let handle else { throw PostgresError(lost: connection) }
        switch PQresultStatus(handle) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_IN, PGRES_EMPTY_QUERY:
            self.handle = handle
        case PGRES_FATAL_ERROR, PGRES_NONFATAL_ERROR, PGRES_BAD_RESPONSE:
            let error = PostgresError(result: handle, connection)
            PQclear(handle)
            throw error
        case let status:
            PQclear(handle)
            throw PostgresError(.unexpectedAnswer, "libpq answered with status \(status.rawValue)")
        }
    }

    var isCopyIn: Bool { PQresultStatus(handle) == PGRES_COPY_IN }
    var rowCount: Int32 { PQntuples(handle) }
    /// Rows inserted, updated, deleted, selected or copied; 0 for other commands.
    var affectedRows: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }
    /// The command that ran, such as `COMMIT`; `ROLLBACK` if a failed transaction was to be committed.
    var commandTag: String { String(cString: PQcmdStatus(handle)) }
}

extension PostgresError {
    /// The error of a connection that gave no result.
    init(lost connection: OpaquePointer) {
        self.init(.connectionLost, String(cString: PQerrorMessage(connection)).trimmed)
    }

    init(result: OpaquePointer, _ connection: OpaquePointer) {
        let sqlState = aqua_pq_sqlstate(result).map { String(cString: $0) }
        let isLost = PQstatus(connection) == CONNECTION_BAD
        let parts = [aqua_pq_primary(result), aqua_pq_detail(result), aqua_pq_context(result)]
            .compactMap { $0.map { String(cString: $0) } }
        let fallback = String(cString: PQresultErrorMessage(result)).trimmed
        self.init(
            sqlState.map(Code.init(sqlState:)) ?? (isLost ? .connectionLost : .unexpectedAnswer),
            parts.isEmpty ? fallback : parts.joined(separator: "; "),
            sqlState: sqlState,
            constraint: aqua_pq_constraint(result).map { String(cString: $0) },
            table: aqua_pq_table(result).map { String(cString: $0) })
    }
}

extension String {
    /// The message without the line break at the end of libpq's messages.
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
