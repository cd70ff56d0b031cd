import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// All-clears of what was told before quiet hours, or in them. Temperature, 12.0 to 24.0 °C.
struct GatheredEndTests {
    @Test func whatIsCriticalWakesAndSoDoesItsEnd() async throws {
        try await GatheringScene.with { scene in
            _ = try await scene.fixture.sql("UPDATE setting SET critical_maximum = 260 WHERE parameter = 0")
            try await scene.beginNight()
            try await scene.take([.temperature: 25], at: 0)
            try await scene.take([.temperature: 27], at: 60)
            #expect(try await scene.fixture.sql("SELECT critical || coalesce(audience, '') FROM alert") == "true")
            #expect(try await scene.gathered() == "0")
            try await scene.take([.temperature: 23], at: 120)
            try await scene.take([.temperature: 23], at: 500)
            let end = try await scene.sweep()
            #expect(end.map(\.purpose) == [.recovery] && end.map(\.audience) == [nil])
            try await scene.endNight()
            #expect(try await scene.tell().isEmpty)
        }
    }

    @Test func theEndOfAnEveningsAlarmIsToldInTheMorning() async throws {
        try await GatheringScene.with { scene in
            try await scene.take([.temperature: 25], at: 0)
            try await scene.beginNight(after: "90 minutes")
            try await scene.take([.temperature: 23], at: 60)
            try await scene.take([.temperature: 23], at: 500)
            #expect(try await scene.sweep().isEmpty)
            #expect(
                try await scene.fixture.sql(
                    "SELECT recovery_due_at - now() BETWEEN '4 minutes' AND '5 minutes' FROM episode")
                    == "t", "it is looked again")
            try await scene.endNight()
            #expect(try await scene.tell().isEmpty)
            let end = try await scene.sweep()
            #expect(end.map(\.purpose) == [.recovery] && end.map(\.audience) == [nil])
            #expect(end.first?.content.range?.value == 23)
            #expect(try await scene.sweep().isEmpty)
        }
    }

    /// With a webhook, which hears of it at night.
    @Test func theEndIsToldEachAtTheirTime() async throws {
        try await GatheringScene.with(keepsWebhook: true) { scene in
            try await scene.endAnAlarmOfTheEveningAtNight()
            #expect(try await scene.sweep().isEmpty)
            try await scene.endNight()
            #expect(try await scene.sweep().map(\.audience) == [.gathered])
            #expect(try await scene.sweep().isEmpty)
        }
    }

    @Test func whoeverHeardOfNothingHearsOfNoEnd() async throws {
        try await GatheringScene.with(keepsWebhook: true) { scene in
            try await scene.beginNight()
            try await scene.take([.temperature: 25], at: 0)
            try await scene.take([.temperature: 23], at: 60)
            try await scene.endNight()
            #expect(try await scene.tell().map(\.purpose) == [.past])
            // Only now the water has been calm for long enough.
            try await scene.take([.temperature: 23], at: 500)
            #expect(try await scene.sweep().map(\.audience) == [.atOnce])
        }
    }

    /// That the person has changed what they ask, or that nothing comes any more, is no end to be told.
    @Test func anEndThatIsNotOwedIsNotToldInADigest() async throws {
        try await GatheringScene.with { scene in
            try await scene.take([.temperature: 25], at: 0)
            try await scene.beginNight()
            try await scene.take([.temperature: 25.5], at: 1_900)
            #expect(try await scene.gathered() == "1", "the reminder")
            _ = try await scene.fixture.sql(
                "UPDATE episode SET closed_at = now(), closed_because = 'recovered', recovery_due_at = NULL")
            try await scene.endNight()
            #expect(try await scene.tell().isEmpty)
            #expect(try await scene.gathered() == "0")
        }
    }

    /// The alarm of the evening stands on the phone until the water is well again, and that of the night behind the webhook.
    @Test func theEndOfAnAlarmIsNotLostByAnotherEpisode() async throws {
        try await GatheringScene.with(keepsWebhook: true) { scene in
            try await scene.endAnAlarmOfTheEveningAtNight()
            _ = try await scene.fixture.sql("DELETE FROM throttle")
            // Out of range again, of which the webhook hears, and the phone in the morning.
            try await scene.take([.temperature: 25], at: 560)
            try await scene.endNight()
            #expect(try await scene.tell().map(\.purpose) == [.alarm])
            try await scene.take([.temperature: 23], at: 620)
            #expect(try await scene.tell().isEmpty)
            #expect(try await scene.sweep().isEmpty, "it has not been calm for long enough")
            try await scene.take([.temperature: 23], at: 1_000)
            #expect(try await scene.sweep().map(\.audience) == [nil], "one for all")
            #expect(try await scene.sweep().isEmpty)
        }
    }

    /// Of which nobody was told: what is ended is the alarm of the evening.
    @Test func theEndOfAnAlarmIsToldAfterAnEpisodeOfWhichNobodyHeard() async throws {
        try await GatheringScene.with(keepsWebhook: true) { scene in
            try await scene.endAnAlarmOfTheEveningAtNight()
            _ = try await scene.fixture.sql("UPDATE setting SET delay_seconds = 3600 WHERE parameter = 0")
            try await scene.take([.temperature: 25], at: 560)
            try await scene.endNight()
            #expect(try await scene.tell().isEmpty)
            try await scene.take([.temperature: 23], at: 620)
            try await scene.take([.temperature: 23], at: 1_000)
            #expect(try await scene.sweep().map(\.audience) == [.gathered])
            #expect(try await scene.sweep().isEmpty)
        }
    }
}

extension GatheringScene {
    /// An alarm of the evening, of which all hear, and its end at night, of which the webhook alone hears until the morning.
    fileprivate func endAnAlarmOfTheEveningAtNight() async throws {
        try await take([.temperature: 25], at: 0)
        try await beginNight(after: "90 minutes")
        try await take([.temperature: 23], at: 60)
        try await take([.temperature: 23], at: 500)
        #expect(try await sweep().map(\.audience) == [.atOnce])
    }
}
