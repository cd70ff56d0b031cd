import Postgres
import Store
import TestSupport
import Testing

@testable import Notifier

/// Notifications hand work over. A notifier looks by itself only once an hour here, so nothing else starts its work.
@Suite struct HandOverTests {
    private static var settings: NotifierSettings {
        var settings = Scene.settings
        settings.interval = .seconds(3_600)
        return settings
    }

    @Test func `an alert is sent at the engine's word`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.notifying(Self.settings) {
                // The first alert may be found on connecting, and another when listening begins.
                for number in 1...5 {
                    try await scene.alarms(number...number)
                    try await scene.await("\(number)", "SELECT count(*) FROM alert WHERE state = 'delivered'")
                }
            }
        }
    }

    @Test func `the end of a delivery is a word to whoever waits for it`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let listener = PostgresListener(
                try PostgresConfiguration(
                    url: scene.database.url(.owner), password: scene.database.password(.owner),
                    applicationName: "notifier-tests"), channels: [Channel.delivery])
            try await listener.withEvents { events in
                #expect(await events.first { _ in true } == .mayHaveMissed)
                try await scene.notifying(Self.settings) {
                    try await scene.alarms()
                    try await scene.await("delivered", "SELECT state FROM alert")
                }
                try await withDeadline(.seconds(60), "the word") {
                    let alert = try await scene.database.sql("SELECT slot || '/' || alert_id FROM alert")
                    let word = PostgresEvent.notified(channel: Channel.delivery, payload: alert)
                    #expect(await events.first { _ in true } == word)
                }
            }
        }
    }
}
