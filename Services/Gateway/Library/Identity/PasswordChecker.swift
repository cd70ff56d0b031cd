package import Secrets
import Synchronization
import ThreadExecutor

/// Hashes passwords on threads of its own, as many at once as there are processors: each hash takes a quarter of a
/// second and 32 MiB.
///
/// The queue is bounded, since sign-ins cost a stranger nothing. Clients that have signed in before come first, and
/// strangers leave places for them: a flood of guesses delays other strangers only.
package final class PasswordChecker: Sendable {
    /// The queue is full: the caller answers 503.
    package struct Busy: Error {}

    /// A password hashed with an account's salt. The database decides whether it is the account's.
    package struct Derived: Sendable {
        package let hash: String
        /// Whether the salt has former costs, so that a new hash is to be stored.
        package let isOutdated: Bool
    }

    package enum Urgency: Sendable { case stranger, familiar }

    private let workers: [Worker]
    private let turns: Mutex<Turns>
    private let cost: PasswordHash.Cost
    private let nobody: PasswordSalt

    /// - Parameters:
    ///   - threads: Hashes at once.
    ///   - queue: Most that wait; a quarter of the places is for familiar clients only.
    ///   - cost: The standard, except in tests.
    package init(threads: Int, queue: Int = 64, cost: PasswordHash.Cost = .standard) {
        workers = (0..<max(1, threads)).map { Worker(number: $0) }
        turns = Mutex(Turns(free: Array(workers.indices), places: queue))
        self.cost = cost
        nobody = .random(cost: cost)
    }

    /// The number that wait for a thread.
    package var waiting: Int { turns.withLock(\.waiting) }

    /// - Parameter salt: nil for an address without an account; hashing takes as long.
    /// - Throws: `Busy`.
    package func derive(
        _ password: String, by salt: PasswordSalt?, urgency: Urgency = .stranger
    ) async throws -> Derived {
        let salt = salt ?? nobody
        let hash = try await run(urgency) { try salt.hash(password) }
        return Derived(hash: hash.description, isOutdated: salt.needsRehash(at: cost))
    }

    /// - Throws: `Busy`.
    package func hash(_ password: String, urgency: Urgency = .stranger) async throws -> PasswordHash {
        let cost = cost
        return try await run(urgency) { try PasswordHash.create(password, cost: cost) }
    }

    /// Runs `body` on one of the threads, when it is its turn.
    func run<Value: Sendable>(
        _ urgency: Urgency, _ body: @Sendable () throws -> Value
    ) async throws -> Value {
        let worker = try await takeTurn(urgency)
        defer { turns.withLock { $0.end(worker) }?.resume(returning: worker) }
        return try await workers[worker].run(body)
    }

    private func takeTurn(_ urgency: Urgency) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            switch turns.withLock({ $0.begin(urgency, continuation) }) {
            case .now(let worker): continuation.resume(returning: worker)
            case .later: break
            case .never: continuation.resume(throwing: Busy())
            }
        }
    }
}

/// Decides whose turn it is on the threads.
private struct Turns: Sendable {
    typealias Waiter = CheckedContinuation<Int, any Error>

    enum Answer {
        case now(Int)
        case later, never
    }

    var free: [Int]
    /// Most that may wait.
    let places: Int
    private var strangers: [Waiter] = []
    private var familiar: [Waiter] = []

    init(free: [Int], places: Int) {
        self.free = free
        self.places = places
    }

    var waiting: Int { strangers.count + familiar.count }

    mutating func begin(_ urgency: PasswordChecker.Urgency, _ waiter: Waiter) -> Answer {
        if let worker = free.popLast() { return .now(worker) }
        switch urgency {
        case .stranger:
            guard strangers.count < places - places / 4, waiting < places else { return .never }
            strangers.append(waiter)
        case .familiar:
            guard waiting < places else { return .never }
            familiar.append(waiter)
        }
        return .later
    }

    /// - Returns: The waiter that gets the thread.
    mutating func end(_ worker: Int) -> Waiter? {
        if !familiar.isEmpty { return familiar.removeFirst() }
        if !strangers.isEmpty { return strangers.removeFirst() }
        free.append(worker)
        return nil
    }
}

/// One thread.
private actor Worker {
    private let executor: ThreadExecutor

    init(number: Int) {
        executor = ThreadExecutor(name: "aqua-password\(number)")
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func run<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value { try body() }
}
