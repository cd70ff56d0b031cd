/// Single calls, each on any free connection.
extension PostgresPool {
    package func execute<S: Statement>(
        _ statement: S, file: String = #fileID, line: UInt = #line
    ) async throws -> [S.Row] {
        try await withConnection { try await $0.execute(statement, file: file, line: line) }
    }

    @discardableResult
    package func perform<S: Statement>(
        _ statement: S, file: String = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await withConnection { try await $0.perform(statement, file: file, line: line) }
    }

    /// See `PostgresConnection.transaction`.
    package func transaction<T: Sendable>(
        _ options: TransactionOptions = TransactionOptions(), waitingAtMost limit: Duration? = nil,
        file: String = #fileID, line: UInt = #line, _ body: @Sendable (PostgresTransaction) throws -> T
    ) async throws -> T {
        try await withConnection(waitingAtMost: limit) {
            try await $0.transaction(options, file: file, line: line, body)
        }
    }
}
