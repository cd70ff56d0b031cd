import Instants
import Postgres
import Store
import WaterQuality

/// Looks at the devices that can be silent by now, and decides for each of their people.
struct SilenceSweep {
    /// The most devices, and the most recovery notices, of one transaction.
    static let limit = 200
    /// How soon a silent device is looked at again: soon, when it may only have been switched off for a moment.
    private static let soon = Duration.seconds(15)
    private static let later = Duration.seconds(60)
    private static let isShort = Duration.seconds(15 * 60)
    /// How soon a device is looked at again whose rhythm is not known.
    private static let unknown = Duration.seconds(5 * 60)

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
        var concerned: [DeviceKey: (row: TakeSilenceChecks.Row, hearing: Hearing)] = [:]
        for row in checks {
            let usual = row.usualMicroseconds.map { Duration.microseconds($0) }
            let hearing = Hearing.judge(
                heardAt: row.heardAt, usual: usual, listeningSince: clock.runsFrom, now: clock.now, policy: policy)
            if !row.isSomebodys {
                ledger.checks.append((row.device, nil))
            } else if hearing == .silent || row.hasOpenSilence {
                concerned[row.device] = (row, hearing)
            } else if let heardAt = row.heardAt, let usual {
                let due = Hearing.due(
                    heardAt: heardAt, usual: usual, listeningSince: clock.runsFrom, policy: policy)
                // A clock that was ahead may have stored a time that is long in coming.
                let latest = clock.now + Hearing.allowance(usual: usual, policy: policy)
                ledger.checks.append((row.device, min(due, latest)))
            } else {
                ledger.checks.append((row.device, clock.now + Self.unknown))
            }
        }
        guard !concerned.isEmpty else { return }
        // Devices of slots that others hold are left for the next look.
        let slots = Set(try transaction.execute(LockSlots(Array(Set(concerned.keys.map(\.slot))))))
        let devices = concerned.keys.filter { slots.contains($0.slot) }
        for row in try transaction.execute(LoadSilences(devices)) {
            guard let (check, hearing) = concerned[row.device] else { continue }
            var policy = policy
            if let own = row.throttleSeconds { policy.throttle = .seconds(Int64(own)) }
            let decision = evaluate(
                hearing, heardAt: check.heardAt, row.state, now: clock.now, newAlert: ledger.nextAlert, policy: policy)
            ledger.record(decision, of: row, isConnected: check.isConnected)
        }
        for device in devices {
            let silentFor = concerned[device]?.row.heardAt.map { clock.now - $0 } ?? .zero
            ledger.checks.append((device, clock.now + (silentFor < Self.isShort ? Self.soon : Self.later)))
        }
    }

    private func decide(_ recoveries: [TakeDueSilenceRecoveries.Row], _ ledger: inout SilenceLedger) {
        for row in recoveries {
            let notice = RecoveryNotice.decide(
                closedAt: row.closedAt, alarm: row.alarm, isReopened: row.isReopened, now: ledger.now, policy: policy)
            if notice == .due { ledger.announce(row) }
            ledger.settled.append(
                (EpisodeKey(slot: row.device.slot, episode: row.episode), again: notice.isAskedAgain))
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
