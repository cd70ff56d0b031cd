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
            try await PushClient.with(policy: policy) { client in
                let challenger = Challenger(client, limit: .seconds(3600))
                func challenge(_ account: Int64) async throws -> ChallengeOutcome {
                    try await challenger.challenge(
                        target, for: Account.ID(rawValue: account), signedWith: .generate(), at: Self.time)
                }
                let hanging = Task { try await challenge(1) }
                _ = try await sink.requests(1)
                await #expect(throws: Problem.self) { try await challenge(1) }
                #expect(try await challenge(2) == .proven)
                hanging.cancel()
                _ = await hanging.result
                #expect(try await challenge(1) == .proven)
            }
        }
    }
}
