package import PublicHTTP
package import Routes
package import Secrets

/// The figures that a gateway works with; others than these are for tests and measurements.
package struct GatewaySettings: Sendable {
    /// Connections to the database.
    package var connections = 8
    package var timeouts = ConnectionTimeouts()
    /// The most connections of people at once, and from one place.
    package var mostConnections = 12_000
    package var mostConnectionsPerNetwork = 200
    /// TLS handshakes from one place: as many as requests without keep-alive of one caller.
    package var handshakes = RatePolicy("handshakes", quota: 600)
    /// After which the files of the certificate are looked at again.
    package var certificateRound = Duration.seconds(10)
    package var rates: [RateClass: Rates] = [
        .ordinary: Rates("ordinary", caller: 600, address: 1800),
        .heavy: Rates("heavy", caller: 120, address: 360),
        .credentials: Rates("credentials", caller: 30, address: 60),
        .stream: Rates("stream", caller: 30, address: 180),
    ]
    /// What a check of a password costs.
    package var passwordCost = PasswordHash.Cost.standard
    /// What would tell by its duration whether an address has an account is answered at multiples of this.
    package var beat = Duration.milliseconds(100)
    /// Seconds in which each event stream is checked once: whether its session holds, and which devices are its person's.
    package var liveRound = 30
    /// The longest time that a route may take to begin its answer.
    package var patience = Duration.seconds(60)
    /// How long answers may go on after SIGTERM; event streams end at once.
    package var grace = Duration.seconds(6)
    /// After so many lines, or bytes, a table or list of an export goes on in another file: one has to stay below 4 GiB.
    package var exportedLines = 10_000_000
    package var exportedBytes = 1 << 31

    /// A receiver must have proven itself within this time.
    package var challengeLimit = Duration.seconds(10)
    var challenges = ChallengeGate.Bounds()
    var backTests = BackTestGate.Bounds()
    var heavyWork = HeavyWork.Bounds()

    package init() {}

    /// What may be asked for in a minute: by one session or personal token, and from one place, whoever asks.
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
