import Synchronization
import TestSupport

/// Requests of several kinds by turns at a fixed rate, whether or not earlier ones have been answered.
struct GatewayRequests<Kind: Hashable & Sendable>: Sendable {
    /// Chance says whose turn it is.
    let people: AskingPeople
    let rate: Int
    let kinds: [Kind]
    /// The path that a person asks for; requests are numbered from 0.
    let path: @Sendable (_ kind: Kind, _ person: Int, _ number: Int) -> String

    /// - Returns: The times of each kind.
    func run(seconds: Int, seed: UInt64) async throws -> [Kind: Distribution] {
        var generator = SeededGenerator(seed: seed)
        let taken = Times()
        let start = ContinuousClock.now + .milliseconds(100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<rate * seconds {
                let due = start + .seconds(1) * number / rate
                let person = Int.random(in: 0..<people.tokens.count, using: &generator)
                let kind = kinds[number % kinds.count]
                try await Task.sleep(until: due, clock: .continuous)
                group.addTask {
                    _ = try await people.ask(path(kind, person, number), as: person)
                    // Counts from the time when the request was due, so that a stall counts for all who waited.
                    taken.add(.now - due, kind)
                }
            }
            try await group.waitForAll()
        }
        return taken.distributions
    }

    private final class Times: Sendable {
        private let times = Mutex<[Kind: [Duration]]>([:])

        func add(_ took: Duration, _ kind: Kind) { times.withLock { $0[kind, default: []].append(took) } }

        var distributions: [Kind: Distribution] { times.withLock { $0.mapValues { Distribution($0) } } }
    }
}
