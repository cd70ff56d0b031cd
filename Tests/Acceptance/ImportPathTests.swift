import Foundation
import TestSupport
import Testing

extension WholeSystems {
    /// Past data are imported while every service is running: they appear in charts and alert nobody.
    @Suite struct ImportPathTests {
        @Test func yearsOfAlarmingWaterAreToldToNobody() async throws {
            try await TestSystem.with { system in
                _ = try await system.addPerson("kim@example.org")
                let password = try await system.addDevice("tank-1", of: "kim@example.org", name: "Big tank")
                try system.startServices()
                for program in TestSystem.services { try await system.process(program).untilReady() }
                let today = Int(Date().timeIntervalSince1970) / 86_400
                let rows = [9, 10, 50, 200, 1_500].flatMap { day in
                    (0..<96).map { "\((today - day) * 86_400 + $0 * 900),61.5" }
                }
                let file = system.path("past.csv")
                try (["Time,T"] + rows).joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
                try await system.tool(["import", file, "--device", "tank-1", "--map", "T=temperature"])
                // The Ingestor rolls the messages up into hours and days.
                try await system.fact("SELECT count(*) = 0 FROM rollup_due")
                try await system.fact("SELECT count(*) = 5 AND bool_and(temperature_count = 96) FROM sample_day")
                // Publishes live readings, whose alert would come after any alert about the past.
                let now = Date().timeIntervalSince1970
                try await system.cluster.broker.publish(
                    (0..<3).map { #"{"time":\#(now + Double($0) / 1000),"temperature":45}"# }, as: "tank-1",
                    password: password, to: "aqua/v1/tank-1/readings")
                try await system.settle(messages: rows.count - 192 + 3)
                _ = try await system.sink.requests(1)
                #expect(
                    try await system.database.sql(
                        "SELECT count(*), min(decided_at) > now() - interval '10 minutes' FROM alert") == "1|t")
                #expect(
                    try await system.database.sql(
                        "SELECT count(*), bool_and(opened_at > now() - interval '1 hour') FROM episode") == "1|t")
            }
        }
    }
}
