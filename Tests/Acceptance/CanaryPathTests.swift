import Foundation
import TestSupport
import Testing

extension WholeSystems {
    /// The canary's reading goes from its own publisher by the broker to a webhook, and the heartbeat address is called for it, once.
    @Suite struct CanaryPathTests {
        private static let beat = "/beat/0b7c-secret"

        /// Runs a system whose canary is set up and prepared.
        private static func with(
            _ body:
                @Sendable @escaping (TestSystem, _ publish: @Sendable () throws -> ProcessUnderTest) async throws ->
                Void
        ) async throws {
            // As in production: a jump waits for the next value.
            try await TestSystem.with(settings: ["aqua-rules": ["AQUA_HOLD": "5m"]]) { system in
                system.sink.answer(then: .status(200))
                try await system.tool(["canary", "create", "--webhook", system.sink.url()])
                let directory = system.path("canary")
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
                try await system.tool(["canary", "prepare", directory])
                try await body(system) {
                    try ProcessUnderTest.start(
                        "aqua", ["canary", "run", directory],
                        environment: ["AQUA_MQTT_URL": system.cluster.broker.url])
                }
            }
        }

        private static func start(_ notifier: String, _ system: TestSystem) throws {
            try system.start(
                "aqua-notifier", as: notifier, changes: ["AQUA_HEARTBEAT_URL": system.sink.url(path: beat)])
        }

        private static let shown = "aqua_notifier_canary_delivered_timestamp_seconds "

        /// Waits until a Notifier shows a time at which the canary arrived, or was set up.
        private static func shows(_ column: String, _ notifier: String, _ system: TestSystem) async throws {
            let process = try system.process(notifier)
            let time = try #require(
                Double(try await system.database.sql("SELECT extract(epoch FROM \(column)) FROM canary")))
            try await awaitFact("\(shown)\(time) of \(notifier)") {
                let line = try await process.metrics().split(separator: "\n").first { $0.hasPrefix(shown) }
                return line.flatMap { Double($0.dropFirst(shown.count)) }.map { abs($0 - time) < 0.01 } == true
                    ? true : nil
            }
        }

        private static func beats(_ system: TestSystem) -> Int {
            system.sink.received.count { $0.path == beat }
        }

        @Test func `an alarm arrives, is noted, and called for once by two Notifiers`() async throws {
            try await Self.with { system, publish in
                for program in ["aqua-ingestor", "aqua-rules"] {
                    try system.start(program)
                    _ = try await system.process(program).untilReady()
                }
                for notifier in ["one", "other"] { try Self.start(notifier, system) }
                let publisher = try publish()
                let requests = try await system.sink.requests(2)
                let alarm = try #require(requests.first { $0.path != Self.beat })
                let message = try #require(JSONSerialization.jsonObject(with: Data(alarm.body)) as? [String: Any])
                #expect(message["type"] as? String == "alert.alarm")
                #expect((message["data"] as? [String: Any])?["title"] as? String != nil)
                try await system.fact("SELECT beaten_at = delivered_at FROM canary")
                // Both have looked at what arrived.
                for notifier in ["one", "other"] { try await Self.shows("delivered_at", notifier, system) }
                #expect(Self.beats(system) == 1)
                // The second value of the turn confirms the first and is no second alarm.
                try await system.fact("SELECT count(*) = 2 FROM sample")
                try await system.settle(messages: 2)
                #expect(try await system.database.sql("SELECT count(*) FROM alert") == "1")
                publisher.signal(SIGTERM)
                #expect(await publisher.end == .exit(0))
                // The doctor finds fault with servers that do not wait for the disk, as those of tests.
                let doctor = try ProcessUnderTest.start(
                    "aqua", ["doctor"], environment: system.environment(of: "aqua"))
                _ = await doctor.end
                #expect(doctor.output.all.contains { $0.contains("canary: its last alarm arrived at") })
            }
        }

        @Test func `with a link that is broken nothing is called`() async throws {
            try await Self.with { system, publish in
                try system.start("aqua-ingestor")
                _ = try await system.process("aqua-ingestor").untilReady()
                try Self.start("one", system)
                let publisher = try publish()
                // Both values of the turn wait for a decision that nobody makes.
                try await system.fact("SELECT count(*) = 2 FROM sample")
                try await system.fact("SELECT count(*) > 0 FROM evaluation_batch")
                try await Self.shows("made_at", "one", system)
                #expect(
                    try await system.database.sql("SELECT delivered_at IS NULL AND beaten_at IS NULL FROM canary")
                        == "t")
                #expect(system.sink.received.isEmpty)
                // The engine comes back: what waited arrives, and is called for.
                try system.start("aqua-rules")
                try await system.fact("SELECT beaten_at IS NOT NULL FROM canary")
                publisher.signal(SIGTERM)
                #expect(await publisher.end == .exit(0))
            }
        }
    }
}
