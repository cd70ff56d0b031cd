package import Instants
package import Logging
import Mail
import NIOCore
package import Postgres
import PublicHTTP
import PushTargets
package import Secrets
package import ServiceKit
import Stations
import WaterQuality
import WebPush

/// The services that all routes use.
package struct GatewayServices: Sendable {
    package let pool: PostgresPool
    let live: LiveHub
    package let secretKeys: Renewable<SecretKeys>
    package let tokens: AccessTokens
    package let passwords: PasswordChecker
    package let guesses = GuessLimits()
    package let challenger: Challenger
    /// Whether mail can be sent.
    let hasMail: Bool
    let pushHosts: PushHosts
    package let origin: PublicOrigin
    package let signUp: SignUp
    /// The house's own provider; nil where there is none.
    let provider: OpenIDProvider?
    /// Whether passwords let people in.
    let takesPasswords: Bool
    let tiles: MapTiles?
    /// The service's own map; nil where there is none.
    let map: MapReader?
    /// The hosts whose public stations sites may show.
    let stations: StationHosts
    package let settings: GatewaySettings
    package let clock: WallClock
    package let logger: Logger
    /// Limits on guesses at claim codes, and at invitations.
    let claimCodes = GuessLimit(.claimCodes)
    let invitations = GuessLimit(.invitations)
    /// The exports that are running.
    let exports = RunningExports()
    /// Requests whose bodies are larger than others'.
    let largeBodies = PersonPlaces(most: 64, ofPerson: 4)
    /// The operator's policy, for back-tests and explanations.
    let policy: AlertPolicy
    let backTests: RunningBackTests
    let manyBackTests: RunningBackTests
    let heavy: HeavyWork
    let publicPages = PublicPages()

    /// All limits on guesses.
    private var guessLimits: [GuessLimit] {
        [
            guesses.signIn, guesses.claimCodes, guesses.invitations, guesses.codes, guesses.resets, claimCodes,
            invitations,
        ]
    }

    /// Adds metrics of the transactions that take turns.
    func addTurns(_ registry: MetricsRegistry) {
        registry.observed(
            .gauge, "aqua_gateway_heavy_waiting",
            "Transactions of exports, charts and back-tests that wait for their turn."
        ) { [heavy] in Double(heavy.waiting) }
    }

    /// Adds metrics of passwords and codes that people try.
    func addGuesses(_ registry: MetricsRegistry) {
        registry.observed(.gauge, "aqua_gateway_password_checks_waiting", "Passwords that wait to be checked.") {
            [passwords] in Double(passwords.waiting)
        }
        registry.observed(
            .counter, "aqua_gateway_refused_guesses_total", "Guesses at passwords and codes that came too early."
        ) { [guessLimits] in Double(guessLimits.map(\.refusedCount).reduce(0, +)) }
    }

    init(_ configuration: GatewayConfiguration, _ facilities: Facilities, _ pool: PostgresPool, _ live: LiveHub) {
        self.pool = pool
        self.live = live
        secretKeys = configuration.secretKeys
        tokens = AccessTokens(keys: configuration.tokenKeys, clock: facilities.clock)
        passwords = PasswordChecker(threads: System.coreCount, cost: configuration.settings.passwordCost)
        challenger = Challenger(
            policy: PushTargetPolicy(allowed: configuration.allowed), authorityFile: configuration.authorityFile,
            mail: configuration.mail.map { MailClient($0, patience: configuration.settings.challengeLimit / 2) },
            limit: configuration.settings.challengeLimit,
            bounds: configuration.settings.challenges)
        hasMail = configuration.mail != nil
        pushHosts = configuration.pushHosts
        origin = configuration.origin
        signUp = configuration.signUp
        provider = configuration.provider.map {
            OpenIDProvider($0, limit: configuration.settings.providerLimit, clock: facilities.clock)
        }
        takesPasswords = configuration.takesPasswords
        tiles = configuration.tiles
        map = configuration.mapFile.map { MapReader($0, facilities.logger) }
        stations = configuration.stations
        settings = configuration.settings
        policy = configuration.policy
        backTests = RunningBackTests(configuration.settings.backTests)
        manyBackTests = RunningBackTests(configuration.settings.manyBackTests)
        heavy = HeavyWork(configuration.settings.heavyWork)
        clock = facilities.clock
        logger = facilities.logger
    }
}
