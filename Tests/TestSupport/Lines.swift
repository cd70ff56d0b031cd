import Foundation
import Synchronization

/// The lines of a growing text, from its beginning, for any number of readers.
package final class Lines: Sendable {
    private struct State {
        var complete: [String] = []
        var rest = Data()
        var ended = false
        var readers: [Int: AsyncStream<String>.Continuation] = [:]
        var nextReader = 0
    }

    private let state = Mutex(State())

    init() {}

    /// All lines so far, then the following ones, until the text ends. Each call is an independent reader.
    package func stream() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        state.withLock { state in
            for line in state.complete { continuation.yield(line) }
            guard !state.ended else { return continuation.finish() }
            let reader = state.nextReader
            state.nextReader += 1
            state.readers[reader] = continuation
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { state in state.readers[reader] = nil }
            }
        }
        return stream
    }

    /// The last lines so far, for messages of failures.
    package func tail(_ count: Int = 20) -> String {
        state.withLock { state in state.complete.suffix(count).joined(separator: "\n") }
    }

    package var count: Int { state.withLock { $0.complete.count } }

    package var all: [String] { state.withLock { state in state.complete } }

    /// Reads a pipe to its end.
    func read(_ pipe: FileHandle) -> Task<Void, Never> {
        onThread {
            while case let data = pipe.availableData, !data.isEmpty { self.append(data) }
            self.finish()
        }
    }

    private func append(_ data: Data) {
        state.withLock { state in
            state.rest.append(data)
            while let end = state.rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: state.rest[..<end], as: UTF8.self)
                state.rest = Data(state.rest[(end + 1)...])
                state.complete.append(line)
                for reader in state.readers.values { reader.yield(line) }
            }
        }
    }

    private func finish() {
        let readers = state.withLock { state in
            if !state.rest.isEmpty {
                let line = String(decoding: state.rest, as: UTF8.self)
                state.complete.append(line)
                for reader in state.readers.values { reader.yield(line) }
                state.rest = Data()
            }
            state.ended = true
            defer { state.readers = [:] }
            return Array(state.readers.values)
        }
        for reader in readers { reader.finish() }
    }
}
