import CLibpq
import Synchronization
import ThreadExecutor

/// One connection to PostgreSQL with a thread of its own, on which libpq blocks.
///
/// Statements are prepared once per connection; parameters and results are binary. A cancelled task cancels its
/// running statement in the server, throws `CancellationError`, and leaves the connection usable. After `connectionLost` it
/// stays broken: take another (a `PostgresPool` does).
package actor PostgresConnection {
    private let executor: ThreadExecutor
    private let configuration: PostgresConfiguration
    private var session: Session?
    /// What the last call found, readable without a hop to the connection's thread.
    private let health = Atomic(false)
    private let socket = Atomic<Int32>(-1)
    private let server = Mutex<ServerIdentity?>(nil)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A connection for the length of `body`.
    /// - Throws: `connectionFailed`, after 5 seconds per address at the latest; `serverRefused`; otherwise what `body` throws.
    package static func with<Result>(
        _ configuration: PostgresConfiguration, file: String = #fileID, line: UInt = #line,
        isolation: isolated (any Actor)? = #isolation, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let connection = try await connect(configuration, file: file, line: line)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(connection)) } catch { result = .failure(error) }
        await connection.close()
        return try result.get()
    }

    /// A connection that the caller closes; one that nobody refers to any more closes itself.
    /// - Throws: `connectionFailed`, after 5 seconds per address at the latest; `serverRefused`.
    package static func connect(
        _ configuration: PostgresConfiguration, file: String = #fileID, line: UInt = #line
    ) async throws -> PostgresConnection {
        let connection = PostgresConnection(configuration)
        try await connection.open(file, line)
        return connection
    }

    private init(_ configuration: PostgresConfiguration) {
        executor = ThreadExecutor(name: "pg-\(configuration.applicationName)")
        self.configuration = configuration
    }

    private func open(_ file: String, _ line: UInt) throws {
        let session = try locating(file, line) { try Session(configuration) }
        server.withLock { $0 = session.server }
        self.session = session
        noteHealth()
    }

    /// Connected and outside of any transaction, as far as the last call knew, and to the server that is worked on.
    package nonisolated var isUsable: Bool { health.load(ordering: .acquiring) && isCurrent }

    /// Whether no server is known that was promoted since.
    private nonisolated var isCurrent: Bool {
        server.withLock(\.self).map(configuration.history.isCurrent) ?? true
    }

    /// Says goodbye to the server. Every later call throws `closed`.
    package func close() {
        session = nil
        noteHealth()
    }

    /// Whether an idle connection is still there. Asks the kernel, and the connection only if the server said something
    /// that nobody asked for, which is mostly its farewell.
    nonisolated func isStillThere() async -> Bool {
        guard isUsable else { return false }
        guard aqua_is_readable(socket.load(ordering: .acquiring)) != 0 else { return true }
        return await hearsServer()
    }

    private func hearsServer() -> Bool {
        session?.hearOut()
        noteHealth()
        return isUsable
    }

    private func noteHealth() {
        socket.store(session?.socket ?? -1, ordering: .releasing)
        health.store(session?.isUsable ?? false, ordering: .releasing)
    }

    /// - Returns: All rows. Bound the number in the statement.
    package func execute<S: Statement>(
        _ statement: S, file: String = #fileID, line: UInt = #line
    ) async throws -> [S.Row] {
        try await run(file, line) { try $0.execute(statement) }
    }

    /// - Returns: The number of rows affected.
    @discardableResult
    package func perform<S: Statement>(
        _ statement: S, file: String = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await run(file, line) { try $0.perform(statement) }
    }

    /// Several statements in one text, in one implicit transaction.
    package func executeScript(_ sql: String, file: String = #fileID, line: UInt = #line) async throws {
        try await run(file, line) { _ = try $0.executeScript(sql) }
    }

    /// Sends the rows with one COPY.
    /// - Returns: The number of rows stored.
    @discardableResult
    package func copy<S: CopyStatement>(
        into _: S.Type, rows: CopyBuffer, file: String = #fileID, line: UInt = #line
    ) async throws -> Int {
        try await run(file, line) { try $0.copy(S.sql, rows) }
    }

    /// Commits what the body did, or nothing if it throws.
    ///
    /// The body runs on the connection's thread from BEGIN to COMMIT, without a hop between its statements.
    /// - Throws: The body's error; `connectionLost` during COMMIT leaves unknown whether it took effect. `notReplicated` when it
    ///   did on one server, while a standby was to have it too; the connection is then closed.
    package func transaction<T: Sendable>(
        _ options: TransactionOptions = TransactionOptions(), file: String = #fileID, line: UInt = #line,
        _ body: @Sendable (PostgresTransaction) throws -> T
    ) async throws -> T {
        try await run(file, line, readsOnly: options.isReadOnly) { try $0.transaction(options, body) }
    }

    private func run<T>(
        _ file: String, _ line: UInt, readsOnly: Bool = false, _ body: (Session) throws -> T
    ) async throws -> T {
        guard let session else {
            throw PostgresError(.closed, "the connection was closed", file: file, line: line)
        }
        try Task.checkCancellation()
        do { try session.requireCurrent() } catch {
            close()
            throw error.located(file: file, line: line)
        }
        let cancellation = session.cancellation
        let operation = cancellation.begin()
        defer {
            cancellation.end()
            noteHealth()
        }
        do {
            let value = try await withTaskCancellationHandler {
                // A call of the actor's own: a closure that captures no actor would leave the connection's thread.
                try blockThread(session, file, line, body)
            } onCancel: {
                cancellation.cancel(operation)
            }
            guard !session.tookUnreplicatedCommit() else { throw notReplicated(file, line) }
            return value
        } catch let error as PostgresError where error.code == .queryCanceled && Task.isCancelled {
            throw CancellationError()
        } catch let error as PostgresError where error.sqlState == Self.readOnly && !readsOnly {
            // Whoever asks again on this connection fails again, for as long as it lasts; the next may reach one that writes.
            self.session = nil
            throw error
        } catch  where !session.isCurrent {
            // It may still wait for that server's answer.
            self.session = nil
            throw error
        }
    }

    /// A commit that only one server has is none. What is done again on this connection would find it there and rest.
    private func notReplicated(_ file: String, _ line: UInt) -> PostgresError {
        session = nil
        return PostgresError(
            .notReplicated, "the wait for a synchronous standby was cut short", sqlState: "01000", file: file,
            line: line)
    }

    /// read_only_sql_transaction: the server has become one that only reads.
    private static let readOnly = "25006"

    private func blockThread<T>(
        _ session: Session, _ file: String, _ line: UInt, _ body: (Session) throws -> T
    ) throws -> T {
        try locating(file, line) { try body(session) }
    }
}
