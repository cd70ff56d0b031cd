import Synchronization
import TestSupport
import WaterQuality

/// Records when each parameter of each device left its range, and when the alert arrived, on one clock of one machine.
final class ArrivalBook: Sendable {
    private struct Book {
        /// The publish times of breaches whose alert has not arrived yet, by device and parameter; nil: none.
        var published: [ContinuousClock.Instant?]
        var latencies: [Duration] = []
        var announced = 0
        var first: ContinuousClock.Instant?
        var last: ContinuousClock.Instant?
        /// Arrivals of repeated alerts, or of breaches that were never published.
        var surplus = 0
        var recoveries = 0
    }

    private let book: Mutex<Book>

    init(devices: Int) {
        book = Mutex(Book(published: Array(repeating: nil, count: devices * Parameter.ofManual.count)))
    }

    private static func place(_ breach: Breach) -> Int {
        breach.device * Parameter.ofManual.count + Int(breach.parameter.rawValue)
    }

    func published(_ breach: Breach) {
        let now = ContinuousClock.now
        book.withLock {
            $0.published[Self.place(breach)] = now
            $0.announced += 1
        }
    }

    func arrived(_ arrival: Arrival) {
        let now = ContinuousClock.now
        book.withLock { book in
            let place = Self.place(arrival.breach)
            switch arrival.purpose {
            case .recovery: book.recoveries += 1
            case .other: book.surplus += 1
            case .alarm:
                guard book.published.indices.contains(place), let published = book.published[place] else {
                    book.surplus += 1
                    return
                }
                book.published[place] = nil
                book.latencies.append(now - published)
                if book.first == nil { book.first = now }
                book.last = now
            }
        }
    }

    /// The numbers of published breaches and of arrived alerts.
    var counts: (announced: Int, arrived: Int) { book.withLock { ($0.announced, $0.latencies.count) } }

    /// The number of all-clears.
    var recoveries: Int { book.withLock(\.recoveries) }

    /// Latencies in the order of arrival.
    var latencies: [Duration] { book.withLock(\.latencies) }

    /// The times of the first and the last arrival.
    var span: (first: ContinuousClock.Instant, last: ContinuousClock.Instant)? {
        book.withLock { book in
            guard let first = book.first, let last = book.last else { return nil }
            return (first, last)
        }
    }

    /// - Throws: `TestSupportError` if the alert of a breach is missing, or an unexpected one arrived.
    func requireAllArrived() throws {
        let (announced, arrived, surplus) = book.withLock { ($0.announced, $0.latencies.count, $0.surplus) }
        guard announced == arrived, surplus == 0 else {
            throw TestSupportError(
                "Of \(announced) breaches \(arrived) were delivered, and \(surplus) alerts were of nothing new")
        }
    }
}
