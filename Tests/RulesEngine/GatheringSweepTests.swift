import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// What is held back, and the digests that tell of it. Temperature, 12.0 to 24.0 °C; pH, 6.5 to 9.0.
struct GatheringSweepTests {
    @Test func theMorningTellsWhatGoesOnAndWhatWasOver() async throws {
        try await GatheringScene.with { scene in
            try await scene.beginNight()
            try await scene.take([.temperature: 25, .ph: 9.5], at: 0)
            try await scene.take([.temperature: 23, .ph: 9.6], at: 600)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM alert") == "0")
            #expect(
                try await scene.fixture.sql(
                    "SELECT string_agg(notification, ',' ORDER BY transition_id) FROM transition WHERE reason = 'opened'"
                )
                    == "quietHours,quietHours")
            #expect(try await scene.sweep().isEmpty, "of what nobody was told there is no all-clear")
            #expect(try await scene.tell().isEmpty, "the night is not over")
            #expect(try await scene.gathered() == "2")
            try await scene.endNight()
            let digest = try await scene.tell()
            #expect(digest.map(\.purpose) == [.alarm, .past])
            #expect(digest.map(\.subject.parameter) == [.ph, .temperature])
            #expect(digest.allSatisfy { $0.audience == .gathered })
            #expect(
                try await scene.fixture.sql("SELECT count(DISTINCT group_id) || '/' || count(group_id) FROM alert")
                    == "1/2",
                "one message")
            #expect(digest.map(\.content.range?.worst) == [9.6, 25])
            #expect(try await scene.gathered() == "0")
            #expect(try await scene.fixture.sql("SELECT count(*) FROM gathering WHERE ended_at IS NULL") == "0")
            // What goes on was told: the next is a reminder in half an hour, and its end is announced.
            try await scene.take([.ph: 9.6], at: 700)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM alert") == "2")
            try await scene.take([.ph: 8], at: 760)
            try await scene.take([.ph: 8], at: 1_100)
            #expect(try await scene.sweep().map(\.purpose) == [.recovery])
        }
    }

    @Test func webhooksAreToldAtOnceAndPhonesInTheMorning() async throws {
        try await GatheringScene.with(keepsWebhook: true) { scene in
            try await scene.beginNight()
            try await scene.take([.temperature: 25], at: 0)
            #expect(try await scene.fixture.sql("SELECT purpose || audience FROM alert") == "alarmatOnce")
            try await scene.take([.temperature: 23], at: 60)
            try await scene.take([.temperature: 23], at: 500)
            let end = try await scene.sweep()
            #expect(end.map(\.purpose) == [.recovery] && end.map(\.audience) == [.atOnce])
            try await scene.endNight()
            let digest = try await scene.tell()
            #expect(digest.map(\.purpose) == [.past] && digest.map(\.audience) == [.gathered])
        }
    }

    /// A telephone that hears of nothing but what is critical hears that at all hours: for it nothing else is held back, unless its person has
    /// nothing else to be told by.
    @Test(arguments: [(true, "alarm", 0), (false, "", 1)])
    func forATelephoneNothingIsHeldBack(keepsWebhook: Bool, told: String, gathered: Int) async throws {
        try await GatheringScene.with(keepsWebhook: keepsWebhook) { scene in
            _ = try await scene.fixture.sql(
                "UPDATE endpoint SET only_urgent = true, rings_always = true WHERE channel <> 'webhook'")
            try await scene.beginNight()
            try await scene.take([.temperature: 25], at: 0)
            #expect(
                try await scene.fixture.sql("SELECT string_agg(purpose || coalesce(audience, ''), ',') FROM alert")
                    == told)
            #expect(try await scene.gathered() == "\(gathered)")
            try await scene.endNight()
            #expect(try await scene.tell().count == gathered)
        }
    }

    @Test func aReminderWaitsForTheMorning() async throws {
        try await GatheringScene.with { scene in
            try await scene.take([.temperature: 25], at: 0)
            try await scene.beginNight()
            try await scene.take([.temperature: 25.5], at: 1_900)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM alert") == "1")
            try await scene.endNight()
            #expect(try await scene.tell().map(\.purpose) == [.reminder])
        }
    }

    /// The bound is of messages: what begins at once is one.
    @Test func moreThanTheBoundIsGathered() async throws {
        try await GatheringScene.with { scene in
            var scene = scene
            scene.policy.mostAnHour = 2
            try await scene.take([.temperature: 25, .ph: 9.5], at: 0)
            try await scene.take([.nitrate: 900], at: 60)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM alert") == "3")
            try await scene.take([.hardness: 9_000], at: 120)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM alert") == "3")
            #expect(
                try await scene.fixture.sql(
                    "SELECT reason || (until_at = began_at + interval '15 minutes') FROM gathering") == "tooManytrue")
            #expect(try await scene.tell().isEmpty)
            _ = try await scene.fixture.sql("UPDATE gathering SET until_at = now()")
            #expect(try await scene.tell().map(\.purpose) == [.alarm])
        }
    }

    /// A clock that was wrong by a day has dated them.
    @Test func theBoundDoesNotCountTheFuture() async throws {
        try await GatheringScene.with { scene in
            var scene = scene
            scene.policy.mostAnHour = 1
            try await scene.take([.temperature: 25], at: 0)
            _ = try await scene.fixture.sql("UPDATE alert SET decided_at = decided_at + interval '1 day'")
            try await scene.take([.ph: 9.5], at: 60)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM alert") == "2")
            #expect(try await scene.fixture.sql("SELECT count(*) FROM gathering") == "0")
        }
    }

    @Test func nightfallPutsADigestOff() async throws {
        try await GatheringScene.with { scene in
            var scene = scene
            scene.policy.mostAnHour = 1
            try await scene.take([.temperature: 25], at: 0)
            try await scene.take([.ph: 9.5], at: 60)
            try await scene.beginNight()
            _ = try await scene.fixture.sql("UPDATE gathering SET until_at = now()")
            #expect(try await scene.tell().isEmpty)
            #expect(
                try await scene.fixture.sql("SELECT reason || (until_at > now()) FROM gathering") == "quietHourstrue")
            try await scene.endNight()
            #expect(try await scene.tell().map(\.purpose) == [.alarm])
        }
    }

    /// Behind them are machines, which have no night, and no bound.
    @Test func forWebhooksAloneNothingIsGathered() async throws {
        try await GatheringScene.with(keepsWebhook: true) { scene in
            var scene = scene
            scene.policy.mostAnHour = 1
            _ = try await scene.fixture.sql("DELETE FROM endpoint WHERE channel <> 'webhook'")
            try await scene.beginNight()
            try await scene.take([.temperature: 25], at: 0)
            try await scene.take([.ph: 9.5], at: 60)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM alert WHERE audience IS NULL") == "2")
            #expect(try await scene.gathered() == "0")
            #expect(try await scene.fixture.sql("SELECT count(*) FROM gathering") == "0")
        }
    }

    @Test func whenTheLastPhoneIsGoneThereIsNoDigest() async throws {
        try await GatheringScene.with(keepsWebhook: true) { scene in
            try await scene.beginNight()
            try await scene.take([.temperature: 25], at: 0)
            _ = try await scene.fixture.sql("DELETE FROM endpoint WHERE channel <> 'webhook'")
            try await scene.endNight()
            #expect(try await scene.tell().isEmpty)
            #expect(try await scene.gathered() == "0")
            #expect(try await scene.fixture.sql("SELECT count(*) FROM throttle") == "1", "the webhook's charge stays")
        }
    }

    @Test func whatIsSnoozedByThenIsNotTold() async throws {
        try await GatheringScene.with { scene in
            try await scene.beginNight()
            try await scene.take([.temperature: 25, .ph: 9.5], at: 0)
            _ = try await scene.fixture.sql(
                """
                INSERT INTO snooze (slot, device_id, parameter, account_id, kind, side, snoozed_until)
                SELECT slot, device_id, parameter, account_id, kind, side, now() + interval '4 hours' FROM episode WHERE parameter = 0
                """)
            try await scene.endNight()
            #expect(try await scene.tell().map(\.subject.parameter) == [.ph])
            #expect(try await scene.gathered() == "0")
        }
    }

    /// What it says is of the latest reading, and the interval runs from when it is told.
    @Test func aDigestIsOfThePresent() async throws {
        try await GatheringScene.with { scene in
            try await scene.beginNight()
            try await scene.take([.temperature: 27], at: 0)
            try await scene.take([.temperature: 25], at: 60)
            try await scene.endNight()
            let digest = try await scene.tell()
            #expect(digest.map(\.content.range?.value) == [25] && digest.map(\.content.range?.worst) == [27])
            #expect(
                try await scene.fixture.sql("SELECT now() - event_time < interval '1 minute' FROM throttle") == "t")
        }
    }

    /// A digest waits for the slots in which somebody decides just now, a minute at most.
    @Test func aSlotThatIsHeldPutsTheDigestOffForAWhile() async throws {
        try await GatheringScene.with { scene in
            try await scene.beginNight()
            try await scene.take([.temperature: 25], at: 0)
            try await scene.endNight()
            let other = try await PostgresConnection.connect(
                EngineFixture.configuration(scene.fixture.database, .owner))
            try await other.executeScript(
                "BEGIN; SELECT FROM slot WHERE slot = \(scene.fixture.device.slot.rawValue) FOR UPDATE")
            #expect(try await scene.tell().isEmpty)
            #expect(try await scene.fixture.sql("SELECT count(*) FROM gathering WHERE ended_at IS NULL") == "1")
            _ = try await scene.fixture.sql("UPDATE gathering SET until_at = now() - interval '2 minutes'")
            #expect(try await scene.tell().isEmpty, "what is elsewhere is told, this follows")
            try await other.executeScript("COMMIT")
            await other.close()
            #expect(try await scene.tell().map(\.purpose) == [.alarm])
        }
    }

    @Test func aGatheringByAClockThatWasAheadIsOver() async throws {
        try await GatheringScene.with { scene in
            try await scene.beginNight()
            try await scene.take([.temperature: 25], at: 0)
            _ = try await scene.fixture.sql(
                """
                DELETE FROM quiet_hours;
                UPDATE gathering SET began_at = now() + interval '1 day', until_at = now() + interval '2 days'
                """)
            #expect(try await scene.tell().map(\.purpose) == [.alarm])
            #expect(try await scene.fixture.sql("SELECT count(*) FROM gathering WHERE ended_at IS NULL") == "0")
        }
    }

    @Test func aDeviceThatWasGivenUpIsNotTold() async throws {
        try await GatheringScene.with { scene in
            try await scene.beginNight()
            try await scene.take([.temperature: 25], at: 0)
            let person = scene.fixture.account.rawValue
            _ = try await scene.fixture.sql(
                "UPDATE episode SET closed_at = now(), closed_because = 'unlinked' WHERE account_id = \(person)")
            try await scene.endNight()
            #expect(try await scene.tell().isEmpty)
            #expect(try await scene.gathered() == "0")
        }
    }

    /// What begins on one device at once is one message; what follows within ten seconds is another, at their end.
    @Test func alarmsOfOneDeviceAreToldTogether() async throws {
        try await GatheringScene.with { scene in
            try await scene.take([.temperature: 25, .ph: 9.5], at: 0)
            #expect(
                try await scene.fixture.sql("SELECT count(DISTINCT group_id) || '/' || count(due_at) FROM alert")
                    == "1/0")
            try await scene.take([.nitrate: 900], at: 2)
            try await scene.take([.hardness: 9_000], at: 3)
            #expect(
                try await scene.fixture.sql(
                    """
                    SELECT count(*) || '/' || count(DISTINCT group_id) || '/' || count(DISTINCT due_at) FROM alert
                    WHERE parameter IN (\(Parameter.nitrate.rawValue), \(Parameter.hardness.rawValue))
                        AND due_at > decided_at AND due_at <= decided_at + interval '10 seconds'
                    """) == "2/1/1")
        }
    }

    @Test func whatIsCriticalWaitsForNothing() async throws {
        try await GatheringScene.with { scene in
            _ = try await scene.fixture.sql(
                "UPDATE setting SET critical_maximum = \(Parameter.ph.steps(of: 10).count) WHERE parameter = \(Parameter.ph.rawValue)"
            )
            try await scene.take([.temperature: 25], at: 0)
            try await scene.take([.ph: 11], at: 2)
            #expect(
                try await scene.fixture.sql(
                    "SELECT count(*) FROM alert WHERE critical AND due_at IS NULL AND group_id IS NULL")
                    == "1")
        }
    }

    /// A digest of what two engines have gathered is told once.
    @Test func twoEnginesTellOneDigest() async throws {
        try await GatheringScene.with { scene in
            try await scene.beginNight()
            try await scene.take([.temperature: 25, .ph: 9.5], at: 0)
            try await scene.endNight()
            try await scene.fixture.withEngines(2, policy: scene.policy) {
                try await scene.fixture.fact("SELECT count(*) = 2 FROM alert WHERE audience = 'gathered'")
            }
            #expect(try await scene.fixture.sql("SELECT count(*) FROM alert") == "2")
        }
    }
}
