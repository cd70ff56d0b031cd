import Instants
import Postgres
import Store
import WaterQuality

/// Compares the probes of devices that stand in the same water, some pairs at a time, and decides for everybody who has both.
struct CompanionSweep {
    /// The most pairs, and the most episodes, of one transaction.
    static let limit = 20
    /// For how long a look goes on while more is due.
    static let lasts = Duration.seconds(2)
    /// The time between two comparisons of a pair: drift goes on for days.
    static let interval = Duration.seconds(10 * 60)
    /// The least time between two messages about one probe, however often it begins and ends.
    static let pause = Duration.seconds(86_400)

    let policy: AlertPolicy

    func perform(_ transaction: PostgresTransaction) throws -> SweepReport {
        let due = try transaction.execute(TakeCompanions(limit: Self.limit))
        let lone = try transaction.execute(FindLoneDifferences(limit: Self.limit))
        guard !due.isEmpty || !lone.isEmpty, let now = try transaction.execute(ReadClock()).first else {
            return SweepReport()
        }
        // Rows of slots where others decide just now are left for the next look.
        let free = Set(
            try transaction.execute(LockSlots(Array(Set(due.map(\.device.slot) + lone.map(\.device.slot))))))
        let pairs = due.filter { free.contains($0.device.slot) }
        let ended = lone.filter { free.contains($0.device.slot) }
        guard !pairs.isEmpty || !ended.isEmpty else { return SweepReport() }

        var ledger = Ledger()
        let people = Dictionary(
            grouping: try pairs.isEmpty ? [] : transaction.execute(LoadPairPeople(pairs.map(\.device))), by: \.device)
        try ledger.load(
            [.fault], of: Array(Set(pairs.map(\.device) + ended.map(\.device))),
            for: Set(people.values.joined().map(\.account)),
            mostAnHour: policy.mostAnHour, transaction)
        for subject in ended { end(subject, now: now, &ledger) }
        if !pairs.isEmpty {
            let found = try compare(pairs, people, now: now, transaction, &ledger)
            try transaction.perform(SettleCompanions(pairs.map(\.device), again: Self.interval, found: found))
        }
        var report = SweepReport()
        report.alerts = ledger.alerts
        report.numbers = try ledger.write(transaction)
        report.isUnfinished = pairs.count == Self.limit || ended.count == Self.limit
        return report
    }

    /// - Returns: By how much the probes of each pair lie apart.
    private func compare(
        _ pairs: [Companion], _ people: [DeviceKey: [LoadPairPeople.Row]], now: Timestamp,
        _ transaction: PostgresTransaction,
        _ ledger: inout Ledger
    ) throws -> [SettleCompanions.Found] {
        let devices = Array(Set(pairs.flatMap { [$0.device, $0.second] }))
        var values: [ProbeKey: [ProbePair.Value]] = [:]
        for row in try transaction.execute(ReadCompared(devices)) {
            for (parameter, value) in zip(ProbeTolerance.parameters, row.values) {
                guard let value else { continue }
                values[ProbeKey(device: row.device, parameter: parameter), default: []].append(
                    ProbePair.Value(at: row.at, value: value))
            }
        }
        let worked = Dictionary(
            uniqueKeysWithValues: try transaction.execute(FindLastWork(devices)).map { ($0.device, $0.endsAt) })
        var found: [SettleCompanions.Found] = []
        for pair in pairs {
            let workEndsAt = [pair.device, pair.second].compactMap { worked[$0] }.max() ?? .distantPast
            for parameter in ProbeTolerance.parameters {
                let first = values[ProbeKey(device: pair.device, parameter: parameter)] ?? []
                let second = values[ProbeKey(device: pair.second, parameter: parameter)] ?? []
                guard let tolerance = ProbeTolerance(parameter) else { continue }
                let probes = ProbePair(first, second, since: workEndsAt)
                if !first.isEmpty, !second.isEmpty {
                    found.append((pair.device, parameter, probes.difference(at: now)))
                }
                // While somebody works on the water nothing begins, and nothing ends.
                guard workEndsAt <= now else { continue }
                decide(probes.find(at: now, within: tolerance), parameter, of: pair, people, now: now, &ledger)
            }
        }
        return found
    }

    private func decide(
        _ finding: ProbePair.Finding, _ parameter: Parameter, of pair: Companion,
        _ people: [DeviceKey: [LoadPairPeople.Row]], now: Timestamp,
        _ ledger: inout Ledger
    ) {
        let moment = FoundAt(now - pair.lag, now: now, lag: pair.lag)
        for person in people[pair.device] ?? [] {
            var policy = policy
            policy.throttle = max(person.throttle ?? policy.throttle, Self.pause)
            ledger.decide(
                Subject(device: pair.device, parameter: parameter, account: person.account, kind: .fault),
                at: Ledger.Moment(
                    time: moment.time, now: now,
                    latest: EventTime.latest(before: moment.time, now: now, lag: pair.lag)),
                checkProbe: true, policy: policy,
                find: { .difference(finding, at: moment, open: $0, theirsFrom: person.theirsFrom) },
                content: { .fault(FaultContent(parameter: parameter, differsBy: $0.differsBy)) })
        }
    }

    /// Ends a difference of which nobody can tell any more.
    private func end(_ subject: Subject, now: Timestamp, _ ledger: inout Ledger) {
        ledger.decide(
            subject, at: Ledger.Moment(time: now, now: now, latest: now + EventTime.furthestAhead), policy: policy,
            find: { $0?.differsBy == nil ? .nothing : .moot(at: now) },
            content: { .fault(FaultContent(parameter: subject.parameter ?? .ph, differsBy: $0.differsBy)) })
    }
}
