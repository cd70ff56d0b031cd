import Backoff
import Logging
import Postgres
import ServiceKit
import Store
import WaterQuality

/// Looks for silent devices, for values that stay the same, for probes that lie apart, for tests that people wrote down, for digests that are due and for calls to others, as long as the engine lives, on a connection of
/// its own: no reading waits for it.
struct DeviceWatch: Sendable {
    /// Sooner than our own outages end, and than a person would notice.
    static let interval = Duration.seconds(5)

    let database: PostgresConfiguration
    let schema: SchemaCheck
    let policy: AlertPolicy
    let metrics: EngineMetrics
    let logger: Logger

    /// Connects, looks until the connection fails, and connects again.
    func run() async throws {
        try await keepTryingUntilShutdown(
            "looking at devices", logger: logger, isRetriable: Schema.isRetriable
        ) { outage in
            try await PostgresConnection.with(database) { connection in
                try await schema.require(on: connection)
                // A new connection may lead to another server, whose clock is another.
                var steps = ClockSteps()
                let flatLines = OutageLog(subject: "looking for flat lines", logger: logger)
                let calls = OutageLog(subject: "calling who is next", logger: logger)
                let tests = OutageLog(subject: "judging tests by hand", logger: logger)
                let pairs = OutageLog(subject: "comparing probes", logger: logger)
                try await every(Self.interval, startsNow: true) {
                    try await lookForSilence(&steps, on: connection)
                    try await tellDigests(on: connection)
                    do {
                        try await call(on: connection)
                        calls.succeeded()
                    } catch let error as PostgresError where !Schema.isRetriable(error) {
                        // Nor is what a chain does.
                        calls.failed(because: error.explanation)
                    }
                    do {
                        try await judgeTests(on: connection)
                        tests.succeeded()
                    } catch let error as PostgresError where !Schema.isRetriable(error) {
                        // Nor is what people wrote down.
                        tests.failed(because: error.explanation)
                    }
                    do {
                        try await compareProbes(on: connection)
                        pairs.succeeded()
                    } catch let error as PostgresError where !Schema.isRetriable(error) {
                        // Nor is a probe that drifts.
                        pairs.failed(because: error.explanation)
                    }
                    do {
                        try await lookForFlatLines(on: connection)
                        flatLines.succeeded()
                    } catch let error as PostgresError where !Schema.isRetriable(error) {
                        // What is found in the roll-ups is not worth the alarms of everybody.
                        flatLines.failed(because: error.explanation)
                    }
                    outage.end()
                }
            }
        }
    }

    private func lookForSilence(_ steps: inout ClockSteps, on connection: PostgresConnection) async throws {
        let sweep = SilenceSweep(policy: policy)
        var isUnfinished = true
        while isUnfinished {
            let before = steps
            let done = try await connection.transaction { transaction in
                var steps = before
                let report = try sweep.perform(transaction, &steps)
                return (report: report, steps: steps)
            }
            steps = done.steps
            isUnfinished = done.report.isUnfinished
            metrics.count(done.report.alerts)
            logger.note(done.report.alerts, done.report.numbers)
        }
    }

    private func tellDigests(on connection: PostgresConnection) async throws {
        // Whoever comes on shift in quiet hours is told first.
        let (turns, digests) = (TurnSweep(policy: policy), GatheringSweep(policy: policy))
        try await repeating(on: connection) { try turns.perform($0) }
        try await repeating(on: connection) { try digests.perform($0) }
    }

    private func call(on connection: PostgresConnection) async throws {
        // In a storm the rest waits for the next turn, as silence does not.
        let end = ContinuousClock.now + EscalationSweep.lasts
        var isUnfinished = true
        while isUnfinished, .now < end {
            let done = try await connection.transaction { try EscalationSweep(policy: policy).perform($0) }
            isUnfinished = done.isUnfinished
            metrics.count(done.calls)
            logger.note(done.calls)
        }
    }

    private func judgeTests(on connection: PostgresConnection) async throws {
        let sweep = HandTestSweep(policy: policy)
        try await repeating(for: HandTestSweep.lasts, on: connection) { try sweep.perform($0) }
    }

    private func compareProbes(on connection: PostgresConnection) async throws {
        let sweep = CompanionSweep(policy: policy)
        try await repeating(for: CompanionSweep.lasts, on: connection) { try sweep.perform($0) }
    }

    /// Looks while more may be due, each time in a transaction of its own.
    /// - Parameter lasts: For how long; the rest waits for the next turn, as silence does not. `nil`: until nothing is due.
    private func repeating(
        for lasts: Duration? = nil, on connection: PostgresConnection,
        _ look: @Sendable (PostgresTransaction) throws -> SweepReport
    ) async throws {
        let end = lasts.map { ContinuousClock.now + $0 }
        var isUnfinished = true
        while isUnfinished, end.map({ .now < $0 }) ?? true {
            let done = try await connection.transaction { try look($0) }
            isUnfinished = done.isUnfinished
            metrics.count(done.alerts)
            logger.note(done.alerts, done.numbers)
        }
    }

    private func lookForFlatLines(on connection: PostgresConnection) async throws {
        let sweep = FlatLineSweep()
        for _ in 0..<FlatLineSweep.looksAtOnce {
            let report = try await connection.transaction { try sweep.perform($0) }
            if report.found > 0 { logger.info("Values stay the same", [.count: "\(report.found)"]) }
            if !report.isUnfinished { break }
        }
    }
}
