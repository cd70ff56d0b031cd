import Instants
import PushClient
import PushTargets
import Routes
import Secrets
import TestSupport
import Testing
import WaterQuality

@testable import Gateway

@Suite struct ChallengerTests {
    private static let time = Timestamp(unixSeconds: Int64(1_777_636_800))

    @Test func `a person has one challenge at once, and it ends with its request`() async throws {
        try await WebhookSink.with { sink in
            sink.answer([.hang], then: .challenge)
            let policy = PushTargetPolicy(allowed: try #require(PushAllowList("127.0.0.0/8:\(sink.port)")))
            let target = try policy.register(sink.url())
            let challenger = Challenger(policy: policy, authorityFile: nil, limit: .seconds(3600))
            @Sendable func challenge(_ account: Int64) async throws -> ChallengeOutcome {
                try await challenger.challenge(
                    target, for: Account.ID(rawValue: account), signedWith: .generate(), at: Self.time)
            }
            let running = Task { try await challenger.run() }
            defer { running.cancel() }
            let hanging = Task {
                while true {
                    // Waits for the client.
                    do { return try await challenge(1) } catch let problem as Problem where problem.type == .unavailable
                    {
                        await Task.yield()
                    }
                }
            }
            _ = try await sink.requests(1)
            await #expect(throws: Problem.self) { try await challenge(1) }
            #expect(try await challenge(2) == .proven)
            hanging.cancel()
            _ = await hanging.result
            #expect(try await challenge(1) == .proven)
        }
    }
}
