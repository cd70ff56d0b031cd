import Foundation
import TestSupport
import Testing

extension WholeSystems {
    /// A probe falls silent and is heard again: from the broker to the person's endpoint, with every service running.
    @Suite struct SilencePathTests {
        @Test func aSilentProbeIsToldAndSoIsItsReturn() async throws {
            try await TestSystem.with(settings: ["aqua-rules": ["AQUA_RECOVERY_DELAY": "1s"]]) { system in
                _ = try await system.addPerson("kim@example.org")
                let password = try await system.addDevice("tank-1", of: "kim@example.org", name: "Big tank")
                try system.startServices()
                for program in TestSystem.services { try await system.process(program).untilReady() }
                @Sendable func publish(_ count: Int) async throws {
                    let now = Date().timeIntervalSince1970
                    try await system.cluster.broker.publish(
                        (0..<count).map { #"{"time":\#(now + Double($0) / 1000),"temperature":22}"# }, as: "tank-1",
                        password: password, to: "aqua/v1/tank-1/readings")
                }
                try await publish(5)
                try await system.settle(messages: 5)
                try await system.fact("SELECT level_at > now() - interval '30 s' FROM ingest_seat WHERE session_open")
                // Moves the messages into the past: one every minute and a half, until eight minutes ago.
                try await system.database.sql(
                    """
                    UPDATE sample s SET received_at = s.received_at - interval '7 minutes' - o.number * interval '90 s'
                    FROM (SELECT event_time, row_number() OVER (ORDER BY event_time DESC) AS number FROM sample) o
                    WHERE o.event_time = s.event_time;
                    UPDATE ownership SET readings_from = '-infinity';
                    UPDATE silence_clock SET runs_from = now() - interval '6 minutes';
                    UPDATE silence_check SET due_at = now()
                    """)
                let alarm = try Message(await system.sink.requests(1)[0].body)
                #expect(alarm.type == "alert.alarm" && alarm.data["kind"] as? String == "silence")
                #expect(alarm.data["title"] as? String == "Big tank: No readings")
                try await system.fact("SELECT state = 'delivered' FROM alert")

                try await publish(1)
                let recovery = try Message(await system.sink.requests(2)[1].body)
                #expect(recovery.type == "alert.recovery")
                #expect(recovery.data["title"] as? String == "Big tank: Readings again")
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
