import Instants
import Postgres
import Store
import WaterQuality

/// Judges the tests that people have written down, for everybody else who shares the water, and ends what no value by hand speaks of any more.
struct HandTestSweep {
    /// The most tests, and the most episodes, of one transaction.
    static let limit = 100
    /// For how long a look goes on while more is due.
    static let lasts = Duration.seconds(2)

    let policy: AlertPolicy

    func perform(_ transaction: PostgresTransaction) throws -> SweepReport {
        let tests = try transaction.execute(TakeHandTests(limit: Self.limit))
        let mute = try transaction.execute(FindMuteHandEpisodes(limit: Self.limit))
        guard !tests.isEmpty || !mute.isEmpty, let now = try transaction.execute(ReadClock()).first else {
            return SweepReport()
        }
        // Rows of slots where others decide just now are left for the next look.
        let free = Set(
            try transaction.execute(LockSlots(Array(Set(tests.map(\.device.slot) + mute.map(\.device.slot))))))
        let judged = tests.filter { free.contains($0.device.slot) }
        let ended = mute.filter { free.contains($0.device.slot) }
        guard !judged.isEmpty || !ended.isEmpty else { return SweepReport() }

        var ledger = Ledger()
        let devices = Array(Set(judged.map(\.device) + ended.map(\.device)))
        let judgements = judged.isEmpty ? [] : try transaction.execute(ReadHandJudgements(judged.map(\.key)))
        let measured = judgements.map(\.judgement.at)
        let time = (measured.min() ?? now)..<(measured.max() ?? now) + .seconds(1)
        let people = Dictionary(grouping: try transaction.execute(LoadHandLimits(devices, in: time)), by: \.device)
        try ledger.load(
            [.byHand], of: devices, for: Set(people.values.joined().map(\.account)), mostAnHour: policy.mostAnHour,
            transaction)
        for subject in ended { end(subject, now: now, &ledger) }
        if !judged.isEmpty {
            for row in judgements {
                guard let test = judged.first(where: { $0.key == row.test }) else { continue }
                for person in people[test.device] ?? [] {
                    decide(row.judgement, test, person, now: now, &ledger)
                }
            }
            try transaction.perform(NoteJudged(judged.map(\.key)))
        }
        var report = SweepReport()
        report.alerts = ledger.alerts
        report.numbers = try ledger.write(transaction)
        report.isUnfinished = tests.count == Self.limit || mute.count == Self.limit
        return report
    }

    private func decide(
        _ judgement: HandJudgement, _ test: HandTestToJudge, _ person: LoadHandLimits.Row, now: Timestamp,
        _ ledger: inout Ledger
    ) {
        let value = judgement.value
        guard person.parameter == value.parameter, person.tank == test.tank,
            person.theirsFrom.map({ judgement.at >= $0 }) ?? true
        else { return }
        let subject = Subject(
            device: test.device, parameter: value.parameter, account: person.account, kind: .byHand)
        let state = ledger.state(of: subject)
        let (range, critical) = person.limits(at: judgement.at)
        let findings = judgement.findings(
            isOwn: person.account == test.by, by: range, critical,
            isOpen: state.episode != nil, told: state.throttles.latestSide(of: subject.kind.rules), now: now)
        var policy = policy
        if let own = person.throttle { policy.throttle = own }
        for finding in findings {
            ledger.decide(
                subject,
                at: Ledger.Moment(
                    time: judgement.at, receivedAt: test.writtenAt, now: now, latest: now + EventTime.furthestAhead,
                    value: value.value),
                policy: policy, find: { _ in finding },
                content: { _ in
                    .byHand(
                        range.map { ByHandContent(value, by: $0, critical) }
                            ?? ByHandContent(parameter: value.parameter))
                })
        }
    }

    private func end(_ subject: Subject, now: Timestamp, _ ledger: inout Ledger) {
        ledger.decide(
            subject, at: Ledger.Moment(time: now, now: now, latest: now + EventTime.furthestAhead), policy: policy,
            find: { _ in .moot(at: now) },
            content: { _ in .byHand(ByHandContent(parameter: subject.parameter ?? .ph)) })
    }
}
