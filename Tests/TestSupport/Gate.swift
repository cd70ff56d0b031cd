import Foundation

/// Runs `body` in its turn among the heavy tests of this process, those that start whole systems: as many at once as there are
/// cores, since more would only wait for one another, and everything else for them.
package func withHeavyTurn<Result>(_ body: () async throws -> Result) async throws -> Result {
    try await heavyTurn.pass(body)
}

private let heavyTurn = Gate(ProcessInfo.processInfo.activeProcessorCount)

/// Lets so many through at a time.
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

/// Things that are made once, on first need.
actor Templates {
    private var made: [String: Task<String, any Error>] = [:]
    /// Migrations also set what all databases of a server share, the roles' settings, and two at once refuse each other.
    private let turn = Gate(1)

    func named(_ key: String, _ make: @Sendable @escaping (String) async throws -> String) async throws -> String {
        if let task = made[key] { return try await task.value }
        // Unstructured on purpose: the test that asked first may be cancelled, the others still need the result.
        let task = Task {
            try await turn.pass { try await make("template_\(key)_\(UUID().uuidString.prefix(8).lowercased())") }
        }
        made[key] = task
        do { return try await task.value } catch {
            // One that failed, whose database is not there or not whole, spoils no later test; they make another.
            made[key] = nil
            throw error
        }
    }
}
