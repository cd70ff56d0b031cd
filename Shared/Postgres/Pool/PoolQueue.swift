/// Decides which waiter gets which connection; the pool does the waiting.
///
/// There are never idle connections and waiters at once. `Connection` and `Waiter` are the pool's types; tests use
/// numbers.
struct PoolQueue<Connection, Waiter> {
    private(set) var idle: [Connection] = []
    private var waiters: [(number: UInt64, waiter: Waiter)] = []
    private(set) var isClosed = false
    private let maximumWaiting: Int

    init(maximumWaiting: Int) {
        self.maximumWaiting = maximumWaiting
    }

    var waitingCount: Int { waiters.count }

    enum Answer {
        case take(Connection)
        case wait
        case refuse(PostgresError)
    }

    /// Hands out the connection used last: its server process has warm caches.
    mutating func checkOut(number: UInt64, waiter: @autoclosure () -> Waiter) -> Answer {
        if isClosed { return .refuse(PostgresError(.closed, "the pool has stopped")) }
        if let connection = idle.popLast() { return .take(connection) }
        guard waiters.count < maximumWaiting else {
            return .refuse(PostgresError(.poolExhausted, "\(maximumWaiting) callers wait already"))
        }
        waiters.append((number, waiter()))
        return .wait
    }

    /// Takes a free connection, returned or new.
    /// - Returns: The first waiter, which gets the connection; nil if the connection is now idle or, once closed,
    ///   dropped.
    mutating func offer(_ connection: Connection) -> Waiter? {
        if isClosed { return nil }
        if waiters.isEmpty {
            idle.append(connection)
            return nil
        }
        return waiters.removeFirst().waiter
    }

    /// Removes a waiter.
    /// - Returns: The waiter, unless it waits no more.
    mutating func withdraw(number: UInt64) -> Waiter? {
        guard let index = waiters.firstIndex(where: { $0.number == number }) else { return nil }
        return waiters.remove(at: index).waiter
    }

    /// Closes the queue.
    /// - Returns: All waiters; none of them gets a connection any more.
    mutating func close() -> [Waiter] {
        isClosed = true
        idle = []
        defer { waiters = [] }
        return waiters.map(\.waiter)
    }
}
