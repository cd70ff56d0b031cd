import PublicHTTP
import WaterQuality

/// Decides which challenges may be sent, so that nobody scans ports or floods a host by naming targets.
///
/// A person may have one challenge under way and few in a row; a host gets few at once and few in a row, however many
/// people name it. The total is so large that a few people whose receivers do not answer take no places from others.
struct ChallengeGate: Sendable {
    struct Bounds: Sendable {
        var running = 64
        var runningToHost = 8
        /// Rate of one person's challenges.
        var person = BucketRate(burst: 5, interval: .seconds(30))
        /// Rate of challenges to one host: far above one person's, so that nobody uses it up for others.
        var host = BucketRate(burst: 30, interval: .seconds(2))
        /// Most people, and most hosts, that are told apart.
        var capacity = 4096
    }

    private let bounds: Bounds
    /// The host of each person's running challenge.
    private var running: [Account.ID: String] = [:]
    private var people: TokenBuckets<Account.ID>
    private var hosts: TokenBuckets<String>

    init(_ bounds: Bounds = Bounds()) {
        self.bounds = bounds
        people = TokenBuckets(bounds.person, capacity: bounds.capacity)
        hosts = TokenBuckets(bounds.host, capacity: bounds.capacity)
    }

    /// Takes a place; `leave` must follow.
    /// - Parameter now: Time since a fixed beginning, by a clock that is never put back.
    /// - Returns: nil when there is a place, otherwise the time after which to ask again.
    mutating func enter(_ account: Account.ID, host: String, at now: Duration) -> Duration? {
        people.makeRoom(at: now)
        hosts.makeRoom(at: now)
        let wait = max(people.wait(account, at: now) ?? .zero, hosts.wait(host, at: now) ?? .zero)
        guard wait == .zero else { return wait }
        guard running.count < bounds.running, running[account] == nil,
            running.values.count(where: { $0 == host }) < bounds.runningToHost
        else { return Self.untilOneEnds }
        running[account] = host
        people.take(account, at: now)
        hosts.take(host, at: now)
        return nil
    }

    mutating func leave(_ account: Account.ID) {
        running[account] = nil
    }

    /// Wait for a place: about as long as a challenge may take.
    private static let untilOneEnds = Duration.seconds(10)
}
