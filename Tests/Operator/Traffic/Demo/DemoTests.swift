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

    @Test func anAddressThatIsNotPermittedIsTold() async throws {
        try await Instance.with { instance in
            let run = await instance.aqua("demo", "--device", instance.device)
            #expect(run.code == 1)
            #expect(run.errors.contains("AQUA_PUSH_ALLOW"))
        }
    }
}
