import Synchronization

/// A fixed number of shared connections.
///
/// `run()` opens the connections, replaces broken ones for as long as it takes, and closes them when its task is
/// cancelled. While the server is away callers wait, in order, up to a bound: that wait stops the flow upstream.
package final class PostgresPool: Sendable {
    private typealias Waiter = CheckedContinuation<PostgresConnection, any Error>

    private struct State {
        var queue: PoolQueue<PostgresConnection, Waiter>
        var nextNumber: UInt64 = 0
        var openCount = 0
    }

    private let configuration: PostgresConfiguration
    private let clock: any Clock<Duration>
    private let onConnectFailure: @Sendable (PostgresError) -> Void
    private let onReconnect: @Sendable () -> Void
    private let state: Mutex<State>
    /// The time at which one of the connections last reported that it waits for the server.
    private let lastTurn = LastTurn()
    /// One element for each missing connection.
    private let vacancies: AsyncStream<Void>
    private let vacancyReporter: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - size: The number of open connections, each with a thread.
    ///   - maximumWaiting: The most callers that may wait; further ones get `poolExhausted` at once.
    ///   - onConnectFailure: Called for each failed attempt to connect; attempts go on.
    ///   - onReconnect: Called when an attempt succeeds after others have failed.
    package init(
        _ configuration: PostgresConfiguration, size: Int, maximumWaiting: Int = 1024,
        clock: any Clock<Duration> = ContinuousClock(),
        onConnectFailure: @escaping @Sendable (PostgresError) -> Void = { _ in },
        onReconnect: @escaping @Sendable () -> Void = {}
    ) {
        precondition(size > 0, "a pool needs at least one connection")
        var configuration = configuration
        configuration.onTurn = { [lastTurn] in lastTurn.note() }
        self.configuration = configuration
        self.clock = clock
        self.onConnectFailure = onConnectFailure
        self.onReconnect = onReconnect
        state = Mutex(State(queue: PoolQueue(maximumWaiting: maximumWaiting)))
        (vacancies, vacancyReporter) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(size))
        for _ in 0..<size { vacancyReporter.yield() }
    }

    /// Open connections, in use or idle. 0 means that the server is away.
    package var openCount: Int { state.withLock(\.openCount) }
    /// Connections that are lent out.
    package var inUseCount: Int { state.withLock { $0.openCount - $0.queue.idle.count } }
    /// Callers that wait for a connection.
    package var waitingCount: Int { state.withLock(\.queue.waitingCount) }

    /// Keeps the connections open until the task is cancelled. Call it once.
    package func run() async {
        await withDiscardingTaskGroup { group in
            for await _ in vacancies {
                // Ends early only when the pool's own task is cancelled.
                group.addTask { try? await self.fillVacancy() }
            }
        }
        for waiter in state.withLock({ $0.queue.close() }) {
            waiter.resume(throwing: PostgresError(.closed, "the pool has stopped"))
        }
    }

    /// Lends a connection for the length of `body`, which must not keep it.
    /// - Parameter limit: The time to wait for a connection, for each one that turns out to be broken anew; nil waits
    ///   until one is free.
    /// - Throws: `poolExhausted`, `closed`, `CancellationError` while waiting; otherwise what the body throws.
    package func withConnection<T>(
        waitingAtMost limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation,
        _ body: (PostgresConnection) async throws -> T
    ) async throws -> T {
        let connection = try await checkOut(waitingAtMost: limit)
        defer { checkIn(connection) }
        return try await body(connection)
    }

    private func fillVacancy() async throws {
        let connection = try await keepConnecting(clock, onConnectFailure, onReconnect) { _ in
            try await PostgresConnection.connect(configuration)
        }
        state.withLock { $0.openCount += 1 }
        checkIn(connection)
    }

    private func checkOut(waitingAtMost limit: Duration?) async throws -> PostgresConnection {
        while true {
            let connection = try await nextConnection(waitingAtMost: limit)
            if await connection.isStillThere() { return connection }
            checkIn(connection)
        }
    }

    private func checkIn(_ connection: PostgresConnection) {
        guard connection.isUsable else {
            state.withLock { $0.openCount -= 1 }
            vacancyReporter.yield()
            return
        }
        state.withLock { $0.queue.offer(connection) }?.resume(returning: connection)
    }

    private func nextConnection(waitingAtMost limit: Duration?) async throws -> PostgresConnection {
        let number = state.withLock {
            $0.nextNumber += 1
            return $0.nextNumber
        }
        guard limit != nil || ServerWait.onTurn != nil else { return try await connection(for: number) }
        async let _: Void = withdraw(number, after: limit)
        async let _: Void = turnWithOthers()
        return try await connection(for: number)
    }

    /// Reports each second that this caller waits for the server, while the connections in use do.
    private func turnWithOthers() async {
        guard let onTurn = ServerWait.onTurn else { return }
        while (try? await ContinuousClock().sleep(for: ServerWait.turn)) != nil {
            if lastTurn.isRecent { onTurn() }
        }
    }

    /// Ends a wait after the limit. A connection that was handed out at the same moment stays handed out.
    private func withdraw(_ number: UInt64, after limit: Duration?) async {
        guard let limit else { return }
        do { try await clock.sleep(for: limit) } catch { return }
        state.withLock { $0.queue.withdraw(number: number) }?
            .resume(throwing: PostgresError(.poolExhausted, "no connection was free within \(limit)"))
    }

    private func connection(for number: UInt64) async throws -> PostgresConnection {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiter: Waiter) in
                // Inside the lock: a cancellation before it is seen here, a later one finds the waiter in the queue.
                let answer: PoolQueue<PostgresConnection, Waiter>.Answer? = state.withLock {
                    Task.isCancelled ? nil : $0.queue.checkOut(number: number, waiter: waiter)
                }
                switch answer {
                case .take(let connection): waiter.resume(returning: connection)
                case .wait: break
                case .refuse(let error): waiter.resume(throwing: error)
                case nil: waiter.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            state.withLock { $0.queue.withdraw(number: number) }?.resume(throwing: CancellationError())
        }
    }
}

/// The time at which one of a pool's connections last waited for the server.
private final class LastTurn: Sendable {
    private let time = Mutex<ContinuousClock.Instant?>(nil)

    func note() { time.withLock { $0 = .now } }

    /// Whether a connection waits now; a waiting one reports once a second.
    var isRecent: Bool { time.withLock { time in time.map { .now - $0 < ServerWait.turn * 3 } ?? false } }
}
