import CLibpq
import Synchronization
import ThreadExecutor

/// One connection to PostgreSQL with a thread of its own, on which libpq blocks.
///
/// Statements are prepared once per connection; parameters and results are binary. Cancelling the task cancels its
/// running statement in the server, throws `CancellationError`, and leaves the connection usable. After
/// `connectionLost` the connection stays broken: take another (a `PostgresPool` does).
package actor PostgresConnection {
    private let executor: ThreadExecutor
    private let configuration: PostgresConfiguration
    private var session: Session?
    /// The state after the last call, readable without a hop to the connection's thread.
    private let health = Atomic(false)
    private let socket = Atomic<Int32>(-1)
    private let server = Mutex<ServerIdentity?>(nil)

    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Opens a connection for the length of `body`.
    /// - Throws: `connectionFailed`, after at most 5 seconds per address; `serverRefused`; otherwise what `body`
    ///   throws.
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

    /// Opens a connection that the caller closes; it also closes itself once nothing refers to it.
    /// - Throws: `connectionFailed`, after at most 5 seconds per address; `serverRefused`.
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

    /// Whether the connection was up and outside of any transaction after the last call, and leads to the current
    /// server.
    package nonisolated var isUsable: Bool { health.load(ordering: .acquiring) && isCurrent }

    /// Whether no other server is known to have been promoted since.
    private nonisolated var isCurrent: Bool {
        server.withLock(\.self).map(configuration.history.isCurrent) ?? true
    }

    /// Ends the session with the server. Every later call throws `closed`.
    package func close() {
        session = nil
        noteHealth()
    }

    /// Whether an idle connection is still alive. Asks the kernel, and hops to the connection's thread only if the
    /// server has sent something unasked, which is mostly its farewell.
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

    /// - Returns: All rows. The statement has to bound their number.
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

    /// Runs several statements in one text, in one implicit transaction.
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

    /// Commits what the body did; if it throws, rolls back.
    ///
    /// The body runs on the connection's thread from BEGIN to COMMIT, without a hop between its statements.
    /// - Throws: The body's error. `connectionLost` during COMMIT leaves unknown whether it took effect.
    ///   `notReplicated` if it took effect on one server only, although a standby was to have it too; the connection is
    ///   then closed.
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
                // A method of the actor, because a closure that captures no actor would leave the connection's thread.
                try blockThread(session, file, line, body)
            } onCancel: {
                cancellation.cancel(operation)
            }
            guard !session.tookUnreplicatedCommit() else { throw notReplicated(file, line) }
            return value
        } catch let error as PostgresError where error.code == .queryCanceled && Task.isCancelled {
            throw CancellationError()
        } catch let error as PostgresError where error.sqlState == Self.readOnly && !readsOnly {
            // Drops the connection: it reads only for as long as it lasts, and the next may reach a server that writes.
            self.session = nil
            throw error
        } catch  where !session.isCurrent {
            // Drops the connection, which may still wait for the former server's answer.
            self.session = nil
            throw error
        }
    }

    /// Drops the connection, because a commit on one server alone does not count: work repeated on it would find the
    /// rows there and stop.
    private func notReplicated(_ file: String, _ line: UInt) -> PostgresError {
        session = nil
        return PostgresError(
            .notReplicated, "the wait for a synchronous standby was cut short", sqlState: "01000", file: file,
            line: line)
    }

    /// read_only_sql_transaction: the server has become read-only.
    private static let readOnly = "25006"

    private func blockThread<T>(
        _ session: Session, _ file: String, _ line: UInt, _ body: (Session) throws -> T
    ) throws -> T {
        try locating(file, line) { try body(session) }
    }
}
