import Instants

/// The database's clock, read at a lease and carried on by this process' own: leases, ages and retries all go by it.
struct DatabaseTime: Sendable {
    private let reading: Timestamp
    private let readAt: ContinuousClock.Instant

    init(_ reading: Timestamp, readAt: ContinuousClock.Instant = .now) {
        self.reading = reading
        self.readAt = readAt
    }

    var elapsed: Duration { readAt.duration(to: .now) }
    var now: Timestamp { reading + elapsed }
}

/// A delivery that this notifier may send for a while.
struct Lease: Sendable {
    let delivery: LeasedDelivery
    let holder: LeaseHolder
    let time: DatabaseTime
    let host: String
}

extension Lease {
    /// The next step of a lease whose turn to be sent has come.
    enum Disposition: Hashable, Sendable {
        case send
        /// The lease may end before the answer comes: left alone, the delivery comes due for any notifier that has time.
        case letExpire
        /// The session of its holder was lost, and others may have it by now: released, it is due at once if they have not.
        case release

        /// - Parameters:
        ///   - holder: Under which number it was leased.
        ///   - current: Under which number this notifier leases now, if it may.
        ///   - elapsed: Since the lease.
        init(
            leasedBy holder: LeaseHolder, current: LeaseHolder?, elapsed: Duration, lease: Duration,
            longestAttempt: Duration
        ) {
            if elapsed + longestAttempt >= lease {
                self = .letExpire
            } else {
                self = holder == current ? .send : .release
            }
        }
    }
}
