import Instants
import Postgres
import ServiceKit
import Store
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Engines on a real database.
struct RulesEngineTests {
    @Test func aBreachBecomesAnEpisodeAndAnAlert() async throws {
        try await EngineFixture.with { fixture in
            let now = Timestamp.now
            try await fixture.hand([.temperature: 20, .ph: 8], at: now - .seconds(60))
            try await fixture.hand([.temperature: 25.5, .ph: 8], at: now - .seconds(30))
            try await fixture.runEngine()
            #expect(
                try await fixture.sql("SELECT parameter, side, worst, closed_at IS NULL FROM episode")
                    == "0|high|25.5|t")
            #expect(
                try await fixture.sql("SELECT purpose, value, worst, limit_value, state FROM alert")
                    == "alarm|25.5|25.5|24|decided")
            #expect(try await fixture.sql("SELECT reason, notification FROM transition") == "opened|alerted")
            #expect(try await fixture.sql("SELECT sum(state_version) FROM slot") != "0")
        }
    }

    @Test func manyBatchesInOneClaimAreDecidedInOrder() async throws {
        try await EngineFixture.with { fixture in
            let start = Timestamp.now - .seconds(600)
            for minute in 0..<10 {
                try await fixture.hand([.ph: minute.isMultiple(of: 2) ? 9 : 8], at: start + .seconds(60 * minute))
            }
            try await fixture.runEngine(policy: AlertPolicy(throttle: .seconds(30)))
            #expect(try await fixture.sql("SELECT count(*), count(closed_at) FROM episode") == "5|5")
            #expect(try await fixture.sql("SELECT count(*) FROM alert WHERE purpose = 'alarm'") == "5")
            #expect(
                try await fixture.sql("SELECT count(*) FROM episode WHERE recovery_due_at IS NOT NULL") == "1",
                "only the last one has not been followed by another")
        }
    }

    @Test func whatIsNotNewerChangesNothing() async throws {
        try await EngineFixture.with { fixture in
            let now = Timestamp.now
            try await fixture.hand([.temperature: 20], at: now)
            try await fixture.runEngine()
            try await fixture.hand([.temperature: 30], at: now)
            try await fixture.hand([.temperature: 30], at: now - .seconds(1))
            // A new engine has to find out how far the device was evaluated.
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT count(*) FROM episode") == "0")
        }
    }

    /// A reading counts if it is newer than the last one of its own parameter, even if others were evaluated since.
    @Test func aLateReadingOfAParameterThatIsRarelyMeasuredCounts() async throws {
        try await EngineFixture.with { fixture in
            let now = Timestamp.now
            try await fixture.hand([.nitrate: 5], at: now - .seconds(120))
            try await fixture.hand([.ph: 8], at: now)
            try await fixture.runEngine()
            try await fixture.hand([.nitrate: 90, .ph: 9], at: now - .seconds(60))
            try await fixture.hand([.nitrate: 95], at: now - .seconds(90))
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT parameter, worst FROM episode") == "3|90")
        }
    }

    /// A stored sample that still waits was not evaluated, however new it is.
    @Test func whatWaitsIsNoReasonToSkipAnything() async throws {
        try await EngineFixture.with { fixture in
            let now = Timestamp.now
            for second in 0..<Claim.batchesPerSlot + 2 {
                let value: Float = second == Claim.batchesPerSlot + 1 ? 9 : 8
                try await fixture.hand([.ph: value], at: now - .seconds(60 - second))
            }
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT worst FROM episode") == "9")
        }
    }

    @Test func changedLimitsCountFromTheNextReading() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.withEngines(1) {
                try await fixture.hand([.temperature: 25], at: .now)
                try await fixture.fact("SELECT count(*) = 1 FROM episode WHERE closed_at IS NULL")
                _ = try await fixture.sql("UPDATE setting SET maximum = 300 WHERE parameter = 0")
                try await fixture.hand([.temperature: 26], at: .now)
                try await fixture.fact("SELECT count(*) = 1 FROM episode WHERE closed_because = 'recovered'")
            }
        }
    }

    @Test func whatHasNoLimitsAnyMoreIsWellAgain() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.withEngines(1) {
                try await fixture.hand([.temperature: 25], at: .now)
                try await fixture.fact("SELECT count(*) = 1 FROM episode WHERE closed_at IS NULL")
                _ = try await fixture.sql("UPDATE setting SET minimum = NULL, maximum = NULL WHERE parameter = 0")
                try await fixture.hand([.temperature: 26], at: .now)
                try await fixture.fact("SELECT count(*) = 1 FROM episode WHERE closed_because = 'recovered'")
            }
        }
    }

    /// A device linked earlier has no limits for later parameters, until its people set some.
    @Test func everyParameterCanHaveLimits() async throws {
        try await EngineFixture.with { fixture in
            let readings = Dictionary(
                uniqueKeysWithValues: Parameter.allCases.map { ($0, $0.value(of: $0.absoluteRange.upperBound)) })
            try await fixture.hand(readings, at: .now - .seconds(20))
            try await fixture.runEngine()
            let open = "SELECT string_agg(parameter::text, ' ' ORDER BY parameter) FROM episode"
            #expect(try await fixture.sql(open) == "0 1 2 3 4 5 6 7 8")
            _ = try await fixture.sql("UPDATE setting SET maximum = 20 WHERE parameter >= 9")
            try await fixture.hand(readings, at: .now - .seconds(10))
            try await fixture.runEngine()
            #expect(try await fixture.sql(open) == Parameter.allCases.map { "\($0.rawValue)" }.joined(separator: " "))
        }
    }

    @Test func withoutAnEndpointNobodyIsTold() async throws {
        try await EngineFixture.with { fixture in
            _ = try await fixture.sql("UPDATE endpoint SET retired_at = now(), retired_because = 'test'")
            try await fixture.hand([.temperature: 25], at: .now - .seconds(10))
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT no_recipient, alert_id IS NULL FROM episode") == "t|t")
            #expect(try await fixture.sql("SELECT notification FROM transition") == "noRecipient")
            _ = try await fixture.sql("UPDATE endpoint SET retired_at = NULL, retired_because = NULL")
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT purpose FROM alert") == "alarm")
        }
    }

    @Test func aDeviceThatNobodyOwnsIsNotEvaluated() async throws {
        try await EngineFixture.with { fixture in
            _ = try await fixture.sql("UPDATE ownership SET unlinked_at = now()")
            try await fixture.hand([.temperature: 30], at: .now)
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT count(*) FROM episode") == "0")
        }
    }

    @Test func recoveryIsToldAfterADeliveredAlarm() async throws {
        try await EngineFixture.with { fixture in
            let policy = AlertPolicy(recoveryDelay: .milliseconds(1))
            try await fixture.hand([.temperature: 25], at: .now - .seconds(10))
            try await fixture.runEngine(policy: policy)
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            try await fixture.hand([.temperature: 23.5], at: .now - .seconds(5))
            try await fixture.hand([.temperature: 23.4], at: .now - .seconds(4))
            try await fixture.runEngine(
                policy: policy, until: "EXISTS (SELECT FROM alert WHERE purpose = 'recovery')")
            #expect(
                try await fixture.sql("SELECT value, worst, limit_value FROM alert WHERE purpose = 'recovery'")
                    == "23.5|25|24")
            #expect(try await fixture.sql("SELECT count(*) FROM episode WHERE recovery_due_at IS NOT NULL") == "0")
        }
    }

    @Test func recoveryIsNotToldWhenTheAlarmReachedNobody() async throws {
        try await EngineFixture.with { fixture in
            let policy = AlertPolicy(recoveryDelay: .milliseconds(1))
            try await fixture.hand([
                ([.temperature: 25], .now - .seconds(10)), ([.temperature: 20], .now - .seconds(5)),
            ])
            try await fixture.runEngine(
                policy: policy,
                until: "EXISTS (SELECT FROM episode WHERE closed_at IS NOT NULL AND recovery_due_at IS NOT NULL)")
            _ = try await fixture.sql(
                "UPDATE alert SET state = 'undelivered'; UPDATE episode SET recovery_due_at = now()")
            try await fixture.runEngine(
                policy: policy, until: "NOT EXISTS (SELECT FROM episode WHERE recovery_due_at IS NOT NULL)")
            #expect(try await fixture.sql("SELECT count(*) FROM alert") == "1")
        }
    }

    @Test func twoEnginesDecideLikeOne() async throws {
        try await EngineFixture.with { fixture in
            var devices = [fixture.device]
            for number in 2...20 {
                devices.append(try await EngineFixture.link("tank-\(number)", to: fixture.account, fixture.owner))
            }
            let start = Timestamp.now - .seconds(800)
            let metrics = [MetricsRegistry(), MetricsRegistry()]
            try await fixture.withEngines(
                2, policy: AlertPolicy(throttle: .seconds(120), staleAfter: .seconds(3_600)), metrics: metrics
            ) {
                [devices] in
                // Sends readings in range until each engine has decided something.
                let earlier = Mutex(0)
                try await awaitFact("two engines at work") {
                    let second = earlier.withLock { second in
                        second += 1
                        return second
                    }
                    for device in devices {
                        try await fixture.hand(
                            [.temperature: 20], at: start - .seconds(90) + .milliseconds(second), of: device)
                    }
                    try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
                    // Pretends that a third engine decided in every slot; otherwise the first engine would keep them
                    // all.
                    _ = try await fixture.sql("UPDATE slot SET state_version = state_version + 1")
                    return metrics.allSatisfy { $0.total(of: "aqua_rules_messages_total") > 0 } ? true : nil
                }
                for minute in 0..<12 {
                    for device in devices {
                        // Out of range for five minutes out of six.
                        let value: Float = minute % 6 == 5 ? 20 : 25
                        try await fixture.hand(
                            [.temperature: value], at: start + .seconds(60 * minute), of: device)
                    }
                }
                try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
            }
            #expect(
                try await fixture.sql("SELECT DISTINCT count(*) FROM episode GROUP BY device_id") == "2")
            #expect(
                try await fixture.sql("SELECT DISTINCT count(*) FROM alert GROUP BY device_id") == "6")
            #expect(try await fixture.sql("SELECT count(*) FROM episode WHERE closed_at IS NULL") == "0")
        }
    }

    @Test func tremblingWaterIsToldToBeWellOnceItIs() async throws {
        try await EngineFixture.with { fixture in
            let policy = AlertPolicy(recoveryDelay: .milliseconds(1))
            let now = Timestamp.now
            try await fixture.hand([.temperature: 25], at: now - .seconds(40))
            try await fixture.runEngine(policy: policy)
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            // The episode closes and reopens within the throttle, before a recovery notice is due.
            try await fixture.hand([
                ([.temperature: 20], now - .seconds(30)), ([.temperature: 25], now - .seconds(20)),
                ([.temperature: 21], now - .seconds(10)), ([.temperature: 21], now - .seconds(9)),
            ])
            try await fixture.runEngine(
                policy: policy, until: "EXISTS (SELECT FROM alert WHERE purpose = 'recovery')")
            #expect(try await fixture.sql("SELECT value, limit_value FROM alert WHERE purpose = 'recovery'") == "21|24")
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            // The recovery notice comes only once.
            try await fixture.hand([
                ([.temperature: 25], now - .seconds(5)), ([.temperature: 20], now - .seconds(1)),
                ([.temperature: 20], now),
            ])
            try await fixture.runEngine(
                policy: policy, until: "NOT EXISTS (SELECT FROM evaluation_batch)")
            try await fixture.runEngine(
                policy: policy, until: "NOT EXISTS (SELECT FROM episode WHERE recovery_due_at IS NOT NULL)")
            #expect(try await fixture.sql("SELECT count(*) FROM alert WHERE purpose = 'recovery'") == "1")
        }
    }

    /// The alarm was delivered, but its reminder was not, which refunded the throttle.
    @Test func aRefundedReminderDoesNotCostTheAllClear() async throws {
        try await EngineFixture.with { fixture in
            let policy = AlertPolicy(throttle: .seconds(30), recoveryDelay: .milliseconds(1))
            let now = Timestamp.now
            try await fixture.hand([.temperature: 25], at: now - .seconds(90))
            try await fixture.runEngine(policy: policy)
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered'")
            try await fixture.hand([.temperature: 25], at: now - .seconds(50))
            try await fixture.runEngine(policy: policy)
            _ = try await fixture.sql(
                "UPDATE alert SET state = 'undelivered' WHERE purpose = 'reminder'; DELETE FROM throttle")
            try await fixture.hand([([.temperature: 20], now - .seconds(10)), ([.temperature: 20], now - .seconds(5))])
            try await fixture.runEngine(
                policy: policy, until: "EXISTS (SELECT FROM alert WHERE purpose = 'recovery')")
        }
    }

    /// The firmware publishes each probe separately, the engine has just started, and one reading comes late.
    @Test func aRowThatIsFilledUpHidesNothing() async throws {
        try await EngineFixture.with { fixture in
            let time = Timestamp.now - .seconds(60)
            try await fixture.hand([.ph: 8], at: time, receivedAt: time + .seconds(1))
            try await fixture.runEngine()
            try await fixture.hand([.temperature: 25], at: time, receivedAt: time + .seconds(20))
            try await fixture.hand([.ph: 9], at: time - .seconds(10), receivedAt: time + .seconds(21))
            try await fixture.runEngine()
            #expect(
                try await fixture.sql("SELECT parameter FROM episode") == "0",
                "the part that waited is decided, and the part before it was")
            // Once everything is decided, all of it counts.
            try await fixture.hand([.temperature: 10], at: time - .seconds(5), receivedAt: time + .seconds(40))
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT count(*) FROM episode") == "1")
        }
    }

    @Test func theOldOwnersWaterIsNotTheNewOnes() async throws {
        try await EngineFixture.with { fixture in
            _ = try await fixture.sql(
                """
                INSERT INTO account (email, password_hash) VALUES ('before@example.org', 'scrypt$test');
                INSERT INTO ownership (slot, device_id, account_id, name, linked_at, unlinked_at)
                SELECT slot, device_id, (SELECT max(account_id) FROM account), 'theirs',
                    now() - interval '1 day', now() - interval '1 minute' FROM device;
                UPDATE ownership SET readings_from = start_of_readings(slot, device_id, role, linked_at)
                """)
            try await fixture.hand([.temperature: 30], at: .now - .seconds(90))
            try await fixture.hand([.ph: 9], at: .now)
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT parameter FROM episode") == "1")
        }
    }

    @Test func aPersonsOwnThrottleCounts() async throws {
        try await EngineFixture.with { fixture in
            _ = try await fixture.sql("UPDATE account SET throttle_seconds = 60")
            let now = Timestamp.now
            try await fixture.hand([([.ph: 9], now - .seconds(90)), ([.ph: 9], now - .seconds(20))])
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT purpose FROM alert ORDER BY alert_id") == "alarm\nreminder")
        }
    }

    /// A waiting alarm takes over the text of the next episode. It is sent while the engine decides that.
    @Test func theFirstWordOfAnEpisodeIsAnAlarm() async throws {
        try await EngineFixture.with { fixture in
            let policy = AlertPolicy(throttle: .seconds(30))
            let now = Timestamp.now
            try await fixture.hand([([.ph: 9], now - .seconds(120)), ([.ph: 8], now - .seconds(110))])
            try await fixture.runEngine(policy: policy)
            let notifier = try await PostgresConnection.connect(EngineFixture.configuration(fixture.database, .owner))
            try await notifier.executeScript("BEGIN; UPDATE alert SET state = 'delivered'")
            try await fixture.hand([
                ([.ph: 9], now - .seconds(100)), ([.ph: 9], now - .seconds(65)), ([.ph: 9], now - .seconds(30)),
            ])
            try await fixture.withEngines(1, policy: policy) {
                try await fixture.fact(
                    """
                    SELECT EXISTS (
                        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')
                    """)
                try await notifier.executeScript("COMMIT")
                try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
            }
            await notifier.close()
            #expect(
                try await fixture.sql(
                    "SELECT purpose, dense_rank() OVER (ORDER BY opened_at) FROM alert ORDER BY alert_id")
                    == "alarm|1\nalarm|2\nreminder|2")
        }
    }

    @Test func aBatchOfANewerVersionStopsItsSlotOnly() async throws {
        try await EngineFixture.with { fixture in
            let other = try await EngineFixture.link("tank-2", to: fixture.account, fixture.owner)
            #expect(other.slot != fixture.device.slot)
            try await fixture.hand([.ph: 9], at: .now)
            _ = try await fixture.sql("UPDATE evaluation_batch SET readings = '\\xff'")
            try await fixture.hand([.ph: 9], at: .now, of: other)
            try await fixture.runEngine(until: "EXISTS (SELECT FROM alert)")
            #expect(try await fixture.sql("SELECT count(*) FROM evaluation_batch") == "1", "kept for a newer engine")
        }
    }

    @Test func aDamagedBatchBlocksNobody() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.hand([.temperature: 25], at: .now - .seconds(10))
            _ = try await fixture.sql("UPDATE evaluation_batch SET readings = readings || '\\x0102'")
            try await fixture.hand([.ph: 9], at: .now)
            try await fixture.runEngine()
            #expect(try await fixture.sql("SELECT parameter FROM alert ORDER BY 1") == "0\n1")
        }
    }

    @Test func anEngineGoesOnAfterItsConnectionBroke() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.withEngines(1) {
                try await fixture.hand([.temperature: 20], at: .now)
                try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
                _ = try await fixture.sql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE usename = 'aqua_rules' AND datname = current_database()
                    """)
                try await fixture.hand([.temperature: 25], at: .now)
                try await fixture.fact("SELECT count(*) = 1 FROM alert")
            }
        }
    }
}

extension MetricsRegistry {
    /// The sum of a counter over its labels.
    fileprivate func total(of name: String) -> Double {
        render().split(separator: "\n").filter { $0.hasPrefix("\(name) ") || $0.hasPrefix("\(name){") }
            .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }.reduce(0, +)
    }
}
