import ServiceKit
import ServiceLifecycle
import Synchronization

enum ServiceTrouble: Error {
    case diskFull
}

/// A service made of a closure.
struct ClosureService: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws {
        try await body()
    }
}

/// Runs until it is asked to stop, and records its events.
final class PatientService: Service {
    private let events = Mutex<[String]>([])

    var history: [String] { events.withLock { $0 } }

    func run() async throws {
        events.withLock { $0.append("started") }
        try await gracefulShutdown()
        events.withLock { $0.append("stopped") }
    }
}

/// Ignores both requests to stop and cancellation until it is released.
final class StubbornService: Service {
    private let gate: AsyncStream<Void>.Continuation
    private let stream: AsyncStream<Void>

    init() {
        (stream, gate) = AsyncStream.makeStream(of: Void.self)
    }

    func release() {
        gate.finish()
    }

    func run() async throws {
        let stream = stream
        // Unstructured, so that the group's cancellation does not reach it.
        await Task { for await _ in stream {} }.value
    }
}

/// A service that returns at once, unasked.
struct HastyService: Service {
    let password: String

    func run() async throws {}
}
