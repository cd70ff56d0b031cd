import Instants
import Postgres
import Store
import TestSupport
import Testing
import WaterQuality

@testable import RulesEngine

/// Notifications hand work over. The engine here polls only once an hour, so it finds no batch without one.
@Suite struct HandOverTests {
    @Test func aBatchIsDecidedAtTheIngestorsWord() async throws {
        try await EngineFixture.with { fixture in
            try await fixture.withEngines(1, interval: .seconds(3_600)) {
                // The first may be found on connecting, and the second when listening begins.
                for number in 1...5 {
                    try await fixture.hand([.temperature: 20], at: .now - .seconds(60 - number))
                    try await fixture.fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
                }
            }
        }
    }

    @Test func anAlertIsAWordToTheNotifiers() async throws {
        try await EngineFixture.with { fixture in
            let listener = PostgresListener(
                try EngineFixture.configuration(fixture.database, .notifier), channels: [Channel.alert])
            try await listener.withEvents { events in
                #expect(await events.first { _ in true } == .mayHaveMissed)
                try await fixture.hand([.temperature: 25], at: .now)
                try await fixture.runEngine(until: "EXISTS (SELECT FROM alert)")
                try await withDeadline(.seconds(60), "the word") {
                    #expect(await events.first { _ in true } == .notified(channel: Channel.alert, payload: ""))
                }
            }
        }
    }
}
