import Foundation

/// Runs `body` in its turn among the heavy tests of this process, those that start whole systems. As many run at once
/// as there are cores: more would only slow each other, and every other test.
package func withHeavyTurn<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await heavyTurn.pass(body)
}

private let heavyTurn = Gate(ProcessInfo.processInfo.activeProcessorCount)

/// Limits how many bodies run at a time.
actor Gate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ places: Int) { free = places }

    nonisolated func pass<Result>(_ body: () async throws -> Result) async throws -> Result {
        await enter()
        do {
            let result = try await body()
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}

/// Values that are made once, on first use.
actor Templates {
    private var made: [String: Task<String, any Error>] = [:]
    /// Migrations also set the roles' settings, which all databases of a server share, and concurrent ones conflict.
    private let turn = Gate(1)

    func named(_ key: String, _ make: @Sendable @escaping (String) async throws -> String) async throws -> String {
        if let task = made[key] { return try await task.value }
        // Unstructured on purpose: the test that asked first may be cancelled, the others still need the result.
        let task = Task {
            try await turn.pass { try await make("template_\(key)_\(UUID().uuidString.prefix(8).lowercased())") }
        }
        made[key] = task
        do { return try await task.value } catch {
            // A failed attempt, whose database is missing or incomplete, must not fail later tests: they make another.
            made[key] = nil
            throw error
        }
    }
}
