import Glibc
import TestSupport

/// The result of a round.
struct RoundResult: Sendable {
    var round: Round
    var tally: Tally
    /// From the end of the fault until everything is stored, decided and delivered; nil if that does not happen.
    var recovery: Duration?
    /// From the start of a machine's trouble until a reading measured afterwards was stored.
    var back: Duration?
}

extension ChaosStage {
    /// The time after which a system that has not recovered counts as broken.
    private static let patience = Duration.seconds(180)
    /// The time after the pipeline's recovery in which people may still be refused: none of their requests waits in a
    /// queue.
    private static let patienceOfPeople = Duration.seconds(15)

    /// Plays a round and checks it.
    func play(_ round: Round) async throws -> RoundResult {
        let mark = try await StoredFacts.mark(system.database)
        let requestsBefore = sinks.mapValues(\.received.count)
        let (infliction, recovery) = try await withLoad(round) { flow, handingOver in
            try await Task.sleep(for: round.lead)
            let infliction = try await inflict(round)
            flow.stop()
            return (infliction, try await awaitRecovery(from: infliction.span.upperBound, &handingOver))
        }
        guard let recovery, try await end(infliction.stalled) else { return unrecovered(round) }
        try await patroni?.untilWhole()
        let refusal = await screen.refusal(within: Self.patienceOfPeople)
        let facts = try await StoredFacts.read(system.database, since: mark, odd: infliction.mischief.device)
        var record = RoundRecord(
            fault: round.fault, trouble: infliction.span.lowerBound...wallClock(), throttle: Self.throttle.microseconds)
        if round.fault == .endpoint(.gone) { record.endpoints.remove(.second) }
        record.infliction = infliction.span
        record.brokerOutage = infliction.brokerOutage
        record.owners = owners
        let readings = (probes + tanks.map(\.probe)).flatMap { $0.takeLedger() }
        record.readings = readings.filter { $0.time >= mark.time }
        record.earlierReadings = readings.filter { $0.time < mark.time }
        record.work = tanks.flatMap { $0.takeLedger() }
        record.workedOn = Set(tanks.map(\.device))
        record.mischief = infliction.mischief
        (record.stored, record.episodes, record.alerts) = (facts.samples, facts.episodes, facts.alerts)
        (record.hours, record.silences, record.ends) = (facts.hours, facts.silences, facts.ends)
        (record.derivedWrong, record.setAside, record.storedWork) = (facts.derivedWrong, facts.setAside, facts.work)
        for tank in tanks {
            let first = readings.filter { $0.device == tank.device }.map(\.time).min() ?? mark.time
            record.listed += try await tank.table(since: first)
        }
        record.requests = try sinks.flatMap { endpoint, sink in
            try requests(sink.received.dropFirst(requestsBefore[endpoint] ?? 0), at: endpoint)
        }
        var tally = Audit(record).tally
        if let refusal { tally.note(\.unrecovered, "people are not served after \(round.fault.name): \(refusal)") }
        return RoundResult(round: round, tally: tally, recovery: recovery, back: infliction.back)
    }

    private func requests(
        _ received: ArraySlice<WebhookSink.Request>, at endpoint: RoundRecord.Endpoint
    ) throws -> [WebhookRequest] {
        let clocks = WebhookRequest.Clocks()
        // A device that misbehaved in an earlier round has been silent since, or has reported again that its probe is
        // broken, and its person gets alerts about that. Of a receiver that is gone they hear by another.
        return try received.filter {
            let body = String(decoding: $0.body, as: UTF8.self)
            return ![#""kind":"silence""#, #""kind":"fault""#, #""type":"alert.note""#].contains(where: body.contains)
        }.map {
            try WebhookRequest($0, at: endpoint, secrets: secrets.of(endpoint), clocks)
        }
    }

    /// Runs `body` while the devices measure. The devices have ended when this returns.
    private func withLoad<Result: Sendable>(
        _ round: Round,
        _ body: (Flow, inout ThrowingTaskGroup<Void, any Error>) async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let flow = Flow()
            for (number, probe) in probes.enumerated() {
                group.addTask { try await probe.play(flow, seed: round.seed &+ UInt64(number)) }
            }
            for (number, tank) in tanks.enumerated() {
                let seed = round.seed &+ UInt64(probes.count + number)
                group.addTask { try await tank.play(flow, seed: seed, round: round.number) }
            }
            defer { group.cancelAll() }
            return try await body(flow, &group)
        }
    }

    /// Waits until the system has recovered.
    /// - Parameter handingOver: The task of the devices, which ends when all their readings are safe.
    /// - Returns: The time until then; nil if the system did not recover.
    private func awaitRecovery(
        from end: Int, _ handingOver: inout ThrowingTaskGroup<Void, any Error>
    ) async throws -> Duration? {
        do {
            try await withDeadline(Self.patience, "the hand-over of all readings") {
                while (probes + tanks.map(\.probe)).contains(where: \.isHandingOver) {
                    try await Task.sleep(for: .milliseconds(20))
                }
                try await marker.report()
            }
        } catch is TestSupportError {
            return nil
        }
        try await handingOver.waitForAll()
        guard try await holds(Self.isDelivered) else { return nil }
        let recovery = Duration.microseconds(wallClock() - end)
        guard try await holds(Self.isAllClear) else { return nil }
        // This round's alerts must not throttle the next round's.
        try await Task.sleep(for: Self.throttle)
        return recovery
    }

    private static let isDelivered = """
        NOT EXISTS (SELECT FROM evaluation_batch)
        AND NOT EXISTS (SELECT FROM alert WHERE state IN ('decided', 'sending') AND purpose <> 'recovery')
        """
    private static let isAllClear = """
        NOT EXISTS (SELECT FROM episode WHERE recovery_due_at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM alert WHERE state IN ('decided', 'sending'))
        """

    /// Waits until a query to the database returns true.
    private func holds(_ question: String) async throws -> Bool {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            // While the database is down, the query fails.
            if (try? await system.database.sql("SELECT \(question)")) == "t" { return true }
            try await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    /// Wakes a copy that was frozen until now: it must do no harm with the work that it believes to hold.
    /// - Returns: Whether the system is healthy afterwards.
    private func end(_ stalled: (frozen: Supervisor.Copy, twin: Supervisor.Copy)?) async throws -> Bool {
        guard let stalled else { return true }
        services.signal(stalled.frozen, SIGCONT)
        try await Task.sleep(for: .seconds(2))
        services.remove(stalled.twin)
        try await marker.report()
        return try await holds("\(Self.isDelivered) AND \(Self.isAllClear)")
    }

    private func unrecovered(_ round: Round) -> RoundResult {
        var tally = Tally()
        let waiting = (probes + tanks.map(\.probe)).filter(\.isHandingOver).map(\.name)
        tally.note(\.unrecovered, "not well \(Self.patience) after \(round.fault.name); devices that wait: \(waiting)")
        return RoundResult(round: round, tally: tally, recovery: nil)
    }
}
