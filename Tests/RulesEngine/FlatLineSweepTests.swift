import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Flat lines: from roll-ups to alerts.
@Suite struct FlatLineSweepTests {
    private static func ago(_ seconds: Int) -> Timestamp { .now - .seconds(seconds) }

    /// Five days of whole hours, in the last of which pH stood still at 8.
    private static func past(
        _ fixture: EngineFixture, flat hours: Int = 13, of parameter: Parameter = .ph, at value: Float = 8
    ) async throws {
        func columns(_ other: Parameter, _ least: String, _ greatest: String) -> String {
            [least, greatest].map { other == parameter ? "CASE WHEN n > \(hours) THEN \($0) ELSE \(value) END" : $0 }
                .joined(separator: ", ")
        }
        _ = try await fixture.sql(
            """
            UPDATE rollup_progress SET flat_until = '-infinity', hours_since = date_trunc('hour', now()) - interval '200 hours',
                hours_until = date_trunc('hour', now());
            INSERT INTO sample_hour (slot, device_id, starts_at, temperature_min, temperature_max, ph_min, ph_max)
            SELECT slot, device_id, hours_until - n * interval '1 hour',
                \(columns(.temperature, "20 + n % 12 * 0.1", "22")), \(columns(.ph, "7.8 + n % 12 * 0.01", "8.1"))
            FROM device JOIN rollup_progress USING (slot), generate_series(1, 120) n
            """)
    }

    /// Looks until nothing is left to do.
    /// - Returns: The number of flat lines found, and of transactions.
    @discardableResult
    private static func sweep(_ fixture: EngineFixture) async throws -> (found: Int, looks: Int) {
        let engine = try await PostgresConnection.connect(EngineFixture.configuration(fixture.database, .rules))
        var (found, looks) = (0, 0)
        while true {
            let report = try await engine.transaction { try FlatLineSweep().perform($0) }
            found += report.found
            looks += 1
            if !report.isUnfinished { break }
        }
        await engine.close()
        return (found, looks)
    }

    private static let told =
        "SELECT purpose, parameter, value, check_probe FROM alert WHERE kind = 'fault' ORDER BY alert_id"

    @Test func aValueThatStaysTheSameIsToldOnceAndSoIsItsEnd() async throws {
        try await EngineFixture.with { fixture in
            try await Self.past(fixture)
            #expect(try await Self.sweep(fixture).found == 1)
            #expect(
                try await fixture.sql(
                    """
                    SELECT parameter, value, until - since, until = hours_until - interval '1 hour'
                    FROM flat_line JOIN rollup_progress USING (slot)
                    """) == "1|8|12:00:00|t")
            #expect(try await Self.sweep(fixture).found == 0, "it is known")
            #expect(try await fixture.sql(Self.told) == "", "a reading decides")

            try await fixture.hand([.temperature: 20.5, .ph: 8], at: Self.ago(60))
            try await fixture.hand([.temperature: 20.5, .ph: 8], at: Self.ago(30))
            try await fixture.runEngine()
            #expect(try await fixture.sql(Self.told) == "alarm|1|8|t")
            #expect(
                try await fixture.sql(
                    """
                    SELECT e.flat_at, e.opened_at = f.since, a.opened_at = f.since, a.event_time < f.until
                    FROM episode e JOIN alert a USING (slot, episode_id), flat_line f
                    """) == "8|t|t|t")

            _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            try await fixture.hand([.ph: 8.02], at: Self.ago(10))
            let policy = AlertPolicy(recoveryDelay: .zero)
            try await fixture.runEngine(policy: policy)
            #expect(try await fixture.sql("SELECT count(*) FROM flat_line") == "0")
            #expect(try await fixture.sql("SELECT closed_because FROM episode WHERE kind = 'fault'") == "recovered")
            try await fixture.withEngines(1, policy: policy) {
                _ = try await awaitFact("the all-clear") {
                    try await fixture.sql("SELECT count(*) FROM alert WHERE purpose = 'recovery'") == "1" ? true : nil
                }
            }
            #expect(try await fixture.sql(Self.told) == "alarm|1|8|t\nrecovery|1|8|f")
        }
    }

    /// An engine that knows the device learns of it, and looks itself.
    @Test func anEngineAtWorkFindsIt() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.withEngines(1) {
                try await fixture.hand([.ph: 8], at: Self.ago(90))
                _ = try await awaitFact("a decision") {
                    try await fixture.sql("SELECT count(*) FROM evaluation_batch") == "0" ? true : nil
                }
                try await Self.past(fixture)
                _ = try await awaitFact("a flat line") {
                    try await fixture.sql("SELECT count(*) FROM flat_line") == "1" ? true : nil
                }
                try await fixture.hand([.ph: 8], at: Self.ago(30))
                _ = try await awaitFact("an alarm") {
                    try await fixture.sql(Self.told) == "alarm|1|8|t" ? true : nil
                }
            }
        }
    }

    @Test func aValueThatHasMovedSinceIsNotTold() async throws {
        try await EngineFixture.with { fixture in
            try await Self.past(fixture)
            _ = try await fixture.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT slot, 0, device_id, hours_until, now(), 8.1 FROM device JOIN rollup_progress USING (slot)
                """)
            #expect(try await Self.sweep(fixture).found == 0, "since the last whole hour")
            _ = try await fixture.sql("DELETE FROM sample; UPDATE rollup_progress SET flat_until = '-infinity'")
            #expect(try await Self.sweep(fixture).found == 1)
            try await fixture.hand([.ph: 8.1], at: Self.ago(30))
            try await fixture.hand([.ph: 8], at: Self.ago(10))
            try await fixture.runEngine()
            #expect(try await fixture.sql(Self.told) == "")
            #expect(try await fixture.sql("SELECT count(*) FROM flat_line") == "0")
        }
    }

    /// Water may stand still for less than a day, and this probe has been seen to move.
    @Test func whatIsNotLongEnoughIsNone() async throws {
        try await EngineFixture.with { fixture in
            try await Self.past(fixture, flat: 12)
            #expect(try await Self.sweep(fixture).found == 0)
        }
    }

    /// One failed transfer on the bus does not end the flat line; a probe that reports its own fault is another trouble
    /// with its own alert.
    @Test func anErrorOfTheProbeTakesItsPlaceOnceItIsProven() async throws {
        try await EngineFixture.with { fixture in
            try await Self.past(fixture)
            try await Self.sweep(fixture)
            try await fixture.hand([.ph: 8], at: Self.ago(300))
            try await fixture.hand([([:], ParameterSet(.ph), Self.ago(270)), ([.ph: 8], [], Self.ago(240))])
            try await fixture.runEngine()
            #expect(try await fixture.sql(Self.told) == "alarm|1|8|t")
            #expect(try await fixture.sql("SELECT closed_at IS NULL FROM episode") == "t")
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            let policy = AlertPolicy(throttle: .seconds(60))
            try await fixture.hand([200, 170, 100].map { ([:], ParameterSet(.ph), Self.ago($0)) })
            try await fixture.runEngine(policy: policy)
            #expect(try await fixture.sql(Self.told) == "alarm|1|8|t\nalarm|1||t")
            #expect(try await fixture.sql("SELECT count(*) FROM flat_line") == "0")
            #expect(
                try await fixture.sql(
                    "SELECT flat_at, closed_because, recovery_due_at FROM episode ORDER BY episode_id")
                    == "8|recovered|\n||")
        }
    }

    /// The former probe's flat line and its week say nothing about the chosen probe.
    @Test func anotherProbeHasAnotherPast() async throws {
        try await EngineFixture.with { fixture in
            try await Self.past(fixture, of: .temperature, at: 21)
            try await Self.sweep(fixture)
            try await fixture.hand([.temperature: 21], at: Self.ago(60))
            try await fixture.runEngine()
            #expect(try await fixture.sql(Self.told) == "alarm|0|21|t")
            try await fixture.chooseProbe(at: Self.ago(50))
            try await fixture.hand([.temperature: 21], at: Self.ago(30))
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT count(*) FROM flat_line") == "0")
            #expect(try await fixture.sql("SELECT closed_at IS NOT NULL, recovery_due_at FROM episode") == "t|")
            _ = try await fixture.sql("UPDATE rollup_progress SET flat_until = '-infinity'")
            #expect(try await Self.sweep(fixture).found == 0)
        }
    }

    /// The choice was made by a clock that was ahead, and is void until then.
    @Test func aChoiceThatTheFutureWouldMakeChangesNothing() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.chooseProbe(at: Self.ago(-86_400))
            try await Self.past(fixture, of: .temperature, at: 21)
            #expect(try await Self.sweep(fixture).found == 1)
            try await fixture.hand([.temperature: 21], at: Self.ago(30))
            try await fixture.runEngine()
            #expect(try await fixture.sql(Self.told) == "alarm|0|21|t")
        }
    }

    /// One device's absurd values do not stop the look at all others.
    @Test func absurdValuesAreLookedAtAsWell() async throws {
        try await EngineFixture.with { fixture in
            try await Self.past(fixture)
            _ = try await fixture.sql("UPDATE sample_hour SET temperature_min = '-3.4e38', temperature_max = '3.4e38'")
            #expect(try await Self.sweep(fixture).found == 1)
        }
    }

    /// After a pause the earlier values count no more; a device that falls silent is reported as silent.
    @Test func afterAPauseItIsForgotten() async throws {
        try await EngineFixture.with { fixture in
            try await Self.past(fixture)
            try await Self.sweep(fixture)
            _ = try await fixture.sql("UPDATE flat_line SET until = now() - interval '3 hours'")
            try await fixture.hand([.ph: 8], at: Self.ago(30))
            try await fixture.runEngine()
            #expect(try await fixture.sql(Self.told) == "")
            #expect(try await fixture.sql("SELECT count(*) FROM flat_line") == "0")
        }
    }

    @Test func whatStaysTheSameMayFallSilent() async throws {
        try await EngineFixture.with { fixture in
            try await Self.past(fixture)
            try await Self.sweep(fixture)
            try await fixture.hand([.ph: 8], at: Self.ago(30))
            try await fixture.runEngine()
            let engine = try await PostgresConnection.connect(EngineFixture.configuration(fixture.database, .rules))
            func broken() async throws -> ParameterSet? {
                _ = try await fixture.sql("UPDATE silence_check SET due_at = now()")
                return try await engine.execute(TakeSilenceChecks(limit: 1, silenceAfter: .seconds(300))).first?
                    .brokenProbes
            }
            #expect(try await broken() == [])
            _ = try await fixture.sql("UPDATE episode SET flat_at = NULL")
            #expect(try await broken() == ParameterSet(.ph))
            await engine.close()
        }
    }

    /// Transactions are short, and no slot is left out. Two engines do not look through the same one.
    @Test func looksArePagedAndShared() async throws {
        try await EngineFixture.with { fixture in
            try await Self.past(fixture)
            let slot = fixture.device.slot.rawValue
            _ = try await fixture.sql(
                """
                INSERT INTO silence_check (slot, device_id) SELECT \(slot), 1000 + n FROM generate_series(1, 250) n;
                UPDATE rollup_progress SET flat_until = hours_until WHERE slot <> \(slot)
                """)
            let one = try await PostgresConnection.connect(EngineFixture.configuration(fixture.database, .rules))
            let other = try await PostgresConnection.connect(EngineFixture.configuration(fixture.database, .rules))
            try await one.executeScript("BEGIN")
            let look = try #require(try await one.execute(TakeFlatLineLook()).first)
            #expect(look.slot == fixture.device.slot)
            #expect(try await other.execute(TakeFlatLineLook()).isEmpty)
            try await one.executeScript("ROLLBACK")
            await one.close()
            await other.close()
            let done = try await Self.sweep(fixture)
            #expect(done.found == 1 && done.looks == 4, "\(done)")
            #expect(try await fixture.sql("SELECT count(*) FROM rollup_progress WHERE flat_device <> 0") == "0")
        }
    }
}
