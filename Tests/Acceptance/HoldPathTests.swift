import Foundation
import TestSupport
import Testing

extension WholeSystems {
    /// A sensor's glitch alerts nobody, and a real change of the water does: from the broker to the person's endpoint, with
    /// default settings.
    @Suite struct HoldPathTests {
        @Test func aJumpIsToldWhenTheNextReadingConfirmsIt() async throws {
            try await TestSystem.with(settings: ["aqua-rules": ["AQUA_HOLD": "5m"]]) { system in
                _ = try await system.addPerson("kim@example.org")
                let password = try await system.addDevice("tank-1", of: "kim@example.org", name: "Big tank")
                try system.startServices()
                for program in TestSystem.services { try await system.process(program).untilReady() }
                let start = Date().timeIntervalSince1970 - 480
                @Sendable func publish(_ second: Int, _ value: Double) async throws {
                    try await system.cluster.broker.publish(
                        [#"{"time":\#(start + Double(second)),"temperature":\#(value)}"#], as: "tank-1",
                        password: password,
                        to: "aqua/v1/tank-1/readings")
                }
                let water = [(0, 22.5), (30, 45.0), (60, 22.4), (90, 22.5), (360, 22.5), (390, 26.0)]
                for (index, (second, value)) in water.enumerated() {
                    try await publish(second, value)
                    try await system.settle(messages: index + 1)
                }
                // A restarted engine reads the last value from the database.
                await system.stop("aqua-rules")
                try system.start("aqua-rules")
                let decided = "SELECT reason, notification FROM transition ORDER BY transition_id"
                #expect(try await system.database.sql(decided) == "opened|held\nrecovered|none\nopened|held")
                #expect(try await system.database.sql("SELECT count(*) FROM alert") == "0")
                try await publish(420, 26.1)
                let request = try await system.sink.requests(1)[0]
                let message = try #require(JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
                let data = try #require(message["data"] as? [String: Any])
                #expect(data["title"] as? String == "Big tank: Temperature is high")
                #expect(data["value"] as? Double == 26.1)
                let since = "SELECT opened_at = (SELECT event_time FROM sample WHERE temperature = 26) FROM alert"
                #expect(try await system.database.sql(since) == "t", "the first reading of it")
            }
        }
    }
}
