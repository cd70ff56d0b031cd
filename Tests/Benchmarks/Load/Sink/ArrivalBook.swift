import Synchronization
import TestSupport

/// When each device's water became too warm, and when its person heard of it: on one clock of one machine.
final class ArrivalBook: Sendable {
    private struct Book {
        var published: [ContinuousClock.Instant?]
        var latencies: [Duration] = []
        var hasArrived: [Bool]
        var announced = 0
        var first: ContinuousClock.Instant?
        var last: ContinuousClock.Instant?
        var repeated = 0
        var unexpected = 0
    }

    private let book: Mutex<Book>

    init(devices: Int) {
        book = Mutex(
            Book(
                published: Array(repeating: nil, count: devices), hasArrived: Array(repeating: false, count: devices)))
    }

    func published(_ device: Int) {
        let now = ContinuousClock.now
        book.withLock {
            $0.published[device] = now
            $0.announced += 1
        }
    }

    func arrived(_ device: Int) {
        let now = ContinuousClock.now
        book.withLock { book in
            guard book.published.indices.contains(device), let published = book.published[device] else {
                book.unexpected += 1
                return
            }
            guard !book.hasArrived[device] else {
                book.repeated += 1
                return
            }
            book.hasArrived[device] = true
            book.latencies.append(now - published)
            if book.first == nil { book.first = now }
            book.last = now
        }
    }

    /// Breaches that were published, and those that were heard of.
    var counts: (announced: Int, arrived: Int) { book.withLock { ($0.announced, $0.latencies.count) } }

    /// Latencies in the order of arrival.
    var latencies: [Duration] { book.withLock(\.latencies) }

    /// From the first arrival to the last.
    var span: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)? {
        book.withLock { book in
            guard let first = book.first, let last = book.last else { return nil }
            return (first, last)
        }
    }

    /// - Throws: `TestSupportError` when a breach was not heard of, or something else was.
    func requireAllArrived() throws {
        let (announced, arrived, repeated, unexpected) = book.withLock {
            ($0.announced, $0.latencies.count, $0.repeated, $0.unexpected)
        }
        guard announced == arrived, repeated == 0, unexpected == 0 else {
            throw TestSupportError(
                "Of \(announced) breaches \(arrived) were delivered, \(repeated) twice; \(unexpected) came of devices in range"
            )
        }
    }
}
