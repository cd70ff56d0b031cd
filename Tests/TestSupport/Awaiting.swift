/// What went wrong in a test's surroundings, in a sentence.
package struct TestSupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Runs `body`, but gives it up when nothing has moved for the limit. The limit is a safety net for tests that would hang,
/// never an expectation.
/// - Parameter progress: Whatever changes while things go on, such as the count of lines read; each change starts the limit
///   anew.
package func withDeadline<Result: Sendable>(
    _ limit: Duration, _ what: String, progress: @Sendable @escaping () -> Int = { 0 },
    _ body: @Sendable @escaping () async throws -> Result, detail: @Sendable @escaping () -> String = { "" }
) async throws -> Result {
    let patience = Patience<Int>(limit, leastLooks: 100)
    return try await withPatience(patience, what, onTurn: { patience.look(progress()) }, body, detail: detail)
}

/// Awaits a fact that announces itself nowhere, such as a row, by asking again and again.
/// - Returns: The first answer that is not nil.
@discardableResult
package func awaitFact<Fact: Sendable>(
    _ what: String, within limit: Duration = .seconds(120), _ ask: @Sendable @escaping () async throws -> Fact?
) async throws -> Fact {
    let patience = Patience<Bool>(limit)
    return try await withPatience(patience, what) {
        while true {
            if let fact = try await ask() { return fact }
            patience.look(false)
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// Awaits a certain answer to a question, such as the count of some rows. As long as the answers change there is hope: each
/// new one starts the limit anew.
/// - Returns: The first answer that satisfies the condition.
@discardableResult
package func awaitAnswer<Answer: Equatable & Sendable>(
    _ what: String, within limit: Duration = .seconds(120), where isAwaited: @Sendable @escaping (Answer) -> Bool,
    _ ask: @Sendable @escaping () async throws -> Answer
) async throws -> Answer {
    let patience = Patience<Answer>(limit)
    return try await withPatience(patience, what) {
        while true {
            let answer = try await ask()
            if isAwaited(answer) { return answer }
            patience.look(answer)
            try await Task.sleep(for: .milliseconds(10))
        }
    } detail: {
        "The last answer: \(patience.lastSeen.map { "\($0)" } ?? "none")"
    }
}

/// A race between `body` and the end of the patience with it.
private func withPatience<Seen, Result: Sendable>(
    _ patience: Patience<Seen>, _ what: String, onTurn: @Sendable @escaping () -> Void = {},
    _ body: @Sendable @escaping () async throws -> Result, detail: @Sendable @escaping () -> String = { "" }
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
