import Foundation
import Instants
import TestSupport
import Testing

extension WholeSystems {
    /// The services' logs, as a log collector gets them.
    @Suite struct LogTests {
        private static let email = "kim.private@example.org"
        private static let device = "tank-1"

        /// A log line's values by key.
        typealias Line = [String: String]

        private static func lines(of program: String, _ system: TestSystem) throws -> [Line] {
            try system.process(program).output.all.map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                return try #require(object).mapValues { "\($0)" }
            }
        }

        /// Starts the services and waits until the broker keeps messages for them.
        private static func start(_ system: TestSystem) async throws {
            try system.startServices()
            for program in TestSystem.services { try await system.process(program).untilReady() }
        }

        /// Waits for a line with these values.
        private static func line(of program: String, _ wanted: Line, _ system: TestSystem) async throws -> Line {
            try await awaitFact("\(wanted) in the log of \(program)") {
                try lines(of: program, system).first { line in wanted.allSatisfy { line[$0.key] == $0.value } }
            }
        }

        @Test func oneAlertCanBeFollowedFromItsReading() async throws {
            let settings = ["aqua-ingestor": ["AQUA_LOG_LEVEL": "trace"]]
            try await TestSystem.with(settings: settings) { system in
                _ = try await system.addPerson(Self.email)
                let password = try await system.addDevice(Self.device, of: Self.email, name: "Big tank")
                try await Self.start(system)
                try await system.cluster.broker.publish(
                    [#"{"time":"\#(Self.now)","temperature":39.25}"#, #"{"nitrate":1}"#],
                    as: Self.device, password: password, to: "aqua/v1/\(Self.device)/readings")
                let request = try #require(try await system.sink.requests(1).first)

                // Follows the alert from its end to its beginning, by the keys alone.
                let delivered = try await Self.line(
                    of: "aqua-notifier", ["delivery.id": try #require(request.header("webhook-id"))], system)
                #expect(delivered["message"] == "Delivered")
                let alert = try await Self.line(
                    of: "aqua-rules", ["alert.id": try #require(delivered["alert.id"])], system)
                #expect(alert["parameter"] == "temperature" && alert["purpose"] == "alarm", "\(alert)")
                for key in ["event.time", "received.at"] {
                    #expect(alert[key] != nil && alert[key] == delivered[key], "\(alert) \(delivered)")
                }
                let stored = try await Self.line(
                    of: "aqua-ingestor",
                    [
                        "device.id": try #require(alert["device.id"]), "event.time": try #require(alert["event.time"]),
                    ], system)
                #expect(stored["device"] == Self.device && delivered["device"] == Self.device)
                #expect(stored["level"] == "trace")
                let batch = try await Self.line(
                    of: "aqua-ingestor", ["message": "Stored", "received.at": try #require(stored["received.at"])],
                    system)
                #expect(batch["level"] == "debug" && batch["received.at"] == alert["received.at"])
                #expect(alert["level"] == "info" && delivered["level"] == "info")
            }
        }

        /// Readers of the logs see no personal data and no secret, whatever goes wrong.
        @Test func logsTellNothingPrivate() async throws {
            try await TestSystem.with { system in
                let secret = try await system.addPerson(Self.email)
                let password = try await system.addDevice(Self.device, of: Self.email, name: "Kim's private pond")
                system.sink.answer([.status(500), .close], then: .status(200))
                try await Self.start(system)
                try await system.cluster.broker.publish(
                    [#"{"temperature":39.25}"#, #"{"temperature":"#, #"{"a-private-word":1}"#, "a-private-word"],
                    as: Self.device, password: password, to: "aqua/v1/\(Self.device)/readings")
                _ = try await system.sink.requests(3)
                try await system.database.sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'aqua_%' AND pid <> pg_backend_pid()"
                )
                try await system.cluster.halt(.broker)
                try await system.cluster.resume(.broker)
                try await system.cluster.broker.publish(
                    [#"{"temperature":39.5}"#], as: Self.device, password: password,
                    to: "aqua/v1/\(Self.device)/readings")
                try await system.settle(messages: 2)

                var forbidden = [
                    secret, password, Self.email, "Kim's private pond", "a-private-word", "39.25", "/hook",
                    "127.0.0.1:\(system.sink.port)",
                ]
                for role in TestDatabase.Role.allCases { forbidden.append(try system.database.password(role)) }
                for user in [TestBroker.admin, TestBroker.ingestor] {
                    forbidden.append(try system.cluster.broker.password(user))
                }
                for program in TestSystem.services {
                    for line in try system.process(program).output.all + system.process(program).errors.all {
                        // Removes times, which may look like the water's temperature.
                        let said = line.replacing(/\d\d:\d\d:\d\d\.\d+|"[a-z.]+\.s":[0-9.e-]+/, with: "")
                        #expect(!forbidden.contains { said.contains($0) }, "\(program): \(line)")
                    }
                }
            }
        }

        private static var now: String { Date().formatted(.iso8601) }
    }
}
