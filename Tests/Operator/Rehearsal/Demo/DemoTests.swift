import Foundation
import Glibc
import TestSupport
import Testing

/// The demonstration adds what it needs and no more, however often it is started.
@Suite struct DemoTests {
    @Test func startedAgainItAddsNothingTwice() async throws {
        try await Instance.with { instance in
            let port = Ports.free()
            let environment = instance.environment.merging(["AQUA_PUSH_ALLOW": "127.0.0.1/32:\(port)"]) { $1 }
            for _ in 1...2 {
                let demo = try ProcessUnderTest.start(
                    "aqua", ["demo", "--port", "\(port)", "--device", instance.device], environment: environment)
                try await awaitFact("the receiver") { Ports.isListening(port) ? true : nil }
                demo.signal(SIGTERM)
                #expect(await demo.end == .exit(0), "\(demo.tail)")
            }
            #expect(
                try await instance.database.sql(
                    """
                    SELECT (SELECT count(*) FROM account), (SELECT count(*) FROM ownership WHERE unlinked_at IS NULL),
                        (SELECT count(*) FROM endpoint WHERE retired_at IS NULL)
                    """) == "1|1|1")
        }
    }

    /// The long-running part of the demonstration knows no key and no password of the operator's.
    @Test func preparedItNeedsNothingOfTheOperators() async throws {
        try await Instance.with { instance in
            let port = Ports.free()
            let directory = instance.directory.path
            let arguments = ["demo", "--port", "\(port)", "--device", instance.device]
            var environment = instance.environment.merging(["AQUA_PUSH_ALLOW": "127.0.0.1/32:\(port)"]) { $1 }
            let early = await runAqua(arguments + ["--prepared", directory], environment: environment)
            #expect(early.code == 1 && early.errors.contains("aqua demo --prepare"))
            let prepared = await runAqua(arguments + ["--prepare", directory], environment: environment)
            try instance.succeed(prepared)
            environment = environment.filter { $0.key == "AQUA_MQTT_URL" }
            let demo = try ProcessUnderTest.start(
                "aqua", arguments + ["--prepared", directory], environment: environment)
            try await awaitFact("the receiver") { Ports.isListening(port) ? true : nil }
            // The broker accepts its readings.
            try await ProcessUnderTest.run(
                "/usr/bin/mosquitto_sub",
                [
                    "-h", "127.0.0.1", "-p", "\(instance.broker.port)", "-u", TestBroker.ingestor, "-P",
                    try instance.broker.password(TestBroker.ingestor), "-t", "aqua/v1/\(instance.device)/readings",
                    "-C", "1",
                ])
            demo.signal(SIGTERM)
            #expect(await demo.end == .exit(0), "\(demo.tail)")
        }
    }

    @Test func anAddressThatIsNotPermittedIsTold() async throws {
        try await Instance.with { instance in
            let run = await instance.aqua("demo", "--device", instance.device)
            #expect(run.code == 1)
            #expect(run.errors.contains("AQUA_PUSH_ALLOW"))
        }
    }
}
