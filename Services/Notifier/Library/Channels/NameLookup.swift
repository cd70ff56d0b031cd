import AsyncHTTPClient
import Dispatch
import Glibc
import NIOCore
package import PushTargets
import Synchronization

/// Tells where names lead before anything is dialled.
///
/// A name is looked up once at a time and its answer kept for a few seconds, so that a storm of messages to one host
/// asks once.
package final class NameLookup: Sendable {
    enum Failure: Error {
        case unknownName, timeout
    }

    private struct Entry {
        let answer: EventLoopFuture<[IPAddress]>
        /// nil while the answer has not come: until then nobody else asks.
        var answeredAt: ContinuousClock.Instant?
    }

    private let kept: Duration
    private let capacity: Int
    /// May block.
    private let ask: @Sendable (String) -> [IPAddress]
    private let entries = Mutex<[String: Entry]>([:])

    package init(
        kept: Duration = .seconds(5), capacity: Int = 1024,
        ask: @escaping @Sendable (String) -> [IPAddress] = NameLookup.system
    ) {
        self.kept = kept
        self.capacity = capacity
        self.ask = ask
    }

    /// All addresses of a name, at least one.
    /// - Parameter limit: A lookup cannot be interrupted, but whoever waits for it can.
    /// - Throws: `Failure`, or `CancellationError`.
    func addresses(of name: String, within limit: Duration) async throws -> [IPAddress] {
        let eventLoop = HTTPClient.defaultEventLoopGroup.any()
        let mine = eventLoop.makePromise(of: [IPAddress].self)
        answer(for: name, on: eventLoop).cascade(to: mine)
        let timeout = eventLoop.scheduleTask(in: TimeAmount(limit)) { mine.fail(Failure.timeout) }
        defer { timeout.cancel() }
        // Of several results the first counts.
        return try await withTaskCancellationHandler {
            try await mine.futureResult.get()
        } onCancel: {
            mine.fail(CancellationError())
        }
    }

    private func answer(for name: String, on eventLoop: any EventLoop) -> EventLoopFuture<[IPAddress]> {
        let promise = eventLoop.makePromise(of: [IPAddress].self)
        let isAsked = entries.withLock { entries in
            if let entry = entries[name], isFresh(entry) {
                promise.completeWith(entry.answer)
                return true
            }
            if entries.count >= capacity { entries = entries.filter { isFresh($0.value) } }
            if entries.count < capacity { entries[name] = Entry(answer: promise.futureResult) }
            return false
        }
        if isAsked { return promise.futureResult }
        // Many threads, since a name whose servers are silent holds one for long.
        DispatchQueue.global().async {
            let addresses = self.ask(name)
            self.entries.withLock { $0[name]?.answeredAt = .now }
            if addresses.isEmpty { promise.fail(Failure.unknownName) } else { promise.succeed(addresses) }
        }
        return promise.futureResult
    }

    private func isFresh(_ entry: Entry) -> Bool {
        entry.answeredAt.map { .now - $0 < kept } ?? true
    }

    /// The system's resolver, as the HTTP client asks it too.
    /// - Returns: Nothing when the name is not known, or nobody can tell at the moment.
    package static func system(_ name: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0, let first = list else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first, next: \.pointee.ai_next).compactMap { address($0.pointee) }
    }

    private static func address(_ info: addrinfo) -> IPAddress? {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard
            getnameinfo(
                info.ai_addr, info.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        // Without the zone of a link-local address.
        let characters = text.prefix { $0 != 0 && $0 != CChar(UInt8(ascii: "%")) }
        return IPAddress(String(decoding: characters.map(UInt8.init(bitPattern:)), as: UTF8.self))
    }
}
