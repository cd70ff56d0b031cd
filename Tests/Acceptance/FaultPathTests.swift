import Foundation
import TestSupport
import Testing

extension WholeSystems {
    /// A probe reports that it is broken, and works again: from the broker to the person's endpoint, with every service
    /// running.
    @Suite struct FaultPathTests {
        @Test func aBrokenProbeIsToldAndSoIsItsReturn() async throws {
            try await TestSystem.with(settings: ["aqua-rules": ["AQUA_RECOVERY_DELAY": "1s"]]) { system in
                _ = try await system.addPerson("kim@example.org")
                let password = try await system.addDevice("tank-1", of: "kim@example.org", name: "Big tank")
                try system.startServices()
                for program in TestSystem.services { try await system.process(program).untilReady() }
                let start = Date().timeIntervalSince1970
                @Sendable func publish(_ words: [(second: Double, value: String)]) async throws {
                    try await system.cluster.broker.publish(
                        words.map { #"{"time":\#(start + $0.second),"temperature":\#($0.value)}"# }, as: "tank-1",
                        password: password, to: "aqua/v1/tank-1/readings")
                }
                try await publish([(-90, "22.5"), (-61, "-127"), (-31, "85"), (-1, "nan")])
                let alarm = try Message(await system.sink.requests(1)[0].body)
                #expect(alarm.type == "alert.alarm" && alarm.data["kind"] as? String == "fault")
                #expect(alarm.data["title"] as? String == "Big tank: Check the temperature probe")
                #expect(try await system.database.sql("SELECT count(*) FROM sample") == "1", "none of it is water")
                try await system.fact("SELECT state = 'delivered' FROM alert")

                // The second reading shows that the recovery lasts.
                try await publish([(0, "22.4"), (2, "22.5")])
                let recovery = try Message(await system.sink.requests(2)[1].body)
                #expect(recovery.type == "alert.recovery")
                #expect(recovery.data["title"] as? String == "Big tank: The temperature probe works again")
                #expect(recovery.data["collapse_key"] as? String == alarm.data["collapse_key"] as? String)
            }
        }

        private struct Message {
            let type: String?
            let data: [String: Any]

            init(_ body: [UInt8]) throws {
                let message = try #require(JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
                type = message["type"] as? String
                data = try #require(message["data"] as? [String: Any])
            }
        }
    }
}
