import AsyncHTTPClient
import Backoff
import NIOCore
package import PushTargets
import Synchronization
import ThreadExecutor

/// Resolves the names that messages are sent to: nothing else in a service asks a name server.
///
/// Each name has one look-up at a time, and its answer is kept for a few seconds, so that a storm of messages to one
/// host asks once. Look-ups run on a bounded number of threads of their own, in the order that `LookupLanes` decides.
package final class NameLookup: Sendable {
    enum Failure: Error {
        case unknownName
        /// The limit passed, or too many names wait to be looked up.
        case timeout
    }

    private struct Entry {
        let answer: EventLoopPromise<[IPAddress]>
        /// The time of the answer; nil while the look-up runs, when the name is not asked for again.
        var answeredAt: ContinuousClock.Instant?
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The last behaviour of the names' servers.
        var reputes = RecentMemory<String, LookupLanes.Repute>(most: 8192)
        var lanes: LookupLanes

        mutating func startSome() -> [String] {
            var names: [String] = []
            while let name = lanes.start() { names.append(name) }
            return names
        }

        /// Keeps an answer for other callers, if there is room.
        mutating func keep(_ name: String, kept: Duration, capacity: Int) {
            entries[name]?.answeredAt = .now
            guard entries.count > capacity else { return }
            entries = entries.filter { $0.value.answeredAt.map { .now - $0 < kept } ?? true }
            if entries.count > capacity { entries[name] = nil }
        }
    }

    private let kept: Duration
    private let capacity: Int
    /// Looks up a name; may block.
    private let ask: @Sendable (String) -> [IPAddress]
    private let state: Mutex<State>

    /// The longest time in which an answer counts as prompt.
    private static let prompt = Duration.seconds(1)

    /// - Parameter ask: Looks up a name and may block; the system's resolver by default.
    package convenience init(ask: @escaping @Sendable (String) -> [IPAddress] = NameLookup.system) {
        self.init(kept: .seconds(5), ask: ask)
    }

    init(
        kept: Duration = .seconds(5), capacity: Int = 4096, bounds: LookupLanes.Bounds = .init(),
        ask: @escaping @Sendable (String) -> [IPAddress]
    ) {
        self.kept = kept
        self.capacity = capacity
        self.ask = ask
        state = Mutex(State(lanes: LookupLanes(bounds)))
    }

    /// All addresses of a name, at least one.
    /// - Parameters:
    ///   - account: The asking account; the look-ups of one account at once are bounded.
    ///   - limit: The longest wait; the look-up itself cannot be interrupted.
    /// - Throws: `Failure`, or `CancellationError`.
    func addresses(of name: String, for account: AskerID, within limit: Duration) async throws -> [IPAddress] {
        let eventLoop = HTTPClient.defaultEventLoopGroup.any()
        let answer = try answer(for: name, account, on: eventLoop)
        let mine = eventLoop.makePromise(of: [IPAddress].self)
        answer.cascade(to: mine)
        let timeout = eventLoop.scheduleTask(in: TimeAmount(limit)) { mine.fail(Failure.timeout) }
        defer { timeout.cancel() }
        // The promise takes the first of several results.
        return try await withTaskCancellationHandler {
            try await mine.futureResult.get()
        } onCancel: {
            mine.fail(CancellationError())
        }
    }

    private func answer(
        for name: String, _ account: AskerID, on eventLoop: any EventLoop
    ) throws(Failure) -> EventLoopFuture<[IPAddress]> {
        let (answer, started) = state.withLock { state -> (EventLoopFuture<[IPAddress]>?, [String]) in
            let entry = state.entries[name]
            if let entry, entry.answeredAt.map({ .now - $0 < kept }) ?? false {
                return (entry.answer.futureResult, [])
            }
            guard state.lanes.add(name, state.reputes[name] ?? .unknown, for: account) else { return (nil, []) }
            if let entry, entry.answeredAt == nil { return (entry.answer.futureResult, state.startSome()) }
            let promise = eventLoop.makePromise(of: [IPAddress].self)
            state.entries[name] = Entry(answer: promise)
            return (promise.futureResult, state.startSome())
        }
        for name in started { begin(name) }
        guard let answer else { throw .timeout }
        return answer
    }

    /// Looks a name up, and then others as long as any may start.
    private func lookUp(_ name: String) {
        var next: String? = name
        while let name = next {
            let started = ContinuousClock.now
            let addresses = ask(name)
            let isPrompt = .now - started < Self.prompt
            let (promise, others) = state.withLock { state in
                state.lanes.finish(name)
                state.reputes[name] = isPrompt ? .prompt : .hung
                let promise = state.entries[name]?.answer
                state.keep(name, kept: kept, capacity: capacity)
                return (promise, state.startSome())
            }
            if addresses.isEmpty { promise?.fail(Failure.unknownName) } else { promise?.succeed(addresses) }
            next = others.first
            for name in others.dropFirst() { begin(name) }
        }
    }

    private func begin(_ name: String) {
        guard !startThread(name: "name-lookup", { self.lookUp(name) }) else { return }
        // Drops the entry, so that the next caller tries again.
        let promise = state.withLock { state in
            state.lanes.finish(name)
            return state.entries.removeValue(forKey: name)?.answer
        }
        promise?.fail(Failure.timeout)
    }
}
