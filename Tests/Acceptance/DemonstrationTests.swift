import Foundation
import Glibc
import TestSupport
import Testing

extension WholeSystems {
    /// The demonstration of `deploy/run`: three days of recorded water, which alert only where there is news, then live
    /// water.
    @Suite struct DemonstrationTests {
        private static let recording = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../deploy/demo/mendon-july-2019.csv").standardized.path(percentEncoded: false)

        @Test func aTankHasAPastAndIsAlarmedOfThePresent() async throws {
            let port = Ports.free()
            let receiver = ["AQUA_PUSH_ALLOW": "127.0.0.1/32:\(port)"]
            try await TestSystem.with(settings: ["aqua-notifier": receiver, "aqua": receiver]) { system in
                try system.startServices()
                for program in TestSystem.services { try await system.process(program).untilReady() }
                let first = try await Self.demonstration(system, port)
                try await first.told("Recorded water: 289 readings of the last three days are in the tank.")
                // The demonstration reports its end once everything is stored and decided.
                #expect(try await system.database.sql("SELECT count(*) >= 289 FROM sample") == "t")
                #expect(
                    try await system.database.sql(
                        """
                        SELECT max(event_time) - min(event_time) >= interval '72 hours', bool_and(event_time <= now()),
                            bool_and(num_nulls(temperature, ph, ammonia, nitrate, nitrite, alkalinity, hardness, dissolved_oxygen, salinity) = 0)
                        FROM sample
                        """) == "t|t|t")
                // pH and oxygen were out of range now and then in these three days; the person gets alerts for news only.
                let recorded = "purpose = 'alarm' AND event_time < received_at - interval '1 min'"
                #expect(
                    try await system.database.sql(
                        "SELECT string_agg(parameter::text, ' ' ORDER BY parameter) FROM alert WHERE \(recorded)")
                        == "1 7")
                #expect(
                    try await system.database.sql(
                        "SELECT count(*) FILTER (WHERE parameter = 1) > 2, count(*) FILTER (WHERE parameter = 7) = 1 FROM episode"
                    ) == "t|t")
                for name in ["pH is", "Oxygen is"] {
                    let line = try await first.line { $0.contains(name) && $0.contains("above") }
                    #expect(line.contains("(recorded water)") && !line.contains("latency"), "\(line)")
                }
                // The demonstration continues with live readings.
                let live = try await first.line { $0.contains("Temperature is") && $0.contains("above") }
                #expect(live.contains("latency") && live.contains("from receipt"), "\(live)")
                try await system.fact(
                    "SELECT count(*) = 0 FROM episode WHERE parameter IN (1, 7) AND closed_at IS NULL")
                first.signal(SIGTERM)
                #expect(await first.end == .exit(0), "\(first.tail)")

                let stored = try await system.database.sql(
                    "SELECT count(*) FROM sample WHERE event_time < received_at - interval '1 min'")
                let second = try await Self.demonstration(system, port)
                try await second.told("Recorded water: none, the tank has readings of the last three days.")
                second.signal(SIGTERM)
                #expect(await second.end == .exit(0), "\(second.tail)")
                #expect(
                    try await system.database.sql(
                        "SELECT count(*) FROM sample WHERE event_time < received_at - interval '1 min'") == stored)
            }
        }

        private static func demonstration(_ system: TestSystem, _ port: Int) async throws -> ProcessUnderTest {
            try ProcessUnderTest.start(
                "aqua-rehearsal", ["demo", "--port", "\(port)", "--recorded", recording],
                environment: system.environment(of: "aqua"))
        }
    }
}

extension ProcessUnderTest {
    fileprivate func line(_ isWanted: @Sendable @escaping (String) -> Bool) async throws -> String {
        try await awaitFact("a line") { [output] in output.all.first(where: isWanted) }
    }

    fileprivate func told(_ text: String) async throws { _ = try await line { $0.contains(text) } }
}
