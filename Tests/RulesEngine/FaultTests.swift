import Instants
import Postgres
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Probes that report their own fault: from a batch to alerts. Times are seconds before now.
@Suite struct FaultTests {
    private static let ph = ParameterSet(.ph)

    private static func ago(_ seconds: Int) -> Timestamp { .now - .seconds(seconds) }

    /// All alerts about faults, oldest first.
    private func told(_ fixture: EngineFixture) async throws -> [String] {
        try await fixture.sql(
            "SELECT purpose || ' ' || parameter FROM alert WHERE kind = 'fault' ORDER BY alert_id"
        ).split(separator: "\n").map(String.init)
    }

    @Test func aBrokenProbeIsToldOnceAndSoIsItsReturn() async throws {
        let now = Timestamp.now
        @Sendable func ago(_ seconds: Int) -> Timestamp { now - .seconds(seconds) }
        try await EngineFixture.with { fixture in
            try await fixture.hand([([.temperature: 20], Self.ph, ago(90)), ([:], Self.ph, ago(60))])
            try await fixture.runEngine()
            #expect(try await told(fixture) == [], "half a minute is a glitch")
            #expect(try await fixture.sql("SELECT parameter, last_at - since FROM probe_fault") == "1|00:00:30")
            try await fixture.hand([([.temperature: 20], Self.ph, ago(30)), ([:], Self.ph, ago(20))])
            try await fixture.runEngine()
            #expect(try await told(fixture) == ["alarm 1"])
            #expect(
                try await fixture.sql(
                    """
                    SELECT a.check_probe, a.value, a.opened_at = e.opened_at AND e.opened_at = f.since, t.kind,
                        t.charged_at = a.event_time AND a.event_time = e.opened_at + interval '60 s'
                    FROM alert a JOIN episode e USING (slot, episode_id)
                    JOIN throttle t ON t.slot = a.slot AND t.alert_id = a.alert_id, probe_fault f
                    """) == "t||t|fault|t")
            #expect(try await fixture.sql("SELECT reason, notification FROM transition") == "opened|alerted")

            _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            try await fixture.hand([.ph: 8], at: ago(10))
            try await fixture.runEngine(policy: AlertPolicy(recoveryDelay: .zero))
            #expect(try await fixture.sql("SELECT count(*) FROM probe_fault") == "0")
            #expect(
                try await fixture.sql(
                    "SELECT closed_because, closed_at = (SELECT max(event_time) FROM sample) FROM episode")
                    == "recovered|t")
            try await fixture.withEngines(1, policy: AlertPolicy(recoveryDelay: .zero)) {
                _ = try await awaitFact("the all-clear") {
                    try await fixture.sql("SELECT count(*) FROM alert WHERE purpose = 'recovery'") == "1" ? true : nil
                }
            }
            #expect(try await told(fixture) == ["alarm 1", "recovery 1"])
        }
    }

    /// Water and probe are two matters, with a throttle each.
    @Test func aFaultHoldsBackNoAlarmOfTheWater() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.hand([
                ([:], Self.ph, Self.ago(120)), ([:], Self.ph, Self.ago(60)), ([.ph: 9], [], Self.ago(30)),
                ([.ph: 9], ParameterSet(.temperature), Self.ago(20)),
            ])
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT kind FROM alert ORDER BY kind") == "fault\nrange")
            #expect(try await fixture.sql("SELECT kind FROM throttle ORDER BY kind") == "fault\nhigh")
            #expect(try await fixture.sql("SELECT parameter FROM probe_fault") == "0")
        }
    }

    /// A loose wire alerts once in half an hour.
    @Test func faultsThatComeAndGoShareAThrottle() async throws {
        try await EngineFixture.with { fixture in
            let messages = (0..<5).flatMap { round in
                [(0, Self.ph), (60, Self.ph), (90, [])].map { seconds, broken in
                    (broken.isEmpty ? [Parameter.ph: Float(8)] : [:], broken, Self.ago(600 - 120 * round - seconds))
                }
            }
            try await fixture.hand(messages)
            try await fixture.runEngine()
            #expect(try await told(fixture) == ["alarm 1"])
            #expect(try await fixture.sql("SELECT count(*), count(closed_at) FROM episode") == "5|5")
            #expect(try await fixture.sql("SELECT count(*) FROM transition WHERE notification = 'throttled'") == "4")
        }
    }

    @Test func eachPersonOfADeviceIsTold() async throws {
        try await EngineFixture.with { fixture in
            let watcher = try await fixture.addPerson("pat")
            try await fixture.join(watcher)
            try await fixture.begin(fixture.device, of: watcher, at: Self.ago(45))
            _ = try await fixture.sql(
                "UPDATE ownership SET readings_from = linked_at - interval '1 minute' WHERE role = 'watcher'")
            try await fixture.hand([90, 30, 10].map { ([:], Self.ph, Self.ago($0)) })
            try await fixture.runEngine()
            #expect(try await told(fixture) == ["alarm 1", "alarm 1"])
            #expect(
                try await fixture.sql(
                    """
                    SELECT opened_at = linked_at FROM episode
                    JOIN ownership USING (slot, device_id, account_id) WHERE account_id = \(watcher.rawValue)
                    """) == "t", "who joined later is told of nothing that was before, seen or not")
        }
    }

    /// Equal readings give equal alerts, however they are divided into batches, whichever engine decides, and whatever
    /// is handed over twice.
    @Test(arguments: [1, 2, 3]) func batchesAndEnginesMakeNoDifference(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let end = Self.ago(5)
        let messages = (0..<40).map { index in
            let isBroken = (index / 5 + Int(seed)).isMultiple(of: 2) || Int.random(in: 0..<8, using: &generator) == 0
            let values: [Parameter: Float] = isBroken ? [.temperature: 20] : [.temperature: 20, .ph: 8]
            return (values, isBroken ? Self.ph : [], end - .seconds(20 * (40 - index)))
        }
        func outcome(_ cuts: [Int], engines: Int, repeats: Bool) async throws -> String {
            let found = Mutex("")
            try await EngineFixture.with { fixture in
                // Engines take turns: each finds its memory outdated.
                let memories = (0..<engines).map { _ in SharedMemory() }
                for (turn, (from, to)) in zip([0] + cuts, cuts + [messages.count]).enumerated() {
                    try await fixture.hand(Array(messages[from..<to]))
                    let broken = messages[..<to].filter { !$0.1.isEmpty }
                    if repeats, !broken.isEmpty { try await fixture.hand(broken.map { ([:], $0.1, $0.2) }) }
                    // Readings must not become stale meanwhile on a busy machine.
                    try await fixture.claim(
                        memories[turn % engines], AlertPolicy(staleAfter: .seconds(86_400)))
                }
                let stored = try await fixture.sql(
                    """
                    SELECT 'episode', kind, parameter, opened_at, closed_at FROM episode
                    UNION ALL SELECT 'alert', purpose, parameter, opened_at, event_time FROM alert
                    UNION ALL SELECT 'fault', '', parameter, since, last_at FROM probe_fault
                    ORDER BY 1, 4
                    """)
                found.withLock { $0 = stored }
            }
            return found.withLock { $0 }
        }
        let expected = try await outcome([], engines: 1, repeats: false)
        #expect(expected.contains("alert"))
        let cuts = Set((0..<9).map { _ in Int.random(in: 1..<40, using: &generator) }).sorted()
        #expect(try await outcome(cuts, engines: 1, repeats: false) == expected)
        #expect(try await outcome(cuts, engines: 2, repeats: true) == expected)
    }

    /// Readings out of order, and copies, change nothing, even for an engine that has just started.
    @Test func whatComesLateChangesNothing() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.hand([.ph: 8], at: Self.ago(30), receivedAt: Self.ago(30))
            try await fixture.runEngine()
            try await fixture.hand([([:], Self.ph, Self.ago(300)), ([:], Self.ph, Self.ago(200))])
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT count(*) FROM probe_fault") == "0")
            #expect(try await told(fixture) == [])
        }
    }

    /// Nothing is lost when an engine ends.
    @Test func aFaultIsProvenAcrossEngines() async throws {
        try await EngineFixture.with { fixture in
            for seconds in [100, 60, 30] {
                try await fixture.hand([([:], Self.ph, Self.ago(seconds))])
                try await fixture.runEngine()
            }
            #expect(try await told(fixture) == ["alarm 1"])
        }
    }

    /// A broken probe counts as heard: neither its device nor its parameter is missing as well. When it ends
    /// altogether, its device is.
    @Test func oneTroubleIsToldOnce() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.database.freezeClock()
            _ = try await fixture.sql(
                """
                SELECT make_sample_partitions(current_date - 2, current_date + 2);
                UPDATE silence_clock SET runs_from = now() - interval '1 day', looked_at = now();
                INSERT INTO ingest_seat (seat, session_open, level_at) VALUES (1, true, now());
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT \(fixture.device.slot.rawValue), 0, \(fixture.device.device.rawValue), t, t, 8
                FROM generate_series(0, 19) n, LATERAL (SELECT now() - interval '600 s' - n * interval '30 s' AS t) AS s;
                INSERT INTO probe_fault (slot, device_id, parameter, since, last_at, received_at)
                SELECT slot, device_id, 1, now() - interval '570 s', now() - interval '20 s', now() - interval '20 s' FROM device;
                UPDATE silence_check SET due_at = now()
                """)
            let engine = try await PostgresConnection.connect(
                EngineFixture.configuration(fixture.database, .rules))
            func look() async throws -> Int {
                _ = try await fixture.sql("UPDATE silence_check SET due_at = now()")
                return try await engine.transaction { transaction in
                    var steps = ClockSteps()
                    return try SilenceSweep(policy: AlertPolicy()).perform(transaction, &steps).alerts.count
                }
            }
            #expect(try await look() == 0)
            _ = try await fixture.sql("UPDATE probe_fault SET received_at = now() - interval '301 s'")
            #expect(try await look() == 1)
            #expect(try await fixture.sql("SELECT kind, parameter IS NULL FROM alert") == "silence|t")
            // Nobody has the device any more.
            _ = try await fixture.sql("UPDATE ownership SET unlinked_at = now()")
            #expect(try await look() == 0)
            #expect(try await fixture.sql("SELECT count(*) FROM probe_fault") == "0")
            await engine.close()
        }
    }
}
