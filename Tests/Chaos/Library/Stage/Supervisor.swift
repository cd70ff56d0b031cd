import Glibc
import Synchronization
import TestSupport

/// Starts services and restarts them when they end, like an operator's supervisor, and nothing more.
final class Supervisor: Sendable {
    struct Copy: Hashable, Sendable {
        let program: Fault.Program
        fileprivate let number: Int
    }

    private struct State {
        var processes: [Copy: ProcessUnderTest] = [:]
        /// The processes that the suite has told to end, with the signal and the time.
        var told: [Int32: (signal: Int32, at: ContinuousClock.Instant)] = [:]
        var nextNumber = 1
        var isEnding = false
        var ends: [String] = []
    }

    private let environment: @Sendable (Fault.Program) throws -> [String: String]
    private let state = Mutex(State())
    private let starts: AsyncStream<Copy>
    private let start: AsyncStream<Copy>.Continuation
    private static let pause = Duration.milliseconds(200)
    /// The longest stop: services stop within 10 s, and a busy machine gets some more.
    private static let longestStop = Duration.seconds(15)

    /// Runs services as long as `body` runs.
    static func with<Result: Sendable>(
        environment: @Sendable @escaping (Fault.Program) throws -> [String: String],
        _ body: (Supervisor) async throws -> Result
    ) async throws -> Result {
        let supervisor = Supervisor(environment)
        async let running: Void = supervisor.run()
        do {
            let result = try await body(supervisor)
            await supervisor.end()
            try await running
            return result
        } catch {
            await supervisor.end()
            try? await running
            throw error
        }
    }

    private init(_ environment: @Sendable @escaping (Fault.Program) throws -> [String: String]) {
        self.environment = environment
        (starts, start) = AsyncStream.makeStream()
    }

    private func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            for await copy in starts { group.addTask { try await self.keep(copy) } }
        }
    }

    /// Restarts a copy until it is no longer wanted.
    private func keep(_ copy: Copy) async throws {
        while let process = state.withLock({ $0.processes[copy] }) {
            let end = await process.end
            let again = state.withLock { state in
                let told = state.told.removeValue(forKey: process.pid)
                if !state.isEnding, let fault = Self.fault(of: end, told) {
                    state.ends.append("\(process.name) \(fault) (\(end))\n\(process.tail)")
                }
                return !state.isEnding && state.processes[copy] != nil
            }
            guard again else { return }
            try await Task.sleep(for: Self.pause)
            let next = try launch(copy.program)
            let isWanted = state.withLock { state in
                guard !state.isEnding, state.processes[copy] != nil else { return false }
                state.processes[copy] = next
                return true
            }
            if !isWanted { next.signal(SIGKILL) }
        }
    }

    /// What was wrong with a process's end; nil for an expected end.
    private static func fault(
        of end: ProcessUnderTest.End, _ told: (signal: Int32, at: ContinuousClock.Instant)?
    ) -> String? {
        guard let told else { return "ended by itself" }
        guard told.signal == SIGTERM else { return nil }
        if end != .exit(0) { return "did not stop in an orderly way" }
        return .now - told.at > longestStop ? "took long to stop" : nil
    }

    private func launch(_ program: Fault.Program) throws -> ProcessUnderTest {
        try ProcessUnderTest.start(program.executable, environment: environment(program))
    }

    /// Starts one more copy.
    @discardableResult
    func add(_ program: Fault.Program) throws -> Copy {
        let process = try launch(program)
        let copy = state.withLock { state in
            let copy = Copy(program: program, number: state.nextNumber)
            state.nextNumber += 1
            state.processes[copy] = process
            return copy
        }
        start.yield(copy)
        return copy
    }

    /// The copies of a program, the oldest first.
    func copies(of program: Fault.Program) -> [Copy] {
        state.withLock { $0.processes.keys.filter { $0.program == program }.sorted { $0.number < $1.number } }
    }

    func signal(_ copy: Copy, _ number: Int32) {
        let process = state.withLock { state in
            let process = state.processes[copy]
            if number == SIGKILL || number == SIGTERM, let process { state.told[process.pid] = (number, .now) }
            return process
        }
        process?.signal(number)
    }

    /// Signals all copies of a program.
    func signal(_ program: Fault.Program, _ number: Int32) {
        for copy in copies(of: program) { signal(copy, number) }
    }

    /// Kills a copy for good.
    func remove(_ copy: Copy) {
        let process = state.withLock { state in
            let process = state.processes.removeValue(forKey: copy)
            if let process { state.told[process.pid] = (SIGKILL, .now) }
            return process
        }
        process?.signal(SIGKILL)
    }

    /// The copies that ended without being told, or otherwise than told, with the tails of their output.
    var unexpectedEnds: [String] { state.withLock { $0.ends } }

    /// The output tails of all running copies.
    var tails: String { state.withLock { $0.processes.values.map(\.tail).joined(separator: "\n") } }

    private func end() async {
        let processes = state.withLock { state in
            state.isEnding = true
            return Array(state.processes.values)
        }
        start.finish()
        for process in processes { process.signal(SIGCONT) }
        for process in processes { await process.stop() }
    }
}

extension Fault.Program {
    var executable: String { "aqua-\(rawValue)" }
}
