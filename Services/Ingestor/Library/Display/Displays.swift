import Backoff
import DatabaseHealth
import Logging
import MQTT
import Postgres
import ServiceKit
import Store

/// Keeps what devices show up to date, and takes the presses of their buttons, with a connection of its own to the
/// broker and one to the database: no reading waits for it.
///
/// Of several Ingestors one keeps all displays: the one whose connection holds the turn.
struct Displays: Sendable {
    /// The most devices of one turn, which bounds what one question to the database costs.
    private static let mostDevices = 200
    private static let mostMessages = 1_000
    /// How long a change may wait for others.
    private static let patience = Duration.milliseconds(250)
    /// How often everything is looked at, so that what nobody was told of comes right, such as a
    /// name or the hour of a time zone, and Home Assistant is told again.
    private static let round = Duration.seconds(300)
    /// How long other Ingestors tell of the readings that they store, and how often that is renewed.
    private static let following = Duration.seconds(60)
    private static let renewal = Duration.seconds(20)
    /// How long the turn may be lost unnoticed: another Ingestor has it then.
    private static let confirmation = Duration.seconds(5)

    let database: PostgresConfiguration
    /// Whether other Ingestors store readings too, which then tell of them as they tell open screens.
    let sharesSubscription: Bool
    let board: DisplayBoard
    /// Home Assistant's sensors of problems, where it is told.
    let problems: HomeProblems?
    let metrics: DisplayMetrics
    let logger: Logger
    private let listener: PostgresListener

    init(
        _ database: PostgresConfiguration, sharesSubscription: Bool, problems: HomeProblems?, _ facilities: Facilities
    ) {
        self.database = database
        self.sharesSubscription = sharesSubscription
        self.problems = problems
        board = DisplayBoard()
        metrics = DisplayMetrics(facilities.metrics)
        logger = facilities.logger
        let outage = OutageLog(subject: "listening for displays", logger: logger)
        listener = PostgresListener(
            database,
            channels: [Channel.display, Channel.setup] + (sharesSubscription ? [Channel.reading] : []),
            payloadLimit: 256, onConnectFailure: { outage.failed(because: $0.explanation) },
            onReconnect: outage.succeeded)
    }

    /// Works until it is cancelled. Nothing that fails here ends anything else.
    /// - Parameter broker: A session at the broker that is read, which ends with its connection.
    func run(at broker: @escaping @Sendable () -> MQTTConfiguration) async throws {
        try await keepTrying("showing on devices", logger: logger) { outage in
            try await PostgresConnection.with(database) { connection in
                while try await connection.execute(TakeDisplayTurn()).first != true {
                    outage.end()
                    try await Task.sleep(for: .seconds(1))
                }
                try await MQTTConsumer.with(broker()) { consumer in
                    try await keep(consumer, connection, outage)
                }
            }
        }
    }

    private func keep(_ consumer: MQTTConsumer, _ connection: PostgresConnection, _ outage: Outage) async throws {
        board.startAnew()
        defer {
            board.startAnew()
            // The next Ingestor to take the turn knows better.
            problems?.forget()
            metrics.devices.set(0)
        }
        try await consumer.subscribe(DisplayTopic.subscriptions, maximum: Self.mostMessages)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await hear() }
            group.addTask { try await every(Self.round) { board.noteAll() } }
            group.addTask { try await work(consumer, connection, outage) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func hear() async throws {
        try await listener.withEvents { events in
            for await event in events {
                switch event {
                case .notified(Channel.display, let payload):
                    board.note(DisplayNotice(payload: payload))
                case .notified(Channel.reading, let payload):
                    board.note(readingsOf: ReadingNotice(payload: payload))
                case .notified(_, let payload):
                    if let notice = SetupNotice(payload: payload) { board.note(notice) } else { board.noteAll() }
                case .overflow(Channel.reading): board.note(readingsOf: .all)
                case .overflow, .mayHaveMissed:
                    board.noteAll()
                    board.note(readingsOf: .all)
                }
            }
        }
    }

    private func work(_ consumer: MQTTConsumer, _ connection: PostgresConnection, _ outage: Outage) async throws {
        let follower = UInt128.random(in: 0 ... .max)
        var (followed, renewAt) = (SlotSet(), ContinuousClock.now)
        var (hasConsent, confirmAt) = (false, ContinuousClock.now + Self.confirmation)
        if let problems {
            for device in try await connection.execute(ListOwedRemovals()) { problems.remove(device) }
        }
        while true {
            let messages = try await consumer.receive(maximum: Self.mostMessages, patience: Self.patience)
            if !hasConsent, await consumer.hasConsent {
                hasConsent = true
                warn(of: await consumer.refusedFilters)
                outage.end()
            }
            let unwanted = try await list(connection) + board.strays(among: messages)
            try await takeAwayAtHome(unwanted, connection)
            var answers = unwanted.map { DisplayTopic.message(for: $0, []) }
            try await answer(board.presses(among: messages), connection)
            answers += try await show(connection)
            try await consumer.acknowledge(publishing: answers)
            try await consumer.checkBroker(every: Lane.brokerCheck)
            if confirmAt <= .now {
                _ = try await connection.execute(ConfirmDisplayTurn())
                confirmAt = .now + Self.confirmation
            }
            let slots = board.slots
            if sharesSubscription, !slots.isEmpty, renewAt <= .now || !slots.isSubset(of: followed) {
                try await connection.perform(FollowSlots(follower, slots, lasting: Self.following))
                (followed, renewAt) = (slots, .now + Self.renewal)
            }
        }
    }

    private func warn(of refused: [String]) {
        guard !refused.isEmpty else { return }
        logger.warning(
            "The broker refuses topics of displays: run deploy/broker/init and start it again",
            [.error: "\(refused.joined(separator: " "))"])
    }

    /// Looks which devices show something, where that may have changed.
    /// - Returns: The hardware ids of those that do not any more.
    private func list(_ connection: PostgresConnection) async throws -> [String] {
        guard board.takeListing() else { return [] }
        let gone = board.replace(with: try await connection.execute(ListDisplays()))
        metrics.devices.set(board.count)
        return gone
    }

    /// Has Home Assistant told that devices are gone: noted before their own broker forgets them, after which nobody would know of it.
    private func takeAwayAtHome(_ unwanted: [String], _ connection: PostgresConnection) async throws {
        guard let problems else { return }
        if !unwanted.isEmpty { try await connection.perform(OweRemovals(of: unwanted)) }
        for device in unwanted { problems.remove(device) }
        let settled = problems.takeSettled()
        if !settled.isEmpty { try await connection.perform(SettleRemovals(of: settled)) }
    }

    private func answer(_ presses: [DeviceKey: ButtonPress?], _ connection: PostgresConnection) async throws {
        for (device, press) in presses {
            guard let press else {
                metrics.presses[.malformed].increment()
                continue
            }
            guard let outcome = try await connection.execute(PressButton(press, of: device)).first else { continue }
            metrics.presses[outcome].increment()
        }
    }

    /// Reads what is due of the devices whose turn it is.
    /// - Returns: What changed of what they show.
    private func show(_ connection: PostgresConnection) async throws -> [MQTTMessage] {
        let work = board.takeWork(most: Self.mostDevices, now: .now)
        guard !work.isEmpty else { return [] }
        var findings = DisplayBoard.Findings()
        if !work.setups.isEmpty { findings.setups = try await connection.execute(ReadDisplays(work.setups)) }
        if !work.latest.isEmpty {
            findings.latest = try await connection.execute(ReadLatestOfDisplays(of: work.latest))
        }
        if !work.since.isEmpty { findings.since = try await connection.execute(ReadSinceOfDisplays(work.since)) }
        let shown = board.deliver(findings, of: work, now: .now)
        for one in shown where one.isToldAtHome { problems?.note(one.display.problems, of: one.device) }
        let messages = shown.compactMap(\.message)
        metrics.messages.increment(by: messages.count)
        return messages
    }
}
