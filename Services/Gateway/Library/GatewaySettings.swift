package import PublicHTTP
package import Routes
package import Secrets

/// Limits and intervals of a gateway; tests and measurements use others.
package struct GatewaySettings: Sendable {
    /// Connections to the database.
    package var connections = 8
    package var timeouts = ConnectionTimeouts()
    /// Most connections of people at once, in all and from one network.
    package var mostConnections = 12_000
    package var mostConnectionsPerNetwork = 200
    /// TLS handshakes per minute from one network: as many as one caller's requests without keep-alive.
    package var handshakes = RatePolicy("handshakes", quota: 600)
    /// Interval at which the certificate's files are checked for changes.
    package var certificateRound = Duration.seconds(10)
    package var rates: [RateClass: Rates] = [
        .ordinary: Rates("ordinary", caller: 600, address: 1800),
        .heavy: Rates("heavy", caller: 120, address: 360),
        .credentials: Rates("credentials", caller: 30, address: 60),
        .stream: Rates("stream", caller: 30, address: 180),
        .feed: Rates("feed", caller: 60, address: 120),
        .tiles: Rates("tiles", caller: 6_000, address: 6_000),
    ]
    /// The cost of checking a password.
    package var passwordCost = PasswordHash.Cost.standard
    /// Answers whose duration could tell whether an address has an account come at multiples of this.
    package var beat = Duration.milliseconds(100)
    /// Seconds within which each event stream is checked once: whether its session holds, and which devices are its person's.
    package var liveRound = 30
    /// The longest time that a route may take to begin its answer.
    package var patience = Duration.seconds(60)
    /// How long answers may go on after SIGTERM; event streams end at once.
    package var grace = Duration.seconds(6)
    /// Lines, and bytes, after which a table or list of an export goes on in another file, because a file has to stay
    /// below 4 GiB.
    package var exportedLines = 10_000_000
    package var exportedBytes = 1 << 31

    /// Time within which the sign-in provider must have answered a request; there are three for a sign-in.
    package var providerLimit = Duration.seconds(8)
    /// Time within which a receiver must have proven itself.
    package var challengeLimit = Duration.seconds(10)
    var challenges = ChallengeGate.Bounds()
    var backTests = BackTestGate.Bounds()
    /// Of many devices at once: each holds as long as some of the others.
    var manyBackTests = BackTestGate.Bounds(
        running: 2, runningOfPerson: 1, person: BucketRate(burst: 60, interval: .milliseconds(500)))
    var heavyWork = HeavyWork.Bounds()

    package init() {}

    /// Requests per minute: of one session or personal token, and from one network, whoever asks.
    package struct Rates: Sendable {
        package var caller: RatePolicy
        package var address: RatePolicy

        package init(_ name: String, caller: Int, address: Int) {
            self.caller = RatePolicy(name, quota: caller)
            self.address = RatePolicy("\(name)-address", quota: address)
        }
    }
}

/// Who may open an account (`AQUA_SIGN_UP`).
package enum SignUp: String, CaseIterable, Sendable {
    /// Anybody.
    case open
    /// Whoever holds an invitation of the operator's.
    case invitation
    /// Nobody; the operator adds accounts.
    case closed
}
