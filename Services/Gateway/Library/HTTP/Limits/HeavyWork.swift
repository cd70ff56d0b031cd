import Routes
import ServiceKit
import Synchronization
import WaterQuality

/// The one gate for work that keeps the database busy: tables, archives, charts, back-tests, explanations.
typealias HeavyWork = FairWork<Account.ID>

/// A gate for work of many. The transactions take turns at a few places, person by person, so that one person's many
/// requests make others wait for no more than a turn.
final class FairWork<Person: Hashable & Sendable>: Sendable {
    struct Bounds: Sendable {
        /// Transactions at once: fewer than there are connections, so that quick requests find one.
        var places = 4
        var placesOfPerson = 2
        /// Requests at once, as many as a page with all charts of a device makes.
        var jobsOfPerson = 40
        var jobs = 1_000
    }

    private struct State {
        var turns: FairTurns<Person, CheckedContinuation<Void, any Error>>
        var jobs: [Person: Int] = [:]
        var jobCount = 0
        var nextNumber: UInt64 = 0
    }

    private let bounds: Bounds
    private let state: Mutex<State>

    init(_ bounds: Bounds) {
        self.bounds = bounds
        state = Mutex(State(turns: FairTurns(places: bounds.places, placesOfPerson: bounds.placesOfPerson)))
    }

    /// How many transactions wait for their turn.
    var waiting: Int { state.withLock(\.turns.waitingCount) }

    /// Begins a request of a person, which ends with the job's last reference, whether or not its answer was ever written.
    /// - Throws: `Problem(.tooManyRequests)` when the person has too many, `Problem(.unavailable)` when there are too
    ///   many in all.
    func job(of person: Person) throws(Problem) -> Job {
        let refusal: Problem? = state.withLock { state in
            guard state.jobs[person] ?? 0 < bounds.jobsOfPerson else {
                return Problem(.tooManyRequests, retryAfter: .seconds(2))
            }
            guard state.jobCount < bounds.jobs else { return Problem(.unavailable, retryAfter: .seconds(5)) }
            state.jobs[person, default: 0] += 1
            state.jobCount += 1
            return nil
        }
        if let refusal { throw refusal }
        return Job(person, self)
    }

    final class Job: Sendable {
        private let person: Person
        private let work: FairWork

        fileprivate init(_ person: Person, _ work: FairWork) {
            self.person = person
            self.work = work
        }

        deinit { work.end(person) }

        /// Runs `body` when it is the person's turn.
        /// - Throws: `CancellationError` when the task is cancelled before.
        func turn<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
            try await work.enter(person)
            defer { work.leave(person) }
            return try await body()
        }
    }

    private func end(_ person: Person) {
        state.withLock { state in
            state.jobs[person] = state.jobs[person].flatMap { $0 > 1 ? $0 - 1 : nil }
            state.jobCount -= 1
        }
    }

    private func enter(_ person: Person) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isNow = state.withLock { $0.turns.enter(person, number: number, waiter: continuation) }
                if isNow {
                    continuation.resume()
                } else if Task.isCancelled {
                    // Cancelled before it waited, so that `onCancel` found nothing to withdraw.
                    withdraw(person, number)
                }
            }
        } onCancel: {
            withdraw(person, number)
        }
    }

    private func withdraw(_ person: Person, _ number: UInt64) {
        state.withLock { $0.turns.withdraw(person, number: number) }?.resume(throwing: CancellationError())
    }

    private func leave(_ person: Person) {
        state.withLock { $0.turns.leave(person) }?.resume()
    }
}
