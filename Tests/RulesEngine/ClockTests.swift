import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Wrong clocks: a device's, and our own.
struct ClockTests {
    private static let behind = Duration.seconds(9 * 3_600)

    /// Sends a message every thirty seconds, received as soon as it was measured, by a clock that is behind.
    private func send(
        _ values: [Parameter: Float], _ count: Int, until end: Timestamp, behind: Duration, _ fixture: EngineFixture
    ) async throws {
        for number in 0..<count {
            let receipt = end - .seconds(30 * (count - 1 - number))
            try await fixture.hand(values, at: receipt - behind, receivedAt: receipt)
        }
    }

    @Test func aSlowClockIsToldAfterItsProofAndAtOnceAfterARestart() async throws {
        try await EngineFixture.with { fixture in
            try await send([.temperature: 25], 10, until: .now - .seconds(60), behind: Self.behind, fixture)
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT count(*) FROM alert") == "0", "it may be a backlog")
            #expect(try await fixture.sql("SELECT lag_seconds IS NULL FROM device_clock") == "t", "and is told of")
            // Another engine has no proof yet and has to start over.
            try await send([.temperature: 25], 12, until: .now, behind: Self.behind, fixture)
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT purpose FROM alert") == "alarm")
            #expect(try await fixture.sql("SELECT lag_seconds FROM device_clock") == "32400")
            // A third engine reads the second one's finding.
            try await fixture.hand([.ph: 9], at: .now - Self.behind)
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT parameter FROM alert ORDER BY alert_id") == "0\n1")
        }
    }

    /// The value alerts with the second reading after the step, instead of five minutes later; the step and its size
    /// are recorded. Small steps, which leave the earlier time valid, count too.
    @Test(arguments: [180, 3_600, 2 * 86_400]) func aClockThatIsPutBackCostsNoAlarm(seconds: Int) async throws {
        try await EngineFixture.with { fixture in
            try await fixture.withEngines(1) {
                try await send([.temperature: 20], 4, until: .now - .seconds(60), behind: .zero, fixture)
                try await send([.temperature: 26], 2, until: .now, behind: .seconds(seconds), fixture)
                try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
            }
            #expect(try await fixture.sql("SELECT purpose FROM alert") == "alarm")
            #expect(
                try await fixture.sql(
                    "SELECT abs(lag_seconds - \(seconds)) < 5, stepped_at IS NOT NULL FROM device_clock")
                    == "t|t")
        }
    }

    /// An hour of old water that a gateway sends after present readings.
    @Test func whatComesBehindALaterReadingIsThePast() async throws {
        try await EngineFixture.with { fixture in
            let now = Timestamp.now
            try await fixture.withEngines(1) {
                try await send([.temperature: 20], 4, until: now - .seconds(10), behind: .zero, fixture)
                try await fixture.hand((0..<120).map { ([.temperature: 26], now - .seconds(3_600 + 30 * (120 - $0))) })
                try await fixture.hand([.temperature: 20], at: now)
                try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
            }
            #expect(try await fixture.sql("SELECT count(*) FROM alert") == "0")
            #expect(try await fixture.sql("SELECT count(*) FROM device_clock WHERE stepped_at IS NOT NULL") == "0")
        }
    }

    /// A device sends its last hour while one engine takes over from another.
    @Test func aPastThatChangesHandsIsNoStep() async throws {
        try await EngineFixture.with { fixture in
            let now = Timestamp.now
            try await fixture.hand((0..<20).map { ([.temperature: 20], now - .seconds(3_600 - 30 * $0)) })
            try await fixture.runEngine()
            try await fixture.hand([.temperature: 26], at: now - .seconds(3_600 - 30 * 18 - 5))
            try await fixture.hand([.temperature: 20], at: now - .seconds(3_600 - 30 * 20))
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT count(*) FROM device_clock WHERE stepped_at IS NOT NULL") == "0")
            #expect(try await fixture.sql("SELECT count(*) FROM alert") == "0")
        }
    }

    @Test func aClockThatIsMendedIsForgotten() async throws {
        try await EngineFixture.with { fixture in
            _ = try await fixture.sql(
                "INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 32400 FROM device")
            try await send([.temperature: 20], 12, until: .now, behind: .zero, fixture)
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT count(*) FROM device_clock") == "0")
        }
    }

    /// One message that comes too soon disproves the lag; proving another one takes its time.
    @Test func aLagThatIsDisprovedCorrectsNothingAnyMore() async throws {
        try await EngineFixture.with { fixture in
            _ = try await fixture.sql(
                "INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 7200 FROM device")
            try await fixture.hand([.temperature: 20], at: .now)
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT lag_seconds IS NULL FROM device_clock") == "t")
        }
    }

    @Test func aBacklogThatIsSentAtOnceIsTheDevicesPast() async throws {
        try await EngineFixture.with { fixture in
            let now = Timestamp.now
            try await fixture.hand((0..<120).map { ([.temperature: 25], now - .seconds(7_200 - 30 * $0)) })
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT count(*) FROM alert") == "0")
            #expect(try await fixture.sql("SELECT count(*) FROM device_clock") == "0")
        }
    }

    /// The readings of a slow clock belong to the new owner from the start of their ownership, not from nine hours
    /// later.
    @Test func aSlowClockChangesHandsLikeAnyOther() async throws {
        try await EngineFixture.with { fixture in
            _ = try await fixture.sql(
                """
                INSERT INTO device_clock (slot, device_id, lag_seconds) SELECT slot, device_id, 32400 FROM device;
                INSERT INTO account (email, password_hash) VALUES ('before@example.org', 'scrypt$test');
                INSERT INTO ownership (slot, device_id, account_id, name, linked_at, unlinked_at)
                SELECT slot, device_id, (SELECT max(account_id) FROM account), 'theirs',
                    now() - interval '1 day', now() - interval '1 minute' FROM device;
                UPDATE ownership SET readings_from = start_of_readings(slot, device_id, role, linked_at)
                """)
            try await fixture.hand([.temperature: 30], at: .now - .seconds(90) - Self.behind)
            try await fixture.hand([.ph: 9], at: .now - Self.behind)
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT parameter FROM episode") == "1")
        }
    }

    /// Our clock is three hours, or three months, ahead. One engine keeps running; another starts when the clock is
    /// right again.
    @Test(arguments: [3 * 3_600, 90 * 86_400], [true, false])
    func afterOurClockWasAheadEverythingGoesOn(seconds: Int, restarts: Bool) async throws {
        try await EngineFixture.with { fixture in
            let ahead = Timestamp.now + .seconds(seconds)
            // The partition that the Ingestor would have made by the wrong clock, and may not make by the right one.
            _ = try await fixture.sql(
                """
                CREATE TABLE IF NOT EXISTS sample_ahead PARTITION OF sample
                FOR VALUES FROM (current_date + \(max(5, seconds / 86_400))) TO (current_date + \(max(5, seconds / 86_400) + 2))
                """)
            let wrong: @Sendable () async throws -> Void = {
                try await fixture.hand([.temperature: 25], at: ahead, receivedAt: ahead)
                try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
            }
            let right: @Sendable () async throws -> Void = {
                try await fixture.hand([.temperature: 26], at: .now - .seconds(20))
                try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
                try await fixture.hand([.temperature: 26], at: .now - .seconds(10))
                try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
            }
            if restarts {
                try await fixture.withEngines(1) { try await wrong() }
                try await fixture.withEngines(1) { try await right() }
            } else {
                try await fixture.withEngines(1) {
                    try await wrong()
                    try await right()
                }
            }
            #expect(
                try await fixture.sql("SELECT count(*) FROM alert") == "2", "one of then, one of now, throttled again")
            #expect(
                try await fixture.sql(
                    "SELECT opened_at <= now(), last_at <= now() FROM episode WHERE closed_at IS NULL") == "t|t")
            #expect(try await fixture.sql("SELECT charged_at <= now() FROM throttle") == "t")
        }
    }

    @Test func anAllClearOfTheFutureIsToldNow() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.hand([.temperature: 25], at: .now - .seconds(10))
            try await fixture.hand([.temperature: 20], at: .now - .seconds(5))
            try await fixture.runEngine()
            _ = try await fixture.sql(
                """
                UPDATE alert SET state = 'delivered';
                UPDATE episode SET closed_at = now() + interval '90 days', recovery_due_at = now() + interval '90 days'
                """)
            try await fixture.runEngine(until: "EXISTS (SELECT FROM alert WHERE purpose = 'recovery')")
        }
    }
}
