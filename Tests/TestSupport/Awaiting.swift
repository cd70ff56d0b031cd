/// A failure of a test's environment, described in a sentence.
package struct TestSupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Runs `body`, but gives up when nothing has changed for the limit. The limit is a safety net for tests that would
/// hang, never an expectation.
/// - Parameter progress: A value that changes with progress, such as the number of lines read; each change restarts the
///   limit.
package func withDeadline<Result: Sendable>(
    _ limit: Duration, _ what: String, _ body: @Sendable @escaping () async throws -> Result,
    progress: @Sendable @escaping () -> Int = { 0 }, detail: @Sendable @escaping () -> String = { "" }
) async throws -> Result {
    let patience = Patience<Int>(limit, leastLooks: 100)
    return try await withPatience(patience, what, body, onTurn: { patience.look(progress()) }, detail: detail)
}

/// Polls for a fact that nothing announces, such as a row.
/// - Returns: The first answer that is not nil.
@discardableResult
package func awaitFact<Fact: Sendable>(
    _ what: String, within limit: Duration = .seconds(120), _ ask: @Sendable @escaping () async throws -> Fact?
) async throws -> Fact {
    let patience = Patience<Bool>(limit)
    return try await withPatience(patience, what) {
        while true {
            let started = ContinuousClock.now
            if let fact = try await ask() { return fact }
            patience.look(false)
            try await pause(after: .now - started)
        }
    }
}

/// Polls until the answer to a query, such as a count of rows, satisfies a condition. Each change of the answer
/// restarts the limit.
/// - Returns: The first answer that satisfies the condition.
@discardableResult
package func awaitAnswer<Answer: Equatable & Sendable>(
    _ what: String, within limit: Duration = .seconds(120), _ ask: @Sendable @escaping () async throws -> Answer,
    where isAwaited: @Sendable @escaping (Answer) -> Bool
) async throws -> Answer {
    let patience = Patience<Answer>(limit)
    return try await withPatience(patience, what) {
        while true {
            let started = ContinuousClock.now
            let answer = try await ask()
            if isAwaited(answer) { return answer }
            patience.look(answer)
            try await pause(after: .now - started)
        }
    } detail: {
        "The last answer: \(patience.lastSeen.map { "\($0)" } ?? "none")"
    }
}

/// The pause between two polls: longer than a poll takes, so that waiting tests leave the machine to the work that they
/// wait for.
private func pause(after look: Duration) async throws {
    try await Task.sleep(for: min(max(.milliseconds(10), look * 3), .milliseconds(500)))
}

/// Runs `body`, and throws if its patience ends first.
private func withPatience<Seen, Result: Sendable>(
    _ patience: Patience<Seen>, _ what: String, _ body: @Sendable @escaping () async throws -> Result,
    onTurn: @Sendable @escaping () -> Void = {}, detail: @Sendable @escaping () -> String = { "" }
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await body() }
        group.addTask {
            while !patience.isOver {
                try await Task.sleep(for: .milliseconds(50))
                onTurn()
            }
            throw TestSupportError("\(what) did not come, and nothing moved for \(patience.limit)\n\(detail())")
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}
