import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Work on the water, across claims, engines and stored state. The default maximum of temperature is 24.
@Suite struct WorkTests {
    private static let eager = AlertPolicy(throttle: .microseconds(1))
    /// An engine that starts looks for the last value, as where spikes are held.
    private static let recalling = AlertPolicy(holdWithin: .seconds(120))

    /// The engine knows the device already: beginning and end reach it by the version of the device's rules.
    @Test func nothingOpensInWorkAndTheFirstReadingAfterItTells() async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            try await fixture.linkEarlier()
            try await fixture.hand([.temperature: 20], at: .now)
            try await fixture.claim(memory)
            #expect(try await fixture.work(from: .now - .seconds(60), until: .now + .seconds(1_740)) == "created")
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(memory)
            #expect(try await fixture.told() == "")
            #expect(try await fixture.sql("SELECT count(*) FROM episode") == "0")
            try await fixture.finishWork()
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(memory)
            #expect(try await fixture.told() == "range alarm")
        }
    }

    /// Another engine decides after the end: that the value was outside meanwhile is stored, and so is what was found.
    @Test func whatIsStillOutsideAfterTheWorkIsStored() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.linkEarlier()
            _ = try await fixture.work(from: .now - .seconds(60), until: .now + .seconds(1_740))
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(SharedMemory(), Self.recalling)
            try await fixture.finishWork()
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(SharedMemory(), Self.recalling)
            #expect(try await fixture.sql("SELECT purpose, after_work FROM alert") == "alarm|t")
            #expect(try await fixture.sql("SELECT still_at IS NOT NULL FROM episode") == "t")
            try await fixture.hand([.temperature: 26], at: .now)
            try await fixture.claim(SharedMemory(), Self.eager)
            #expect(try await fixture.sql("SELECT still_at IS NOT NULL FROM episode") == "t", "another engine keeps it")
        }
    }

    /// An alarm on its way says that the value is still outside after the work; not of the next episode, when the water was right in between.
    /// That holds for an alarm that is made and replaced in one claim as for one that is stored.
    @Test(
        arguments: [true, false],
        [(readings: [25.2], alert: "25.2|t"), (readings: [20, 25.2], alert: "25.2|f")]
            as [(readings: [Float], alert: String)])
    func anAlarmOnItsWaySaysWhatIsStillOutside(inOneClaim: Bool, since: (readings: [Float], alert: String)) async throws
    {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            func claim(_ policy: AlertPolicy = AlertPolicy()) async throws {
                if !inOneClaim { try await fixture.claim(memory, policy) }
            }
            try await fixture.linkEarlier()
            try await fixture.hand([.temperature: 25], at: .now - .seconds(120))
            try await claim()
            _ = try await fixture.work(from: .now - .seconds(60), until: .now - .seconds(30))
            try await fixture.hand([.temperature: 25.5], at: .now - .seconds(20))
            // The engine reads the device anew because of the work.
            try await claim(Self.recalling)
            for (number, value) in since.readings.enumerated() {
                try await fixture.hand([.temperature: value], at: .now - .seconds(10 - number))
                try await claim()
            }
            if inOneClaim { try await fixture.claim(memory) }
            let alert = try await fixture.sql("SELECT value, after_work FROM alert")
            #expect(alert == since.alert)
            #expect(try await fixture.sql("SELECT count(*) FROM episode") == "\(since.readings.count)")
        }
    }

    @Test func whatIsOpenWaitsForTheEnd() async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            try await fixture.linkEarlier()
            try await fixture.hand([.temperature: 25], at: .now - .seconds(120))
            try await fixture.claim(memory, Self.eager)
            _ = try await fixture.work(from: .now - .seconds(60), until: .now + .seconds(1_740))
            for value in [26, 20, 10] as [Float] {
                try await fixture.hand([.temperature: value], at: .now)
                try await fixture.claim(memory, Self.eager)
            }
            #expect(try await fixture.told() == "range alarm", "neither reminded nor flipped")
            #expect(try await fixture.sql("SELECT side, closed_at IS NULL FROM episode") == "high|t")
            try await fixture.finishWork()
            try await fixture.hand([.temperature: 20], at: .now)
            try await fixture.claim(SharedMemory(), Self.eager)
            #expect(try await fixture.sql("SELECT closed_because FROM episode") == "recovered")
        }
    }

    @Test func aCriticalValueIsToldMeanwhileAndEnds() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.linkEarlier()
            _ = try await fixture.sql("UPDATE setting SET critical_maximum = 300 WHERE parameter = 0")
            _ = try await fixture.work(from: .now - .seconds(60), until: .now + .seconds(1_740))
            try await fixture.hand([.temperature: 31], at: .now)
            try await fixture.claim(SharedMemory())
            #expect(try await fixture.told() == "range alarm")
            try await fixture.hand([.temperature: 20], at: .now)
            try await fixture.claim(SharedMemory())
            #expect(try await fixture.sql("SELECT closed_because FROM episode") == "recovered")
        }
    }

    /// Who had forgotten to say so enters it afterwards: what it caused is called back. Nobody had heard of it, so what is wrong later is told.
    @Test func workThatIsEnteredAfterwardsCallsBackWhatBeganInIt() async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            try await fixture.linkEarlier()
            try await fixture.hand([.ph: 3], at: .now - .seconds(3_600))
            try await fixture.hand([.temperature: 25], at: .now - .seconds(300))
            try await fixture.claim(memory)
            #expect(try await fixture.sql("SELECT count(*) FROM episode WHERE closed_at IS NULL") == "2")
            _ = try await fixture.work(from: .now - .seconds(600), until: .now - .seconds(1))
            #expect(
                try await fixture.sql(
                    "SELECT parameter, closed_because, closed_at <= now() FROM episode ORDER BY parameter")
                    == "0|working|t\n1||")
            #expect(
                try await fixture.sql("SELECT state FROM alert WHERE parameter = 0") == "cancelled")
            #expect(
                try await fixture.sql("SELECT reason FROM transition ORDER BY transition_id DESC LIMIT 1") == "working")
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(memory)
            #expect(try await fixture.lastTransition() == "opened|alerted")
        }
    }

    /// What of an alert is called back may have been heard: what was accepted, what ended in silence, and what is being sent.
    @Test(
        arguments: [
            ("state = 'accepted', ended_at = now()", "throttled"), ("ambiguous_at = now()", "throttled"),
            ("holder = 1, held_attempt = 1", "throttled"), ("attempts = 3", "alerted"),
        ])
    func whatWasToldStaysTold(delivery: String, outcome: String) async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            try await fixture.linkEarlier()
            try await fixture.hand([.temperature: 25], at: .now - .seconds(300))
            try await fixture.claim(memory)
            _ = try await fixture.sql(
                """
                UPDATE alert SET state = 'sending';
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, expires_at)
                SELECT slot, account_id, alert_id, endpoint_id, now() + interval '1 hour' FROM alert JOIN endpoint USING (account_id);
                UPDATE delivery SET \(delivery)
                """)
            _ = try await fixture.work(from: .now - .seconds(600), until: .now - .seconds(1))
            #expect(try await fixture.sql("SELECT state FROM alert") == "cancelled")
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.claim(memory)
            let last = try await fixture.lastTransition()
            #expect(last == "opened|\(outcome)")
        }
    }

    /// It is no other alarm for those who have heard of it, and answered: it began when the work ended.
    @Test func whatIsStillWrongAfterTheWorkGoesOn() async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            try await fixture.linkEarlier()
            for seconds in [300, 200, 60] {
                try await fixture.hand([.temperature: 25], at: .now - .seconds(seconds))
                try await fixture.hand([([:], ParameterSet(.ph), .now - .seconds(seconds))])
                try await fixture.claim(memory)
            }
            #expect(try await fixture.sql("SELECT count(*) FROM episode") == "2")
            let end = Timestamp.now - .seconds(120)
            _ = try await fixture.work(from: .now - .seconds(600), until: end)
            #expect(
                try await fixture.sql(
                    "SELECT count(*) FROM episode WHERE closed_at IS NULL AND opened_at = '\(end.iso8601)'") == "2",
                "value and probe")
            try await fixture.hand([.temperature: 25], at: .now)
            try await fixture.hand([([:], ParameterSet(.ph), .now)])
            try await fixture.claim(memory)
            #expect(try await fixture.told() == "range alarm, fault alarm")
            #expect(try await fixture.sql("SELECT count(*) FROM episode") == "2")
            #expect(try await fixture.sql("SELECT count(*) FROM alert WHERE state = 'cancelled'") == "0")
        }
    }

    /// A kit measures the water, not the probe in the air.
    @Test func valuesByHandStayWhatTheyAre() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.linkEarlier()
            _ = try await fixture.sql(
                """
                INSERT INTO episode (slot, device_id, parameter, account_id, episode_id, kind, opened_at, last_at)
                SELECT slot, device_id, 0, account_id, 900, 'byHand', now() - interval '5 min', now() - interval '5 min' FROM ownership
                """)
            _ = try await fixture.work(from: .now - .seconds(600), until: .now - .seconds(1))
            #expect(try await fixture.sql("SELECT closed_at IS NULL FROM episode") == "t")
        }
    }

    /// A reading's own time decides, however late it comes.
    @Test func aLateReadingOfWorkSaysNothing() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.linkEarlier()
            _ = try await fixture.work(from: .now - .seconds(600), until: .now - .seconds(60))
            try await fixture.hand([.temperature: 25], at: .now - .seconds(120))
            try await fixture.claim(SharedMemory())
            #expect(try await fixture.sql("SELECT count(*) FROM episode") == "0")
            try await fixture.hand([.temperature: 25], at: .now - .seconds(59))
            try await fixture.claim(SharedMemory())
            #expect(try await fixture.told() == "range alarm")
        }
    }

    /// Who pulls a probe out is not told that it is broken, and is when it stays so.
    @Test func aProbeOutOfTheWaterIsNotBroken() async throws {
        try await EngineFixture.with { fixture in
            let memory = SharedMemory()
            try await fixture.linkEarlier()
            _ = try await fixture.work(from: .now - .seconds(300), until: .now + .seconds(1_740))
            for seconds in [180, 90, 1] {
                try await fixture.hand([([:], ParameterSet(.temperature), .now - .seconds(seconds))])
                try await fixture.claim(memory)
            }
            #expect(try await fixture.told() == "")
            try await fixture.finishWork()
            try await fixture.hand([([:], ParameterSet(.temperature), .now)])
            try await fixture.claim(memory)
            #expect(try await fixture.told() == "fault alarm")
        }
    }

    @Test(arguments: [(-600, ["silence alarm"]), (-120, []), (600, [])] as [(Int, [String])])
    func aDeviceHasAllOfItsTimeAfterTheWork(until seconds: Int, told: [String]) async throws {
        try await SilenceScene.with { scene in
            try await scene.fixture.linkEarlier()
            try await scene.hear(until: 1_200)
            _ = try await scene.sql(
                """
                SELECT enter_work(slot, device_id, account_id, gen_random_uuid(), 'cleaning', now() - interval '30 min',
                    now() + interval '\(seconds) s', NULL, true, NULL) FROM ownership
                """)
            _ = try await scene.lookAgain()
            let found = try await scene.told()
            #expect(found == told)
        }
    }

    /// The steps that came meanwhile are not called at its end, before a reading could decide.
    @Test func nobodyIsCalledWhileSomebodyWorksAndTheChainBeginsAnew() async throws {
        try await EscalationScene.with { scene in
            try await scene.fixture.linkEarlier()
            try await scene.setChain()
            try await scene.alarm()
            #expect(try await scene.wait(minutes: 5) == [])
            _ = try await scene.fixture.work(from: .now, until: .now + .seconds(1_800))
            #expect(try await scene.wait(minutes: 6) == [])
            try await scene.fixture.finishWork()
            for minutes in [0, 4, 1] {
                let calls = try await scene.wait(minutes: minutes)
                #expect(calls == [])
            }
            #expect(try await scene.wait(minutes: 10) == [.told])
        }
    }

    /// Whoever was called before the work hears at once that somebody is on it, or that it is over.
    @Test(arguments: [true, false]) func whoWasCalledIsCalledOffInWork(isAnswered: Bool) async throws {
        try await EscalationScene.with { scene in
            try await scene.fixture.linkEarlier()
            try await scene.setChain()
            try await scene.alarm()
            #expect(try await scene.wait(minutes: 10) == [.told])
            if !isAnswered { try await scene.alarm([.temperature: 22], at: 700) }
            _ = try await scene.fixture.work(from: .now, until: .now + .seconds(3_600))
            if isAnswered {
                let outcome = try await scene.answer(by: scene.fixture.account)
                #expect(outcome == "done")
            }
            for minutes in [0, 6] { try await scene.wait(minutes: minutes) }
            let told = try await scene.told()
            #expect(
                told == "ana escalation for kim; ana calledOff for kim" + (isAnswered ? ", kim is on it" : ""))
        }
    }

    /// What was entered by mistake and taken away holds nobody back.
    @Test func workThatWasTakenAwayHoldsNoCalls() async throws {
        try await EscalationScene.with { scene in
            try await scene.fixture.linkEarlier()
            try await scene.setChain()
            try await scene.alarm()
            _ = try await scene.fixture.work(from: .now, until: .now + .seconds(1_800))
            _ = try await scene.fixture.sql(
                "SELECT change_work(slot, device_id, account_id, work_id, 'remove', NULL) FROM water_work")
            #expect(try await scene.wait(minutes: 10) == [.told])
        }
    }

    @Test func whatIsCriticalCallsMeanwhile() async throws {
        try await EscalationScene.with { scene in
            try await scene.fixture.linkEarlier()
            try await scene.setChain()
            try await scene.alarm()
            _ = try await scene.fixture.sql("UPDATE escalation SET critical = true")
            _ = try await scene.fixture.work(from: .now, until: .now + .seconds(1_800))
            #expect(try await scene.wait(minutes: 11) == [.told])
        }
    }
}

extension EngineFixture {
    /// Dates the links back, so that work can be entered of earlier hours.
    func linkEarlier() async throws {
        _ = try await sql("UPDATE ownership SET linked_at = linked_at - interval '2 days'")
    }

    /// The reason for the last change of an episode, and what came of the alert.
    fileprivate func lastTransition() async throws -> String {
        try await sql("SELECT reason, notification FROM transition ORDER BY transition_id DESC LIMIT 1")
    }

    /// Enters work of the fixture's person.
    func work(from: Timestamp, until: Timestamp, keepsHard: Bool = true) async throws -> String {
        try await sql(
            """
            SELECT enter_work(\(device.slot.rawValue)::smallint, \(device.device.rawValue), \(account.rawValue), gen_random_uuid(),
                'cleaning', '\(from.iso8601)', '\(until.iso8601)', NULL, \(keepsHard), NULL)
            """)
    }

    /// Finishes all work.
    func finishWork() async throws {
        _ = try await sql(
            """
            SELECT change_work(slot, device_id, \(account.rawValue), work_id, 'finish', NULL) FROM water_work WHERE ended_at IS NULL
            """)
    }

    /// All alerts, oldest first.
    fileprivate func told() async throws -> String {
        try await sql("SELECT string_agg(kind || ' ' || purpose, ', ' ORDER BY alert_id) FROM alert")
    }
}
