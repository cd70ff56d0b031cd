import FoundationEssentials
import Instants
import PushTargets
import Secrets
import TestSupport
import Testing

@testable import PushClient

/// The proof that a receiver belongs to the person who registers it.
@Suite struct ChallengeTests {
    private static let somebody = AskerID(rawValue: 1)
    private static let time = Timestamp(unixSeconds: Int64(1_777_636_800))

    private func challenge(
        _ sink: WebhookSink, secret: WebhookSecret = .generate(), allow: String? = nil, limit: Duration = .seconds(60)
    ) async throws -> ChallengeOutcome {
        let policy = PushTargetPolicy(allowed: try #require(PushAllowList(allow ?? "127.0.0.0/8:\(sink.port)")))
        let target = try policy.register(sink.url())
        return try await PushClient.with(policy: policy, authorityFile: sink.authorityFile) { client in
            try await client.challenge(
                target, for: Self.somebody, signedWith: secret, at: Self.time, within: limit)
        }
    }

    @Test(arguments: [WebhookSink.Transport.http1, .http2])
    func `a receiver that answers with the nonce is proven, and was asked by a signed message`(
        transport: WebhookSink.Transport
    ) async throws {
        try await WebhookSink.with(transport) { sink in
            sink.answer(then: .challenge)
            let secret = WebhookSecret.generate()
            let outcome = try await challenge(sink, secret: secret)
            #expect(outcome == .proven)
            let request = try #require(sink.received.first)
            #expect(sink.received.count == 1 && request.method == "POST" && request.path == "/hook")
            let verdict = secret.verify(
                id: request.header("webhook-id"), timestamp: request.header("webhook-timestamp"),
                signatures: request.header("webhook-signature"), body: request.body,
                now: Self.time.microseconds / 1_000_000)
            #expect(verdict == .valid)
            let body = String(decoding: request.body, as: UTF8.self)
            #expect(
                body.wholeMatch(
                    of:
                        /\{"data":\{"challenge":"[A-Za-z0-9_-]{43}"\},"timestamp":"2026-05-01T12:00:00Z","type":"endpoint.challenge"\}/
                ) != nil, "\(body)")
            #expect(request.header("webhook-id")?.contains(".") == false)
        }
    }

    @Test(
        arguments: [
            .status(200), .status(204), .body("{}"), .body("yes"), .body(#"{"challenge":"guessed"}"#),
            .body(#"{"challenge":1}"#), .status(302, location: "http://127.0.0.1/"), .status(404), .status(410),
            .status(500), .flood(bytes: 10_485_760),
        ] as [WebhookSink.Answer])
    func `every other answer proves nothing, and tells no more`(answer: WebhookSink.Answer) async throws {
        for transport in [WebhookSink.Transport.http1, .http2] {
            try await WebhookSink.with(transport) { sink in
                sink.answer(then: answer)
                let outcome = try await challenge(sink)
                #expect(outcome == .unproven)
                #expect(sink.received.count == 1)
            }
        }
    }

    /// The message contains the nonce, too, but elsewhere than the answer has to.
    @Test func `a server that returns what it is sent proves nothing`() throws {
        let challenge = EndpointChallenge.random()
        let message = try challenge.message(signedWith: .generate(), at: Self.time)
        let echo = PushReply(.response(status: 200), body: message.body)
        #expect(ChallengeOutcome(echo, to: challenge) == .unproven)
        let answer = PushReply(.response(status: 200), body: Array(#"{"challenge":"\#(challenge.nonce)"}"#.utf8))
        #expect(ChallengeOutcome(answer, to: challenge) == .proven)
        #expect(ChallengeOutcome(answer, to: .random()) == .unproven)
        let error = PushReply(.response(status: 500), body: answer.body)
        #expect(ChallengeOutcome(error, to: challenge) == .unproven)
        #expect(ChallengeOutcome(PushReply(.response(status: 200)), to: challenge) == .unproven)
    }

    @Test(arguments: [WebhookSink.Answer.hang, .close, .stall])
    func `who does not answer in time is not waited for`(answer: WebhookSink.Answer) async throws {
        try await WebhookSink.with { sink in
            sink.answer(then: answer)
            let outcome = try await challenge(sink, limit: .seconds(2))
            #expect(outcome == .unanswered)
        }
    }

    @Test func `nothing listens, or nothing may be called: one answer`() async throws {
        try await WebhookSink.with { sink in
            let policy = PushTargetPolicy(allowed: try #require(PushAllowList("127.0.0.0/8:*")))
            let here = try #require(IPAddress("127.0.0.1"))
            let elsewhere = try #require(IPAddress("10.0.0.1"))
            let closed = try #require(BoundSocket(listens: false))
            for (address, port) in [(here, closed.port), (elsewhere, sink.port)] {
                let target = try policy.register("http://receiver.invalid:\(port)/")
                let names = NameLookup { _ in [address] }
                let outcome = try await PushClient.with(policy: policy, names: names) { client in
                    try await client.challenge(
                        target, for: Self.somebody, signedWith: .generate(), at: Self.time)
                }
                #expect(outcome == .unreachable)
            }
            #expect(sink.received.isEmpty)
        }
    }
}
