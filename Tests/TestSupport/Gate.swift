import Foundation

/// Runs `body` in its turn among the heavy tests of this process, those that start whole systems. At most one per core
/// runs at a time: more would only slow every test.
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
    /// Limits migrations to one at a time: they set the roles' settings, which all databases of a server share.
    private let turn = Gate(1)

    func named(_ key: String, _ make: @Sendable @escaping (String) async throws -> String) async throws -> String {
        if let task = made[key] { return try await task.value }
        // An unstructured task: if the test that asked first is cancelled, the others still need the result.
        let task = Task {
            try await turn.pass { try await make("template_\(key)_\(UUID().uuidString.prefix(8).lowercased())") }
        }
        made[key] = task
        do { return try await task.value } catch {
            // A failed attempt is forgotten: its database is missing or incomplete, and later tests make another.
            made[key] = nil
            throw error
        }
    }
}
