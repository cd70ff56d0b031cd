import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Who is called when nobody answers. Temperature, 12.0 to 24.0 °C.
struct EscalationSweepTests {
    @Test func whoDoesNotAnswerIsCalledFor() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            #expect(try await scene.wait(minutes: 9).isEmpty)
            #expect(try await scene.wait(minutes: 1) == [.told])
            #expect(try await scene.told() == "ana escalation for kim")
            #expect(try await scene.wait(minutes: 10) == [.told])
            #expect(try await scene.told() == "ana escalation for kim; kim escalation at 7")
            #expect(
                try await scene.fixture.sql(
                    "SELECT string_agg(value || '/' || limit_value || '/' || unanswered_seconds / 60, ' ' ORDER BY alert_id) FROM alert "
                        + "WHERE purpose = 'escalation'") == "25/24/10 25/24/20")
        }
    }

    /// Without a chain nothing is stored for each alarm.
    @Test func withoutAChainNobodyIsCalled() async throws {
        try await EscalationScene.with { scene in
            try await scene.alarm()
            #expect(try await scene.fixture.sql("SELECT count(*) FROM escalation") == "0")
        }
    }

    @Test func theCallHasTheNewestValue() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            try await scene.alarm([.temperature: 26.5], at: 60)
            try await scene.wait(minutes: 10)
            #expect(try await scene.fixture.sql("SELECT value FROM alert WHERE purpose = 'escalation'") == "26.5")
        }
    }

    @Test func anAnswerOfWhoWasCalledHoldsTheRest() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            #expect(try await scene.answer(by: scene.ana) == "over", "who was not called has nothing to answer")
            try await scene.wait(minutes: 20)
            #expect(try await scene.answer(by: scene.ana) == "done")
            #expect(
                try await scene.fixture.sql("SELECT count(*) FROM escalation WHERE next_at <= now()") == "1",
                "it is seen at once")
            #expect(try await scene.wait(minutes: 0).isEmpty)
            #expect(
                try await scene.told()
                    == "ana escalation for kim; kim escalation at 7; kim calledOff at 7, ana is on it")
            #expect(try await scene.wait(minutes: 59).isEmpty)
            // The hour is over, and nothing got better.
            #expect(try await scene.wait(minutes: 1).isEmpty)
            #expect(try await scene.wait(minutes: 10) == [.told])
        }
    }

    /// Everybody who shares the device sees who is on it, and the person whose alarm it is is not reminded.
    @Test func theAnswerHoldsTheReminders() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            try await scene.wait(minutes: 10)
            #expect(try await scene.answer(by: scene.ana) == "done")
            #expect(try await scene.fixture.sql("SELECT account_id FROM current_answer") == "\(scene.ana.rawValue)")
            try await scene.alarm([.temperature: 25.2], at: 1_900)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM alert WHERE purpose = 'reminder'") == "0")
            #expect(try await scene.answer(by: scene.ana, "cannot") == "done")
            #expect(try await scene.fixture.sql("SELECT count(*) FROM current_answer") == "0")
        }
    }

    @Test func theAnswerOfThePersonThemselvesHoldsItToo() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            #expect(try await scene.answer(by: scene.fixture.account) == "done")
            #expect(try await scene.wait(minutes: 30).isEmpty)
            #expect(try await scene.told() == "")
            #expect(
                try await scene.fixture.sql("SELECT answered_by = account_id AND held_until > now() FROM escalation")
                    == "t")
        }
    }

    @Test func itIsOverForWhoWasCalled() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            try await scene.wait(minutes: 10)
            try await scene.alarm([.temperature: 22], at: 700)
            try await scene.wait(minutes: 0)
            #expect(try await scene.told() == "ana escalation for kim", "it may return")
            try await scene.wait(minutes: 6)
            #expect(try await scene.told() == "ana escalation for kim; ana calledOff for kim")
            #expect(try await scene.fixture.sql("SELECT count(*) FROM escalation WHERE ended_at IS NULL") == "0")
            // The next alarm is another.
            try await scene.alarm([.temperature: 25], at: 4_000)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM escalation WHERE ended_at IS NULL") == "1")
        }
    }

    /// Whoever is on it waits for the end as well.
    @Test func theEndIsToldToWhoAnswered() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            try await scene.wait(minutes: 10)
            #expect(try await scene.answer(by: scene.ana) == "done")
            try await scene.wait(minutes: 1)
            #expect(try await scene.told() == "ana escalation for kim")
            try await scene.alarm([.temperature: 22], at: 700)
            for _ in 0..<2 { try await scene.wait(minutes: 6) }
            #expect(try await scene.told() == "ana escalation for kim; ana calledOff for kim")
        }
    }

    @Test func nobodyIsCalledWhoHasNotAgreed() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain(agreed: nil)
            try await scene.alarm()
            #expect(try await scene.wait(minutes: 10) == [.notAgreed])
            #expect(try await scene.told() == "")
        }
    }

    @Test func quietHoursHoldWhereThePersonAskedForThat() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain(agreed: "daytime")
            try await scene.alarm()
            try await scene.scene.beginNight()
            _ = try await scene.fixture.sql("DELETE FROM quiet_hours WHERE account_id <> \(scene.ana.rawValue)")
            #expect(try await scene.wait(minutes: 10) == [.quietHours])
            #expect(try await scene.wait(minutes: 10) == [.told], "the next step is called all the same")
        }
    }

    @Test func whoLeftTheDeviceIsNotCalled() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            #expect(
                try await scene.fixture.owner.execute(EndWatching(device: scene.fixture.device, account: scene.ana))
                    == [true])
            #expect(try await scene.wait(minutes: 10).isEmpty)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM chain_step") == "1")
        }
    }

    @Test func whoCannotBeReachedIsSaid() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            _ = try await scene.fixture.sql(
                "UPDATE endpoint SET retired_at = now(), retired_because = 'removed' WHERE account_id = \(scene.ana.rawValue) OR endpoint_id = 7"
            )
            #expect(try await scene.wait(minutes: 20) == [.unreachable, .gone])
        }
    }

    /// The person's phone may be what failed.
    @Test func whoCanBeToldNowhereIsCalledForAsWell() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            _ = try await scene.fixture.sql(
                "UPDATE endpoint SET paused_at = now() WHERE account_id = \(scene.fixture.account.rawValue)")
            try await scene.alarm()
            #expect(try await scene.fixture.sql("SELECT count(*) FROM alert") == "0")
            #expect(try await scene.wait(minutes: 10) == [.told])
            #expect(try await scene.told() == "ana escalation for kim")
            #expect(try await scene.fixture.sql("SELECT value FROM alert") == "25")
            #expect(try await scene.answer(by: scene.ana) == "done")
        }
    }

    @Test func whatWaitsForTheMorningCallsNobody() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.scene.beginNight()
            try await scene.alarm()
            #expect(try await scene.fixture.sql("SELECT count(*) FROM escalation") == "0")
            try await scene.scene.endNight()
            #expect(try await scene.scene.tell().map(\.purpose) == [.alarm])
            #expect(try await scene.wait(minutes: 10) == [.told], "from the morning on it is an alarm like others")
        }
    }

    /// A snooze is its person's own: that of somebody who was called lets others be called all the same.
    @Test func aSnoozeHoldsThePersonsOwnChain() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            try await scene.wait(minutes: 10)
            try await scene.snooze(scene.ana, for: "1 day")
            #expect(try await scene.wait(minutes: 10) == [.told])
            try await scene.snooze(scene.fixture.account, for: "3 hours")
            #expect(try await scene.wait(minutes: 100).isEmpty)
            #expect(
                try await scene.fixture.sql("SELECT answered_by IS NULL AND held_until > now() FROM escalation") == "t")
            #expect(try await scene.told() == "ana escalation for kim; kim escalation at 7", "nobody is on it")
            #expect(try await scene.wait(minutes: 80).isEmpty)
            #expect(try await scene.wait(minutes: 10) == [.told])
        }
    }

    /// An answer that is said again counts again, also after a snooze.
    @Test func whoWasCalledAnswersAgain() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            try await scene.wait(minutes: 10)
            #expect(try await scene.answer(by: scene.ana) == "done")
            try await scene.wait(minutes: 1)
            try await scene.wait(minutes: 60)
            #expect(try await scene.wait(minutes: 10) == [.told])
            #expect(try await scene.answer(by: scene.ana) == "done")
            #expect(try await scene.fixture.sql("SELECT account_id FROM current_answer") == "\(scene.ana.rawValue)")
            #expect(try await scene.wait(minutes: 20).isEmpty)
        }
    }

    @Test func aCriticalValueBreaksThroughAnAnswer() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            _ = try await scene.fixture.sql(
                "UPDATE setting SET critical_maximum = 270 WHERE account_id = \(scene.fixture.account.rawValue) AND parameter = \(Parameter.temperature.rawValue)"
            )
            try await scene.alarm()
            #expect(try await scene.answer(by: scene.fixture.account) == "done")
            #expect(try await scene.wait(minutes: 15).isEmpty)
            try await scene.alarm([.temperature: 29], at: 900)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM alert WHERE critical") == "1")
            #expect(try await scene.wait(minutes: 10) == [.told])
        }
    }

    /// Whoever agreed to be called is not at the mercy of another's limits.
    @Test func oneIsCalledTenTimesAnHourAtMost() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            try await scene.wait(minutes: 10)
            _ = try await scene.fixture.sql(
                """
                INSERT INTO escalation_call (slot, escalation_id, after_minutes, account_id, outcome, called_at)
                SELECT slot, escalation_id, 10, account_id, 'told', now() - n * interval '1 minute' FROM escalation_call, generate_series(1, 9) n;
                UPDATE escalation SET called_through = 0
                """)
            #expect(try await scene.wait(minutes: 0) == [.tooMany])
        }
    }

    @Test func aClockThatWasAheadHoldsNothingBack() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm()
            _ = try await scene.fixture.sql(
                "UPDATE escalation SET began_at = began_at + interval '1 day', next_at = next_at + interval '1 day', answers_from = now() + interval '1 day'"
            )
            _ = try await scene.fixture.owner.transaction {
                try EscalationSweep(policy: scene.scene.policy).perform($0)
            }
            #expect(
                try await scene.fixture.sql(
                    "SELECT began_at <= now() AND next_at < now() + interval '5 minutes' FROM escalation") == "t")
            #expect(try await scene.answer(by: scene.fixture.account) == "done")
            #expect(try await scene.wait(minutes: 10).isEmpty)
        }
    }

    @Test func whatBeginsAtOnceIsOneCall() async throws {
        try await EscalationScene.with { scene in
            try await scene.setChain()
            try await scene.alarm([.temperature: 25, .ph: 9.5])
            #expect(try await scene.wait(minutes: 10) == [.told, .told])
            #expect(
                try await scene.fixture.sql(
                    "SELECT count(*) || '/' || count(DISTINCT group_id) FROM alert WHERE purpose = 'escalation'")
                    == "2/1")
        }
    }
}
