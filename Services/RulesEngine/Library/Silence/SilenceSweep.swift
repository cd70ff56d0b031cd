import Instants
import Postgres
import Store
import WaterQuality

/// Looks at the devices that can be silent by now, and decides for each of their people.
struct SilenceSweep {
    /// The most devices of one transaction.
    static let limit = 200

    let policy: AlertPolicy

    /// - Parameter steps: Tells whether the database's clock has leapt since the engine looked last.
    func perform(_ transaction: PostgresTransaction, _ steps: inout ClockSteps) throws -> SweepReport {
        var report = SweepReport()
        guard try transaction.execute(TakeSilenceTurn()).first == true,
            let started = try transaction.execute(ReadClock()).first,
            let clock = try transaction.execute(
                RunSilenceClock(startsAnew: steps.note(started, at: .now))
            ).first
        else { return report }
        let checks = try transaction.execute(
            TakeSilenceChecks(limit: Self.limit, silenceAfter: policy.silenceAfter))
        report.isUnfinished = checks.count == Self.limit
        guard !checks.isEmpty else { return report }

        var ledger = Ledger()
        let next = try decide(checks, clock, transaction, &ledger)
        report.alerts = ledger.alerts
        report.numbers = try ledger.write(transaction)
        if !next.isEmpty { try transaction.perform(SetSilenceChecks(next)) }
        return report
    }

    /// - Returns: When devices are looked at again.
    private func decide(
        _ checks: [TakeSilenceChecks.Row], _ clock: RunSilenceClock.Row, _ transaction: PostgresTransaction,
        _ ledger: inout Ledger
    ) throws -> [SilenceCheck] {
        var next: [SilenceCheck] = []
        var looks: [DeviceKey: SilenceLook] = [:]
        for row in checks {
            if row.isSomebodys {
                looks[row.device] = SilenceLook(
                    row, listeningSince: clock.runsFrom, now: clock.now, policy: policy)
            } else {
                next.append(SilenceCheck(device: row.device, dueAt: nil, expected: [], rhythms: [:]))
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
        try decide(looks.values.flatMap(\.findings), clock, transaction, &ledger)
        return next + looks.values.map(\.check)
    }

    private typealias Findings = [(key: ProbeKey, value: SilenceLook.Finding)]

    private func decide(
        _ findings: Findings, _ clock: RunSilenceClock.Row, _ transaction: PostgresTransaction, _ ledger: inout Ledger
    ) throws {
        guard !findings.isEmpty else { return }
        let devices = Array(Set(findings.map(\.key.device)))
        let lives = try readLives(of: findings, transaction)
        let people = Dictionary(grouping: try transaction.execute(LoadPeople(devices)), by: \.device)
        try ledger.load(
            [.silence], of: devices, for: Set(people.values.joined().map(\.account)),
            mostAnHour: policy.mostAnHour, transaction)
        let told = Self.told(findings, people, clock.now, ledger, policy)
        let sites = try Sites.load(of: told, listeningSince: clock.runsFrom, policy: policy, transaction)
        for (key, found) in findings {
            for person in people[key.device] ?? [] {
                let shared =
                    key.parameter == nil && found.hearing == .silent
                    ? sites.sharedSilence(
                        of: key.device, for: person.account, listeningSince: clock.runsFrom, now: clock.now,
                        policy: policy) : nil
                ledger.decide(
                    Subject(device: key.device, parameter: key.parameter, account: person.account, kind: .silence),
                    at: Ledger.Moment(time: clock.now, now: clock.now, latest: clock.now, settlesAt: shared?.settlesAt),
                    checkProbe: found.checkProbe, policy: person.policy(policy),
                    find: { found.finding(for: person, open: $0, now: clock.now) },
                    content: { episode in
                        let life = key.parameter == nil ? lives[key.device]?.seen(from: person.seesFrom) : nil
                        return .silence(
                            SilenceContent(
                                parameter: key.parameter, checkProbe: found.checkProbe,
                                hint: life.flatMap { SilenceHint($0, heardAt: found.heardAt ?? episode.openedAt) },
                                site: shared?.site))
                    })
            }
        }
    }

    /// The devices whose silence somebody is told of now: nearly always none.
    private static func told(
        _ findings: Findings, _ people: [DeviceKey: [LoadPeople.Row]], _ now: Timestamp, _ ledger: Ledger,
        _ policy: AlertPolicy
    ) -> [DeviceKey] {
        findings.filter { key, found in
            key.parameter == nil && found.hearing == .silent
                && (people[key.device] ?? []).contains { person in
                    ledger.tells(
                        Subject(device: key.device, parameter: nil, account: person.account, kind: .silence), now: now,
                        policy: person.policy(policy)
                    ) { found.finding(for: person, open: $0, now: now) }
                }
        }.map(\.key.device)
    }

    /// Lives of the devices that are silent as a whole.
    private func readLives(
        of findings: Findings, _ transaction: PostgresTransaction
    ) throws -> [DeviceKey: DeviceLife] {
        let silent = findings.filter { $0.key.parameter == nil && $0.value.hearing == .silent }.map(\.key.device)
        guard !silent.isEmpty else { return [:] }
        return Dictionary(
            try transaction.execute(ReadSilentLives(silent)).map { ($0.device, $0.life) }, uniquingKeysWith: { $1 })
    }
}

extension SilenceLook.Finding {
    fileprivate func finding(for person: LoadPeople.Row, open: Episode?, now: Timestamp) -> WaterQuality.Finding {
        hearing.finding(heardAt: heardAt, open: open, theirsFrom: person.theirsFrom, now: now)
    }
}

extension LoadPeople.Row {
    /// The policy with the person's own throttle.
    fileprivate func policy(_ policy: AlertPolicy) -> AlertPolicy {
        var policy = policy
        if let throttle { policy.throttle = throttle }
        return policy
    }
}
