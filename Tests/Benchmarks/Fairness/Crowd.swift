import Synchronization
import TestSupport

/// The person who has many alerts due: as fast as they arrive, further ones are decided.
final class Crowd: Sendable {
    /// The fleet's number of the person's device.
    static let device = 0
    /// How often what has arrived is made up for.
    private static let pause = Duration.milliseconds(100)

    private let arrived = Atomic(0)
    private let decided = Atomic(0)

    func noteArrival() { arrived.add(1, ordering: .relaxed) }

    /// How many alerts have to be decided so that as many are due.
    static func missing(of due: Int, decided: Int, arrived: Int) -> Int { max(0, due - (decided - arrived)) }

    /// Keeps as many alerts due while `body` runs, which begins when the first ones arrive.
    /// - Returns: What `body` returns, and how many arrived in a second meanwhile.
    func with<Result: Sendable>(
        _ due: Int, in database: TestDatabase, _ body: @Sendable @escaping () async throws -> Result
    ) async throws -> (result: Result, perSecond: Double) {
        try await withThrowingTaskGroup(of: (Result, Double)?.self) { group in
            group.addTask {
                try await DueAlerts.with(database) { try await self.keep(due, $0) }
                return nil
            }
            group.addTask {
                try await awaitFact("the first alerts of the person who has many") {
                    self.arrived.load(ordering: .relaxed) > 0 ? true : nil
                }
                let (before, started) = (self.arrived.load(ordering: .relaxed), ContinuousClock.now)
                let result = try await body()
                let count = self.arrived.load(ordering: .relaxed) - before
                return (result, Double(count) / ((ContinuousClock.now - started) / .seconds(1)))
            }
            defer { group.cancelAll() }
            while let ended = try await group.next() {
                if let ended { return ended }
            }
            throw CancellationError()
        }
    }

    /// Decides alerts until it is cancelled.
    private func keep(_ due: Int, _ alerts: DueAlerts) async throws {
        while !Task.isCancelled {
            let missing = Self.missing(
                of: due, decided: decided.load(ordering: .relaxed), arrived: arrived.load(ordering: .relaxed))
            if missing > 0 {
                try await alerts.decide(missing, of: Self.device)
                decided.add(missing, ordering: .relaxed)
            }
            try await Task.sleep(for: Self.pause)
        }
    }
}
