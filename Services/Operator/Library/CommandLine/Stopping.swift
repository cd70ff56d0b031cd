import UnixSignals

/// Returns when a long-running verb has to end, or when its task is cancelled.
package typealias Stop = @Sendable () async -> Void

/// Makes a stop that returns after SIGINT, SIGTERM or the limit. From this call on the signals no longer end the process.
package func stopSignal(after limit: Duration? = nil) async -> Stop {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
    return {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in signals { break }
            }
            if let limit {
                group.addTask { try? await Task.sleep(for: limit) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}

private enum Ending<Result: Sendable>: Sendable {
    case stopped
    case finished(Result)
}

/// Runs `work` and cancels it when `stop` returns. The result is that of `work` in either case.
package func cancelling<Result: Sendable>(
    when stop: @escaping Stop, _ work: @escaping @Sendable () async throws -> Result
) async throws -> Result {
    try await withThrowingTaskGroup(of: Ending<Result>.self) { group in
        group.addTask { .finished(try await work()) }
        group.addTask {
            await stop()
            return .stopped
        }
        defer { group.cancelAll() }
        while let event = try await group.next() {
            switch event {
            case .finished(let result): return result
            case .stopped: group.cancelAll()
            }
        }
        throw CancellationError()
    }
}
