import Backoff
import Instants
import Logging
import Postgres
import ServiceKit
import ServiceLifecycle
import Store
import Synchronization
import WaterQuality

/// Brings live events to all open screens of this process, over one listening connection.
///
/// A notification only says where to look. Events are read from the tables, for all listeners of a device at once, and
/// who may see them is asked each time: nobody is told of a device that was unlinked a moment ago.
package final class LiveHub: Sendable {
    private let board: Mutex<LiveBoard>
    private let signal = Signal()
    private let pool: PostgresPool
    private let listener: PostgresListener
    private let metrics: LiveMetrics
    private let logger: Logger
    /// This process' id among the Gateways that have listeners.
    private let follower = UInt128.random(in: 0...UInt128.max)

    /// How long the Ingestors take a slot for followed, and how often that is renewed.
    private static let following = Duration.seconds(60)
    private static let renewal = Duration.seconds(20)
    /// Turns of the sweep per second: many, because events wait for whatever one turn does.
    private static let turnsPerSecond: UInt64 = 10
    /// Turns of a round, in which everything is looked at once.
    private let round: UInt64
    /// Turns between two checks whether readings are taken as they come.
    private static let intakeTurns = 5 * turnsPerSecond
    /// Turns in which every listener gets a heartbeat.
    private static let heartbeat = 15 * turnsPerSecond
    /// Age up to which alerts are watched for what becomes of them.
    private static let alertAge = Duration.seconds(15 * 60)

    init(
        _ database: PostgresConfiguration, pool: PostgresPool, most: Int, round: Int = 30, metrics: MetricsRegistry,
        logger: Logger
    ) {
        self.pool = pool
        self.logger = logger
        self.round = UInt64(max(1, round)) * Self.turnsPerSecond
        board = Mutex(LiveBoard(most: most))
        let outage = OutageLog(subject: "listening for readings", logger: logger)
        listener = PostgresListener(
            database, channels: [Channel.reading, Channel.alert, Channel.delivery, Channel.setup], payloadLimit: 256,
            onConnectFailure: { outage.failed(because: $0.explanation) }, onReconnect: outage.succeeded)
        self.metrics = LiveMetrics(metrics)
        metrics.gauge("aqua_gateway_listener_limit", "The most event streams at once.").set(most)
        metrics.observed(.gauge, "aqua_gateway_listeners", "Event streams that are open.") { [weak self] in
            Double(self?.board.withLock(\.count) ?? 0)
        }
    }

    // MARK: Listeners

    /// - Returns: The number by which the listener leaves.
    func join(_ listener: LiveBoard.Listener, devices: Set<DeviceKey>) throws(LiveBoard.Refusal) -> UInt64 {
        let joined = board.withLock { board in
            Result { () throws(LiveBoard.Refusal) in try board.add(listener, devices: devices, now: .now) }
        }
        signal.raise()
        return try joined.get()
    }

    func leave(_ number: UInt64, because end: LiveQueue.End?) {
        board.withLock { $0.remove(number) }
        if end == .slow { metrics.slow.increment() }
    }

    // MARK: Work

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.hear() }
            group.addTask { try await self.sweep() }
            group.addTask { try await self.serve() }
            defer {
                group.cancelAll()
                board.withLock { $0.finishAll(.stopping) }
            }
            try await group.next()
        }
    }

    private func hear() async throws {
        try await listener.withEvents { events in
            for await event in events {
                board.withLock { board in
                    switch event {
                    case .notified(Channel.reading, let payload):
                        board.note(ReadingNotice(payload: payload), now: .now)
                    case .overflow(Channel.reading), .mayHaveMissed: board.noteAll(now: .now)
                    case .notified(Channel.setup, let payload):
                        if let notice = SetupNotice(payload: payload) { board.note(notice) }
                    case .overflow(Channel.setup): board.noteAll(now: .now)
                    case .notified, .overflow: board.noteAlerts()
                    }
                }
                signal.raise()
            }
        }
    }

    private func serve() async throws {
        var told = SlotSet()
        var renewAt = ContinuousClock.now
        try await keepTrying("telling of readings", logger: logger) { outage in
            for await _ in signal {
                try await follow(&told, &renewAt)
                while true {
                    let work = board.withLock { $0.takeWork(now: .now) }
                    guard !work.isEmpty else { break }
                    let findings = try await look(work)
                    board.withLock { $0.deliver(findings, of: work, now: .now) }
                    outage.end()
                }
            }
            try Task.checkCancellation()
        }
    }

    /// Tells the Ingestors which slots have listeners: at once when a slot is added, in time when one is not needed any more.
    private func follow(_ told: inout SlotSet, _ renewAt: inout ContinuousClock.Instant) async throws {
        let slots = board.withLock(\.slots)
        if slots.isEmpty {
            guard !told.isEmpty else { return }
            try await pool.perform(Unfollow(follower))
        } else {
            guard !slots.isSubset(of: told) || renewAt <= .now else { return }
            try await pool.perform(FollowSlots(follower, slots, lasting: Self.following))
        }
        told = slots
        renewAt = .now + Self.renewal
    }

    private func look(_ work: LiveBoard.Work) async throws -> LiveBoard.Findings {
        do {
            return try await pool.transaction(TransactionOptions(isReadOnly: true)) { transaction in
                guard let now = try transaction.execute(ReadClock()).first else { throw CancellationError() }
                var findings = LiveBoard.Findings(position: now)
                if !work.devices.isEmpty {
                    let tickets = Set(work.pairs.map(\.account)).compactMap { work.tickets[$0] }
                    findings.samples = try transaction.execute(FindLiveSamples(work.devices, for: tickets))
                    // Read after the samples, so that nobody is told of a device that stopped being theirs in between.
                    findings.devices = try transaction.execute(
                        FindLiveDevices(
                            work.pairs.compactMap { pair in work.tickets[pair.account].map { (pair.device, $0) } }))
                }
                if !work.accounts.isEmpty {
                    findings.alerts = try transaction.execute(
                        FindLiveAlerts(
                            of: work.accounts.compactMap { work.tickets[$0] }, since: now - Self.alertAge))
                }
                if !work.setups.isEmpty {
                    findings.setups = try transaction.setups(of: work.setups.compactMap { work.tickets[$0] })
                }
                return findings
            }
        } catch {
            board.withLock { $0.giveBack(work) }
            throw error
        }
    }

    private func sweep() async throws {
        var turn: UInt64 = 0
        try await every(.seconds(1) / Int(Self.turnsPerSecond)) {
            turn &+= 1
            let credentials = board.withLock { board in
                board.sweep(
                    .init(number: turn, of: round), heartbeats: .init(number: turn, of: Self.heartbeat), now: .now)
            }
            signal.raise()
            do {
                if turn % min(Self.intakeTurns, round) == 0 { try await askIntake() }
                guard !credentials.isEmpty else { return }
                let living = try await living(among: credentials)
                board.withLock { $0.end(credentials.subtracting(living)) }
            } catch  where PostgresError.isRetriable(error) {
                // The pool reports the outage, and the next round asks again.
            }
        }
    }

    /// Asks whether the Ingestors keep up, while anybody listens.
    private func askIntake() async throws {
        guard board.withLock(\.count) > 0 else { return }
        let (lateSince, now) = try await pool.transaction(TransactionOptions(isReadOnly: true)) { transaction in
            try (transaction.execute(FindLateIntake()).first ?? nil, transaction.execute(ReadClock()).first)
        }
        guard let now else { return }
        board.withLock { $0.tellIntake(lateSince: lateSince, now) }
    }

    /// Since when readings are not taken as they come, as of the last check.
    var intakeLateSince: Timestamp? { board.withLock(\.intakeLateSince) }

    private func living(among credentials: Set<Credential>) async throws -> Set<Credential> {
        var sessions: [SessionID] = []
        var tokens: [[UInt8]] = []
        for credential in credentials {
            switch credential {
            case .session(let id): sessions.append(id)
            case .personalToken(let hash): tokens.append(hash)
            case .nobody: break
            }
        }
        let (asked, others) = (sessions, tokens)
        return try await pool.transaction(TransactionOptions(isReadOnly: true)) { transaction in
            var living = Set(try transaction.execute(FindLivingSessions(asked)).map(Credential.session))
            living.formUnion(try transaction.execute(FindLivingTokens(others)).map(Credential.personalToken))
            return living
        }
    }
}

extension PostgresTransaction {
    /// The setups of people. Versions are read first, so that a change in between shows at the next look.
    fileprivate func setups(of tickets: [LiveTicket]) throws -> [Account.ID: LiveBoard.Setup] {
        var setups: [Account.ID: LiveBoard.Setup] = [:]
        for (account, versions) in try execute(FindSetupVersions(of: tickets)) {
            setups[account] = LiveBoard.Setup(versions: versions, devices: [])
        }
        for (account, device) in try execute(FindFollowedDevices(of: tickets)) {
            setups[account]?.devices.insert(device)
        }
        return setups
    }
}

private struct LiveMetrics: Sendable {
    let slow: Counter

    init(_ registry: MetricsRegistry) {
        slow = registry.counter(
            "aqua_gateway_slow_listeners_total", "Event streams that were ended because their reader was too slow.")
    }
}
