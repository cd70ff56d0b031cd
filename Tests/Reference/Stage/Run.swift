import Foundation
import TestSupport

/// Plays many courses at once, burst by burst, and collects the services' results.
struct Run: Sendable {
    private let stage: ReferenceStage
    private let subjects: [Subject]
    /// Whether services are killed and frozen meanwhile.
    private let hasFaults: Bool

    private enum Fault {
        case kill(String)
        /// Freezes one engine, while the other goes on.
        case freeze(String)
    }

    private static let faults = [
        Fault.kill("aqua-rules"), .freeze("aqua-rules-2"), .kill("aqua-notifier"), .kill("aqua-ingestor"),
        .freeze("aqua-rules"),
    ]
    /// The longest wait for an all-clear that is due: in a course with a difference it may never come.
    private var patience: Duration { hasFaults ? .seconds(120) : .seconds(30) }

    /// - Returns: A verdict for each plan.
    static func verdicts(
        _ plans: [Plan], on stage: ReferenceStage, prefix: String, hasFaults: Bool
    ) async throws -> [Verdict] {
        let subjects = try await concurrently(plans.indices.map { $0 }) { index in
            try await stage.provision(plans[index], as: "\(prefix)-\(index)")
        }
        let run = Run(stage: stage, subjects: subjects, hasFaults: hasFaults)
        try await run.play()
        return try await run.verdicts()
    }

    private func play() async throws {
        let start = Int(Date().timeIntervalSince1970 * 1000) - Course.span
        let zero = start - start % 60_000  // periods of limits begin and end with minutes of the clock
        _ = try await concurrently(subjects) { try await $0.begin(at: zero) }
        var missing: [String: Int] = [:]
        for number in 0..<(subjects.map(\.plan.rounds.count).max() ?? 0) {
            let playing = subjects.filter { number < $0.plan.rounds.count }
            _ = try await concurrently(playing) { subject in
                for act in subject.plan.rounds[number].acts { try await subject.perform(act) }
            }
            let fault = hasFaults && number % 3 == 2 ? Self.faults[number / 3 % Self.faults.count] : nil
            async let begun: Void = begin(fault)
            _ = try await concurrently(playing) { try await $0.publish($0.plan.rounds[number].burst) }
            try await begun
            try await settle(number, &missing)
            if case .freeze(let name) = fault { try stage.system.process(name).signal(SIGCONT) }
        }
    }

    private func begin(_ fault: Fault?) async throws {
        switch fault {
        case .kill(let name): try await stage.kill(name)
        case .freeze(let name): try stage.system.process(name).signal(SIGSTOP)
        case nil: break
        }
    }

    // MARK: Settling

    /// Waits until everything sent is stored, decided and delivered, and for the all-clears that the rules require.
    private func settle(_ number: Int, _ missing: inout [String: Int]) async throws {
        let values = subjects.reduce(0) { $0 + $1.published }
        try await stage.system.fact(
            """
            SELECT coalesce(sum((s.temperature IS NOT NULL)::int + (s.ph IS NOT NULL)::int), 0) >= \(values)
            FROM sample s JOIN device d USING (slot, device_id) WHERE d.hardware_id IN (\(names))
            """)
        try await stage.system.fact("SELECT count(*) = 0 FROM evaluation_batch")
        try await untilNothingIsOnTheWay(number)
        var expected: [String: Int] = [:]
        for subject in subjects {
            guard let round = subject.plan.rounds[..<min(number + 1, subject.plan.rounds.count)].last else { continue }
            for (watch, count) in round.allClears where count > 0 {
                let key =
                    "\(subject.name)|\(try subject.account(watch.person).email)|\(watch.quantity.number)"
                expected[key] = count - missing[key, default: 0]
            }
        }
        let counts = expected
        do {
            try await awaitFact("all-clears", within: patience) {
                try await hasten()
                return try await lacking(counts).isEmpty ? true : nil
            }
        } catch is TestSupportError {
            for (key, count) in try await lacking(counts) { missing[key, default: 0] += count }
        }
        try await untilNothingIsOnTheWay(number)
    }

    private func untilNothingIsOnTheWay(_ number: Int) async throws {
        let count = onTheWay(number)
        try await awaitFact(count) {
            try await hasten()
            return try await stage.system.database.sql(count) == "0" ? true : nil
        }
    }

    /// Brings forward the next retry of refused deliveries and the next look for all-clears. Both grow rare, and
    /// courses run faster than water changes; the results of a look remain the services' own.
    private func hasten() async throws {
        try await stage.system.database.sql(
            """
            WITH refused AS (
                SELECT slot, alert_id, endpoint_id FROM delivery
                WHERE state = 'pending' AND holder IS NULL AND next_attempt_at > now() + interval '1 s'
                FOR UPDATE SKIP LOCKED
            ), calm AS (
                SELECT slot, episode_id FROM episode
                WHERE recovery_due_at BETWEEN now() + interval '3 s' AND now() + interval '10 minutes'
                FOR UPDATE SKIP LOCKED
            ), sooner AS (
                UPDATE delivery d SET next_attempt_at = now() FROM refused r
                WHERE d.slot = r.slot AND d.alert_id = r.alert_id AND d.endpoint_id = r.endpoint_id
            )
            UPDATE episode e SET recovery_due_at = now() FROM calm c
            WHERE e.slot = c.slot AND e.episode_id = c.episode_id
            """)
    }

    private var names: String { subjects.map { "'\($0.name)'" }.joined(separator: ",") }

    /// SQL for whether an alert is still true; otherwise it is cancelled when its turn comes, whatever its receiver
    /// answers.
    private static let holds = """
        CASE WHEN l.purpose = 'recovery' THEN NOT EXISTS (
            SELECT FROM episode o WHERE o.slot = l.slot AND o.device_id = l.device_id AND o.parameter = l.parameter
                AND o.account_id = l.account_id AND o.kind = l.kind
                AND (o.closed_at IS NULL OR o.episode_id > l.episode_id))
        ELSE EXISTS (
            SELECT FROM episode o WHERE o.slot = l.slot AND o.episode_id = l.episode_id AND o.closed_at IS NULL) END
        """

    /// SQL that counts pending alerts, except for those at receivers that refuse.
    private func onTheWay(_ number: Int) -> String {
        let frozen = subjects.flatMap { subject in
            let round = subject.plan.rounds[..<min(number + 1, subject.plan.rounds.count)].last
            return (round?.frozen ?? []).compactMap { person in
                (try? subject.account(person)).map { "('\(subject.name)', '\($0.email)')" }
            }
        }
        let others =
            frozen.isEmpty
            ? "" : "AND NOT ((d.hardware_id, a.email) IN (\(frozen.joined(separator: ","))) AND \(Self.holds))"
        return """
            SELECT (SELECT count(*) FROM alert l JOIN device d USING (slot, device_id) JOIN account a USING (account_id)
                WHERE l.state IN ('decided', 'sending') \(others))
            """
    }

    /// The number of missing all-clears of each watch.
    private func lacking(_ expected: [String: Int]) async throws -> [String: Int] {
        guard !expected.isEmpty else { return [:] }
        let rows = try await stage.system.database.sql(
            """
            SELECT d.hardware_id, a.email, l.parameter, count(*)
            FROM alert l JOIN device d USING (slot, device_id) JOIN account a USING (account_id)
            WHERE l.kind IN ('range', 'fault') AND l.purpose = 'recovery' AND l.state <> 'cancelled' AND d.hardware_id IN (\(names))
            GROUP BY 1, 2, 3
            """)
        var found: [String: Int] = [:]
        for row in rows.split(separator: "\n") {
            guard let end = row.lastIndex(of: "|") else { continue }
            found[String(row[..<end])] = Int(row[row.index(after: end)...])
        }
        return expected.reduce(into: [:]) { lacking, one in
            let count = one.value - found[one.key, default: 0]
            if count > 0 { lacking[one.key] = count }
        }
    }

    // MARK: Results

    private func verdicts() async throws -> [Verdict] {
        let rows = try await stage.system.database.sql(
            """
            SELECT d.hardware_id, a.email, e.parameter, e.kind, t.reason, e.side, t.notification,
                round(extract(epoch FROM t.event_time) * 1000)::bigint
            FROM transition t JOIN episode e USING (slot, episode_id) JOIN device d USING (slot, device_id)
                JOIN account a USING (account_id)
            WHERE e.kind IN ('range', 'fault') AND d.hardware_id IN (\(names)) ORDER BY t.slot, t.transition_id
            """)
        var transitions: [String: [FoundTransition]] = [:]
        for row in rows.split(separator: "\n") {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 8, let time = Int(cells[7]) else {
                throw TestSupportError("a transition cannot be read: \(row)")
            }
            let found = FoundTransition(
                kind: cells[3], reason: cells[4], side: Side(rawValue: cells[5]), time: time, notification: cells[6])
            transitions[cells[0...2].joined(separator: "|"), default: []].append(found)
        }
        let messages = Dictionary(grouping: stage.receivers.accepted(), by: \.device)
        return try subjects.map { subject in
            var verdict = Verdict(subject.plan)
            for watch in verdict.watches {
                let account = try subject.account(watch.person)
                verdict.compare(
                    watch, transitions["\(subject.name)|\(account.email)|\(watch.quantity.number)"] ?? [],
                    (messages[subject.name] ?? []).filter {
                        $0.path == "/\(account.name)" && $0.quantity == watch.quantity
                    },
                    subject.courseTime)
            }
            return verdict
        }
    }
}

/// A stored change of an episode, with its time in milliseconds since 1970.
struct FoundTransition: Hashable, Sendable {
    var kind: String
    var reason: String
    var side: Side?
    var time: Int
    var notification: String
}

/// Runs `body` for each element, a few at a time.
func concurrently<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ body: @Sendable @escaping (Element) async throws -> Result
) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
        var results: [Int: Result] = [:]
        for (index, element) in elements.enumerated() {
            if index >= 6, let (done, result) = try await group.next() { results[done] = result }
            group.addTask { (index, try await body(element)) }
        }
        while let (done, result) = try await group.next() { results[done] = result }
        return results.sorted { $0.key < $1.key }.map(\.value)
    }
}
