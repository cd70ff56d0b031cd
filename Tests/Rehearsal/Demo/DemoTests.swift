import Foundation
import Glibc
import TestSupport
import Testing

/// The demonstration adds what it needs and no more, however often it is started.
@Suite struct DemoTests {
    /// Devices of other tests are on the same broker.
    private let device = "tank-\(UUID().uuidString.prefix(8))"
    private let port = Ports.free()

    private var arguments: [String] { ["demo", "--port", "\(port)", "--device", device] }
    private var settings: [String: [String: String]] { ["aqua": ["AQUA_PUSH_ALLOW": "127.0.0.1/32:\(port)"]] }

    @Test func startedAgainItAddsNothingTwice() async throws {
        try await TestSystem.with(on: try await .shared, settings: settings) { system in
            for _ in 1...2 {
                let demo = try ProcessUnderTest.start(
                    "aqua-rehearsal", arguments, environment: try system.environment(of: "aqua"))
                try await awaitFact("the receiver") { Ports.isListening(port) ? true : nil }
                demo.signal(SIGTERM)
                #expect(await demo.end == .exit(0), "\(demo.tail)")
            }
            #expect(
                try await system.database.sql(
                    """
                    SELECT (SELECT count(*) FROM account), (SELECT count(*) FROM ownership WHERE unlinked_at IS NULL),
                        (SELECT count(*) FROM endpoint WHERE retired_at IS NULL)
                    """) == "1|1|1")
        }
    }

    /// The long-running part of the demonstration knows no key and no password of the operator's.
    @Test func preparedItNeedsNothingOfTheOperators() async throws {
        try await TestSystem.with(on: try await .shared, settings: settings) { system in
            try await Paths.withTemporaryDirectory { directory in
                let environment = try system.environment(of: "aqua")
                let early = try ProcessUnderTest.start(
                    "aqua-rehearsal", arguments + ["--prepared", directory.path], environment: environment)
                #expect(await early.end == .exit(1))
                #expect(early.errors.tail().contains("aqua-rehearsal demo --prepare"))
                try await ProcessUnderTest.run(
                    "aqua-rehearsal", arguments + ["--prepare", directory.path], environment: environment)
                let demo = try ProcessUnderTest.start(
                    "aqua-rehearsal", arguments + ["--prepared", directory.path],
                    environment: environment.filter { $0.key == "AQUA_MQTT_URL" })
                try await awaitFact("the receiver") { Ports.isListening(port) ? true : nil }
                // The broker accepts its readings.
                let broker = system.cluster.broker
                try await ProcessUnderTest.run(
                    "/usr/bin/mosquitto_sub",
                    [
                        "-h", "127.0.0.1", "-p", "\(broker.port)", "-u", TestBroker.ingestor, "-P",
                        try broker.password(TestBroker.ingestor), "-t", "aqua/v1/\(device)/readings", "-C", "1",
                    ])
                demo.signal(SIGTERM)
                #expect(await demo.end == .exit(0), "\(demo.tail)")
            }
        }
    }

    @Test func anAddressThatIsNotPermittedIsTold() async throws {
        try await TestSystem.with(on: try await .shared) { system in
            let environment = try system.environment(of: "aqua").filter { $0.key != "AQUA_PUSH_ALLOW" }
            let demo = try ProcessUnderTest.start("aqua-rehearsal", arguments, environment: environment)
            #expect(await demo.end == .exit(1))
            #expect(demo.errors.tail().contains("AQUA_PUSH_ALLOW"))
        }
    }
}
