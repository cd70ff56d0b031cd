import Backoff
import Instants
import Logging
import MQTT
import Postgres
import PushClient
import PushTargets
import ServiceKit
import ServiceLifecycle
import Stations
import Store
import WaterQuality

/// Asks others' public stations for what they measured, and stores it as the values of the sites that show them.
///
/// Every Ingestor may run one, even a standby: each takes a station that is due, and no other Ingestor takes the same. Values are stored by a lane
/// of their own, before it is noted that they came; what is asked for twice is stored once.
struct StationPoller: Sendable {
    let settings: StationSettings
    let pool: PostgresPool
    let lane: Lane
    let metrics: StationMetrics
    let logger: Logger
    private let intake = Intake()

    init(_ settings: StationSettings, pool: PostgresPool, lane: Lane, _ facilities: Facilities) {
        self.settings = settings
        self.pool = pool
        var ofSites = lane
        ofSites.kind = .site
        self.lane = ofSites
        metrics = StationMetrics(facilities.metrics)
        logger = facilities.logger
    }

    /// Asks until the service is asked to stop; what an answer has brought by then is stored.
    func run() async throws {
        var limits = PushClient.Limits()
        limits.total = settings.longestAnswer
        try await PushClient.with(
            policy: PushTargetPolicy(allowed: settings.allowed), authorityFile: settings.authorityFile, limits: limits
        ) { client in
            try await whileAllRun { group in
                group.addTask {
                    // The lane runs until the last answer is stored.
                    defer { intake.stop() }
                    try await askAll(client)
                }
                group.addTask {
                    defer { intake.stop() }
                    try await store()
                }
            }
        }
    }

    private func askAll(_ client: PushClient) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<settings.running {
                group.addTask {
                    try await keepTryingUntilShutdown(
                        "asking stations", logger: logger, isRetriable: { !($0 is CancellationError) }
                    ) { (outage: Outage) -> Void in
                        // A question may last longer than a stop: another Ingestor asks it again.
                        try await cancelWhenGracefulShutdown {
                            while true {
                                let hasAsked = try await askNext(client)
                                outage.end()
                                if !hasAsked { try await Task.sleep(for: settings.interval) }
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func store() async throws {
        try await keepTryingUntilShutdown(
            "storing what stations measured", logger: logger, isRetriable: Ingestor.isRetriable
        ) { _ in try await lane.serve(intake) }
    }

    /// Asks the next station that is due.
    /// - Returns: Whether one was.
    func askNext(_ client: PushClient) async throws -> Bool {
        guard let due = try await pool.execute(TakeStation(pauseOfHost: settings.pauseOfHost)).first else {
            return false
        }
        let now = lane.clock.now()
        let visit: StationVisit
        do throws(StationFault) {
            visit = try StationVisit(due, settings, now: now)
        } catch {
            try await note(error, due, pause: nil)
            return true
        }
        switch await visit.ask(client, settings, now: now) {
        case .unchanged:
            metrics.questions[.unchanged].increment()
            try await pool.perform(
                RecordStation(
                    due, pause: StationRhythm.pause(times: [], newest: due.quietSince, now: now, hasMore: false)))
        case .fault(let fault, _) where visit.question.window.looksBack && !fault.isOfHost:
            // The question that comes next tells whether the station has failed, or cannot be looked back at.
            metrics.questions[StationMetrics.Outcome(fault)].increment()
            try await pool.perform(RecordStation(due, pause: StationRhythm.soon))
        case .fault(let fault, let pause): try await note(fault, due, pause: pause)
        case .values(let answer, let tag):
            metrics.skipped.increment(by: answer.skipped)
            guard try await take(visit.messages(answer)) else {
                try await note(.notStored, due, pause: nil)
                break
            }
            guard !visit.question.window.looksBack else {
                metrics.questions[.values].increment()
                try await pool.perform(RecordStation(due, pause: StationRhythm.soon))
                break
            }
            let title = due.title == nil && answer.title == nil ? await visit.askTitle(client, settings) : nil
            let known = visit.known(answer, entityTag: tag, title: title, now: now)
            try await note(answer, known, leadsOn: known.seenUntil != due.seenUntil, now: now)
        }
        return true
    }

    /// Stores messages in their order.
    /// - Returns: Whether all were taken: a flood is shed.
    private func take(_ messages: [MQTTMessage]) async throws -> Bool {
        for start in stride(from: 0, to: messages.count, by: StationVisit.mostMessages) {
            let part = Array(messages[start..<min(start + StationVisit.mostMessages, messages.count)])
            do {
                guard try await intake.commit(part).allSatisfy({ $0 != nil }) else { return false }
            } catch Intake.Refusal.full {
                return false
            }
        }
        return true
    }

    /// - Parameter leadsOn: Whether the next question is another one: a source that has more for ever is not asked for it for ever.
    private func note(_ answer: StationAnswer, _ known: DueStation, leadsOn: Bool, now: Timestamp) async throws {
        metrics.questions[known.isUnderstood ? .values : .noSeries].increment()
        let isBehind = known.seenUntil.map { now - $0 > StationWindow.longest } ?? false
        let pause = StationRhythm.pause(
            times: answer.times, newest: known.quietSince, now: now,
            hasMore: leadsOn && (answer.until != nil || isBehind))
        try await pool.perform(RecordStation(known, pause: pause))
    }

    private func note(_ fault: StationFault, _ due: DueStation, pause asked: Duration?) async throws {
        metrics.questions[StationMetrics.Outcome(fault)].increment()
        let pause = StationRhythm.pause(afterFailures: due.failures + 1, asked: asked)
        try await pool.perform(RecordStationFault(due, fault, pause: pause))
        // A host that asks for a pause means all of its stations.
        if fault == .busy { try await pool.perform(PauseHost(due.host, for: max(asked ?? .zero, StationRhythm.least))) }
        logger.debug(
            "A station gave no values", [.device: "\(due.site)", .reason: "\(fault.rawValue)", .host: "\(due.host)"])
    }
}
