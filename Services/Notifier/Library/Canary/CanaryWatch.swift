import Backoff
import Instants
import Logging
import Postgres
import PushClient
import PushTargets
import ServiceKit
import WaterQuality

/// Shows when an alarm of the canary last arrived, and calls the operator's heartbeat address for each that does.
///
/// A look beside the deliveries and no part of them: whatever hangs here, a database or the address, holds none of them up.
struct CanaryWatch: Sendable {
    let pool: PostgresPool
    let client: PushClient
    /// nil where nobody outside waits.
    let heartbeat: HeartbeatAddress?
    let interval: Duration
    let clock: WallClock
    let metrics: CanaryMetrics
    let logger: Logger
    /// Whether the database is known to be of this version.
    let mayBegin: @Sendable () -> Bool

    /// A failure here ends no delivery.
    private static func isRetriable(_ error: any Error) -> Bool { !(error is CancellationError) }

    /// Looks until it is cancelled.
    func run() async throws {
        let calls = OutageLog(subject: "calling the heartbeat address", logger: logger)
        try await keepTrying("looking at the canary", logger: logger, isRetriable: Self.isRetriable) {
            (outage: Outage) -> Void in
            try await every(interval, startsNow: true) {
                guard mayBegin() else { return }
                let canary = try await pool.execute(LookAtCanary(beats: heartbeat != nil)).first
                outage.end()
                metrics.show(canary)
                if let canary, canary.isOwed, let heartbeat { await call(heartbeat, for: canary, calls) }
            }
        }
    }

    /// One call and no second one: the next canary's follows, and the service outside waits for more than one.
    private func call(_ heartbeat: HeartbeatAddress, for canary: LookAtCanary.Row, _ log: OutageLog) async {
        let answer: PushAnswer
        do throws(PushTargetFault) {
            let target = try heartbeat.target(client.policy)
            answer = await client.exchange(
                [], headers: [], to: target, for: AskerID(rawValue: canary.account.rawValue), method: .get
            ).answer
        } catch {
            answer = .unusable("the address is not permitted: \(error.rawValue)")
        }
        let verdict = Verdict(answer, now: clock.now())
        let isTaken = verdict.outcome == .accepted
        metrics.heartbeats[isTaken ? .taken : .failed].increment()
        if isTaken { log.succeeded() } else { log.failed(because: verdict.detail) }
    }
}
