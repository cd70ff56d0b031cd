import TestSupport
import Testing

@testable import Notifier

/// The last message to a person who watched a device.
@Suite struct EndedTests {
    @Test func `of a device that is no longer shared its end is told, and nothing else`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            try await scene.database.sql("UPDATE ownership SET name = 'Koi', unlinked_at = now()")
            try await scene.alarms(1...1)
            try await scene.alarms(2...2, purpose: "reminder")
            try await scene.database.sql("UPDATE alert SET ended = true WHERE alert_id = 2")
            try await scene.alarms(3...3, purpose: "recovery")
            try await scene.notifying {
                try await scene.await("delivered", "SELECT state FROM alert WHERE ended")
                try await scene.await("0", "SELECT count(*) FROM delivery WHERE state = 'pending'")
            }
            let told = scene.sink.received.map { String(decoding: $0.body, as: UTF8.self) }
            #expect(told.count == 1)
            #expect(told.first?.contains("\"alert.ended\"") == true)
            #expect(told.first?.contains("Koi: Ya no se comparte contigo") == true)
            #expect(try await scene.ask("SELECT count(*) FROM delivery_attempt WHERE outcome = 'accepted'") == "1")
        }
    }
}
