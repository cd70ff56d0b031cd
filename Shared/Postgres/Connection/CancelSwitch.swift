import CLibpq
import Synchronization
import ThreadExecutor

/// Lets another thread cancel the operation that a connection runs, and no other.
///
/// PostgreSQL's cancel request names a server process, not a statement, and a process that waits for its next command
/// ignores it. So the lock is held while a request is made (no statement can end and another begin meanwhile), and the
/// request is repeated until the operation has ended.
final class CancelSwitch: Sendable {
    /// One operation of a connection: a statement or a whole transaction.
    struct Operation: Sendable, Equatable {
        fileprivate let number: UInt64
    }

    private struct State: ~Copyable {
        let handle: CancelHandle
        var current: UInt64 = 0
        var isActive = false
        var isCancelled = false
        var isRunning = false
    }

    private let state: Mutex<State>

    init(_ connection: OpaquePointer) throws(PostgresError) {
        state = Mutex(State(handle: try CancelHandle(connection)))
    }

    func begin() -> Operation {
        state.withLock {
            $0.current += 1
            $0.isActive = true
            $0.isCancelled = false
            return Operation(number: $0.current)
        }
    }

    func end() {
        state.withLock { $0.isActive = false }
    }

    /// Runs one blocking call of libpq that a cancellation may interrupt.
    func run<R>(_ body: () throws(PostgresError) -> R) throws(PostgresError) -> R {
        let isCancelled = state.withLock {
            $0.isRunning = !$0.isCancelled
            return $0.isCancelled
        }
        if isCancelled { throw PostgresError(.queryCanceled, "the task was cancelled before the statement") }
        defer { state.withLock { $0.isRunning = false } }
        return try body()
    }

    /// Cancels the operation, unless it has ended. Never blocks.
    func cancel(_ operation: Operation) {
        let isActive = state.withLock {
            guard $0.isActive, $0.current == operation.number else { return false }
            $0.isCancelled = true
            return true
        }
        guard isActive else { return }
        // Unstructured, because a cancellation handler cannot wait and the cancelled task cannot be the parent; the
        // task ends with the operation.
        Task { await Canceller.shared.cancel(operation, of: self) }
    }

    /// Requests a cancellation.
    /// - Returns: false once the operation has ended.
    fileprivate func request(_ operation: Operation) -> Bool {
        state.withLock {
            guard $0.isActive, $0.current == operation.number else { return false }
            if $0.isRunning { $0.handle.request() }
            return true
        }
    }
}

/// Sends cancel requests on a thread of its own, because each opens a connection and waits for the server.
private actor Canceller {
    static let shared = Canceller()

    private let executor = ThreadExecutor(name: "pg-cancel")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func cancel(_ operation: CancelSwitch.Operation, of target: CancelSwitch) async {
        while target.request(operation) {
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}

/// A `PGcancel`: a server process's address and key, copied from its connection.
///
/// `@unchecked Sendable`: libpq makes this object for use from any thread; it never changes after creation, and its
/// only owner frees it.
private struct CancelHandle: ~Copyable, @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ connection: OpaquePointer) throws(PostgresError) {
        guard let handle = PQgetCancel(connection) else {
            throw PostgresError(.connectionLost, "the connection cannot be cancelled, it is closed")
        }
        self.handle = handle
    }

    deinit { PQfreeCancel(handle) }

    /// Sends one request. A failure is not reported: the statement then ends by itself or with its connection.
    func request() {
        var complaint = [CChar](repeating: 0, count: 256)
        _ = PQcancel(handle, &complaint, Int32(complaint.count))
    }
}
