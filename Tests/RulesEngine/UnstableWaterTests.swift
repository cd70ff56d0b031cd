import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Water that keeps leaving its range: one alert for those who ask for it. The default maximum of temperature is 24.
struct UnstableWaterTests {
    private static let policy = AlertPolicy(staleAfter: .seconds(86_400))
    private static let start = Timestamp.now.roundedDown(to: .seconds(60)) - .seconds(4 * 3_600)

    /// Out of range and back every ten minutes, decided by engines in turn.
    private func flutter(
        _ fixture: EngineFixture, minutes: StrideTo<Int>, _ memories: [SharedMemory] = [SharedMemory(), SharedMemory()]
    ) async throws {
        for (turn, minute) in minutes.enumerated() {
            let time = Self.start + .seconds(60 * minute)
            try await fixture.hand(
                [.temperature: minute % 10 < 5 ? 25 : 20], at: time, receivedAt: time + .seconds(1))
            try await fixture.claim(memories[turn % memories.count], Self.policy)
            _ = try await fixture.sql("UPDATE alert SET state = 'delivered' WHERE state = 'decided'")
        }
    }

    private func told(_ fixture: EngineFixture) async throws -> String {
        try await fixture.sql(
            """
            SELECT string_agg(concat_ws(' ', purpose, round(extract(epoch FROM event_time - '\(Self.start.iso8601)') / 60),
                CASE WHEN unstable THEN 'unstable' END), ', ' ORDER BY alert_id) FROM alert
            """)
    }

    @Test func itIsToldOnceWhicheverEngineDecides() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askForUnstable()
            try await flutter(fixture, minutes: stride(from: 0, to: 100, by: 5))
            #expect(try await told(fixture) == "alarm 0, alarm 30 unstable")
            #expect(
                try await fixture.sql(
                    "SELECT notification, count(*) FROM transition WHERE reason = 'opened' GROUP BY 1 ORDER BY 1")
                    == "alerted|2\nthrottled|4\ntoldUnstable|4")
        }
    }

    @Test func whoDoesNotAskHearsEachAlarm() async throws {
        try await EngineFixture.with { fixture in
            let lee = try await fixture.addPerson("lee")
            try await fixture.join(lee)
            try await fixture.begin(fixture.device, of: lee, at: Self.start - .seconds(60))
            try await fixture.askForUnstable()
            try await flutter(fixture, minutes: stride(from: 0, to: 100, by: 5))
            let mine = "FROM alert WHERE account_id ="
            #expect(try await fixture.sql("SELECT count(*), bool_or(unstable) \(mine) \(lee.rawValue)") == "4|f")
            #expect(
                try await fixture.sql("SELECT count(*), bool_or(unstable) \(mine) \(fixture.account.rawValue)") == "2|t"
            )
        }
    }

    /// A backlog in one claim gives the same result as each reading alone. Alerts that could not be sent yet report the
    /// last episode.
    @Test func oneClaimOfAllDecidesTheSame() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askForUnstable()
            let messages = stride(from: 0, to: 100, by: 5).map { minute in
                ([Parameter.temperature: Float(minute % 10 < 5 ? 25 : 20)], Self.start + .seconds(60 * minute))
            }
            try await fixture.hand(messages, receivedAt: Self.start + .seconds(6_001))
            try await fixture.claim(SharedMemory(), Self.policy)
            #expect(try await told(fixture) == "alarm 20, alarm 50 unstable")
        }
    }

    /// Episodes of other parameters, of another person and of faults do not count for this watch.
    @Test func onlyItsOwnEpisodesCount() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askForUnstable()
            for minute in stride(from: 0, to: 60, by: 5) {
                let time = Self.start + .seconds(60 * minute)
                try await fixture.hand(
                    [.ph: minute % 10 < 5 ? 9 : 8, .temperature: minute < 50 ? 20 : 25], at: time,
                    receivedAt: time + .seconds(1))
                try await fixture.claim(SharedMemory(), Self.policy)
            }
            #expect(try await fixture.sql("SELECT count(*) > 5 FROM episode WHERE parameter = 1") == "t")
            #expect(try await fixture.sql("SELECT purpose, unstable FROM alert WHERE parameter = 0") == "alarm|f")
        }
    }

    @Test func theAllClearComesAfterACalmHalfHour() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.askForUnstable()
            try await flutter(fixture, minutes: stride(from: 0, to: 40, by: 5))
            let due = """
                SELECT round(extract(epoch FROM recovery_due_at - now()) / 60) FROM episode
                WHERE recovery_due_at IS NOT NULL
                """
            #expect(try await fixture.sql(due) == "30")
            // A notice that is due so late is no sign of a wrong clock.
            let latest = RecoveryNotice.longestDelay(Self.policy) + EventTime.furthestAhead + .seconds(60)
            try await fixture.owner.perform(HastenRecoveries(latest: latest))
            #expect(try await fixture.sql(due) == "30")
            for (minute, notices) in [(64, 0), (65, 1)] {
                // The last episode ended at the 35th minute.
                let time = Self.start + .seconds(60 * minute)
                try await fixture.hand([.temperature: 20], at: time, receivedAt: time + .seconds(1))
                try await fixture.claim(SharedMemory(), Self.policy)
                _ = try await fixture.sql(
                    "UPDATE episode SET recovery_due_at = now() WHERE recovery_due_at IS NOT NULL")
                let sweep = try await fixture.owner.transaction {
                    try RecoverySweep(policy: Self.policy).perform($0, now: .now)
                }
                #expect(sweep.notices.map(\.purpose) == Array(repeating: .recovery, count: notices))
                #expect(sweep.notices.allSatisfy { !$0.range.isUnstable })
            }
        }
    }
}

extension EngineFixture {
    /// Switches the owner's single alert about unstable temperature on.
    fileprivate func askForUnstable() async throws {
        _ = try await sql(
            """
            UPDATE setting SET tells_unstable = true
            WHERE parameter = 0 AND valid_until IS NULL AND account_id = \(account.rawValue)
            """)
    }
}
