import Instants
import Postgres
import Store
import WaterQuality

/// Looks at the devices that can be silent by now, and decides for each of their people. Announces the end of silences and of
/// faults.
struct SilenceSweep {
    /// The most devices, and the most recovery notices, of one transaction.
    static let limit = 200

    let policy: AlertPolicy

    struct Report: Sendable {
        var alerts: [ProbeAlert] = []
        var numbers = ReservedNumbers.none
        /// Whether more may be due.
        var isUnfinished = false
    }

    /// - Parameter steps: Tells whether the database's clock has leapt since the engine looked last.
    func perform(_ transaction: PostgresTransaction, _ steps: inout ClockSteps) throws -> Report {
        var report = Report()
        guard try transaction.execute(TakeSilenceTurn()).first == true,
            let started = try transaction.execute(ReadClock()).first,
            let clock = try transaction.execute(
                RunSilenceClock(startsAnew: steps.note(started, at: .now))
            ).first
        else { return report }
        let checks = try transaction.execute(
            TakeSilenceChecks(limit: Self.limit, silenceAfter: policy.silenceAfter))
        let recoveries = try transaction.execute(TakeDueProbeRecoveries(limit: Self.limit, floors: BatchFloors.none))
        report.isUnfinished = checks.count == Self.limit || recoveries.count == Self.limit
        guard !checks.isEmpty || !recoveries.isEmpty else { return report }

        var ledger = SilenceLedger(now: clock.now)
        try decide(checks, clock, transaction, &ledger)
        decide(recoveries, &ledger)
        try write(ledger, transaction, &report)
        return report
    }

    private func decide(
        _ checks: [TakeSilenceChecks.Row], _ clock: RunSilenceClock.Row, _ transaction: PostgresTransaction,
        _ ledger: inout SilenceLedger
    ) throws {
        var looks: [DeviceKey: SilenceLook] = [:]
        for row in checks {
            if row.isSomebodys {
                looks[row.device] = SilenceLook(
                    row, listeningSince: clock.runsFrom, now: clock.now, policy: policy)
            } else {
                ledger.checks.append(SilenceCheck(device: row.device, dueAt: nil, expected: [], rhythms: [:]))
            }
        }
        let suspects = looks.values.flatMap(\.suspects)
        if !suspects.isEmpty {
            for row in try transaction.execute(ReadParameterPauses(suspects, silenceAfter: policy.silenceAfter)) {
                guard let parameter = row.key.parameter else { continue }
                looks[row.key.device]?.judge(parameter, row)
            }
        }
        // Devices of slots that others hold are left for the next look.
        let concerned = Set(looks.filter { !$0.value.findings.isEmpty }.keys.map(\.slot))
        let held = concerned.subtracting(
            concerned.isEmpty ? [] : try transaction.execute(LockSlots(Array(concerned))))
        looks = looks.filter { $0.value.findings.isEmpty || !held.contains($0.key.slot) }
        let keys = looks.values.flatMap(\.findings.keys)
        for row in keys.isEmpty ? [] : try transaction.execute(LoadProbeEpisodes(keys, kind: .silence)) {
            guard let finding = looks[row.key.device]?.findings[row.key] else { continue }
            var watch = ProbeLedger.Watch(row)
            var policy = policy
            if let own = watch.throttle { policy.throttle = own }
            let decision = evaluate(
                finding.hearing, heardAt: finding.heardAt, watch.state, now: clock.now,
                newAlert: ledger.probes.nextAlert, policy: policy)
            ledger.probes.record(
                decision, of: &watch, at: clock.now, now: clock.now, checkProbe: finding.checkProbe)
        }
        ledger.checks += looks.values.map(\.check)
    }

    private func decide(_ recoveries: [TakeDueProbeRecoveries.Row], _ ledger: inout SilenceLedger) {
        for row in recoveries {
            let notice = RecoveryNotice.decide(
                closedAt: row.closedAt, closedByOurClock: row.closedByOurClock, alarm: row.alarm,
                isReopened: row.isReopened, isMoot: row.isMoot,
                calm: row.calm, now: ledger.now, policy: policy)
            if notice == .due { ledger.probes.announce(row, now: ledger.now) }
            let due = row.closedByOurClock + policy.recoveryDelay
            ledger.settled.append(
                (
                    EpisodeKey(slot: row.key.device.slot, episode: row.episode),
                    notice.nextLook(after: ledger.now, due: due, policy: policy)
                ))
        }
    }

    private func write(
        _ ledger: SilenceLedger, _ transaction: PostgresTransaction, _ report: inout Report
    ) throws {
        report.alerts = ledger.probes.alerts
        report.numbers = try ledger.probes.writeEpisodes(transaction)
        if !report.alerts.isEmpty { try transaction.perform(AddProbeAlerts(report.alerts, report.numbers)) }
        if !ledger.settled.isEmpty { try transaction.perform(SettleRecoveries(ledger.settled)) }
        if !ledger.checks.isEmpty { try transaction.perform(SetSilenceChecks(ledger.checks)) }
    }
}
