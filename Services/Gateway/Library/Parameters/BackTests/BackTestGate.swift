import PublicHTTP
import WaterQuality

/// Decides which back-tests may run, so that nobody keeps the database busy with a month of readings over and over.
///
/// A person may have a few under way, one for each screen that shows a change, and some in a row; and few run at once in
/// all.
struct BackTestGate: Sendable {
    struct Bounds: Sendable {
        /// Fewer than there are connections, so that other requests find one.
        var running = 6
        var runningOfPerson = 3
        /// Rate of one person: as fast as a quick hand turns the wheel of values.
        var person = BucketRate(burst: 20, interval: .seconds(2))
        /// Most people that are told apart.
        var capacity = 4096
    }

    private let bounds: Bounds
    private var running: [Account.ID: Int] = [:]
    private var people: TokenBuckets<Account.ID>

    init(_ bounds: Bounds = Bounds()) {
        self.bounds = bounds
        people = TokenBuckets(bounds.person, capacity: bounds.capacity)
    }

    /// Takes a place; `leave` must follow.
    /// - Parameter now: Time since a fixed beginning, by a clock that is never put back.
    /// - Returns: nil when there is a place, otherwise the time after which to ask again.
    mutating func enter(_ account: Account.ID, at now: Duration) -> Duration? {
        people.makeRoom(at: now)
        if let wait = people.wait(account, at: now) { return wait }
        let own = running[account] ?? 0
        guard own < bounds.runningOfPerson, running.values.reduce(0, +) < bounds.running else {
            return Self.untilOneEnds
        }
        running[account] = own + 1
        people.take(account, at: now)
        return nil
    }

    mutating func leave(_ account: Account.ID) {
        guard let own = running[account] else { return }
        running[account] = own > 1 ? own - 1 : nil
    }

    /// Wait for a place: about as long as a back-test takes.
    private static let untilOneEnds = Duration.seconds(1)
}
