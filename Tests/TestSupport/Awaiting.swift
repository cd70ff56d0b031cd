/// What went wrong in a test's surroundings, in a sentence.
package struct TestSupportError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Runs `body`, but no longer than the limit. The limit is a safety net for tests that would hang, never an expectation.
package func withDeadline<Result: Sendable>(
    _ limit: Duration, _ what: String, _ body: @Sendable @escaping () async throws -> Result,
    detail: @Sendable @escaping () -> String = { "" }
) async throws -> Result {
    try await withThrowingTaskGroup(of: Result.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw TestSupportError("\(what) did not come within \(limit)\n\(detail())")
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}

/// Awaits a fact that announces itself nowhere, such as a row, by asking again and again.
/// - Returns: The first answer that is not nil.
@discardableResult
package func awaitFact<Fact: Sendable>(
    _ what: String, within limit: Duration = .seconds(60), _ ask: @Sendable @escaping () async throws -> Fact?
) async throws -> Fact {
    try await withDeadline(limit, what) {
        while true {
            if let fact = try await ask() { return fact }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}
