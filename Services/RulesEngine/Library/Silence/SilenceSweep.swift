import Instants
import Postgres
import Store
import WaterQuality

/// Looks at the devices that can be silent by now, and decides for each of their people.
struct SilenceSweep {
    /// The most devices, and the most recovery notices, of one transaction.
    static let limit = 200

    let policy: AlertPolicy

    struct Report: Sendable {
        var alerts: [SilenceAlert] = []
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
        let recoveries = try transaction.execute(TakeDueSilenceRecoveries(limit: Self.limit))
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
                ledger.checks.append(SilenceCheck(device: row.device, dueAt: nil, expected: []))
            }
        }
        let suspects = looks.values.flatMap(\.suspects)
        if !suspects.isEmpty {
            for row in try transaction.execute(ReadParameterRhythms(suspects)) {
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
        for row in keys.isEmpty ? [] : try transaction.execute(LoadSilences(keys)) {
            guard let finding = looks[row.key.device]?.findings[row.key] else { continue }
            var policy = policy
            if let own = row.throttleSeconds { policy.throttle = .seconds(Int64(own)) }
            let decision = evaluate(
                finding.hearing, heardAt: finding.heardAt, row.state, now: clock.now, newAlert: ledger.nextAlert,
                policy: policy)
            ledger.record(decision, of: row, checkProbe: finding.checkProbe)
        }
        ledger.checks += looks.map { SilenceCheck(device: $0, dueAt: $1.dueAt, expected: $1.expected) }
    }

    private func decide(_ recoveries: [TakeDueSilenceRecoveries.Row], _ ledger: inout SilenceLedger) {
        for row in recoveries {
            let notice = RecoveryNotice.decide(
                closedAt: row.closedAt, alarm: row.alarm, isReopened: row.isReopened, now: ledger.now, policy: policy)
            if notice == .due { ledger.announce(row) }
            ledger.settled.append(
                (EpisodeKey(slot: row.key.device.slot, episode: row.episode), again: notice.isAskedAgain))
        }
    }

    private func write(
        _ ledger: SilenceLedger, _ transaction: PostgresTransaction, _ report: inout Report
    ) throws {
        if ledger.newEpisodes > 0 || !ledger.alerts.isEmpty {
            report.numbers = ReservedNumbers(
                try transaction.execute(
                    ReserveNumbers(episodes: ledger.newEpisodes, alerts: ledger.alerts.count)))
        }
        if !ledger.records.isEmpty { try transaction.perform(WriteSilences(ledger.records, report.numbers)) }
        if !ledger.transitions.isEmpty {
            try transaction.perform(AddTransitions(ledger.transitions, report.numbers))
        }
        if !ledger.alerts.isEmpty { try transaction.perform(AddSilenceAlerts(ledger.alerts, report.numbers)) }
        if !ledger.settled.isEmpty { try transaction.perform(SettleRecoveries(ledger.settled)) }
        if !ledger.checks.isEmpty { try transaction.perform(SetSilenceChecks(ledger.checks)) }
        report.alerts = ledger.alerts
    }
}
