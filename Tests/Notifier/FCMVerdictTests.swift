import Foundation
import Instants
import PushClient
import Synchronization
import Testing
import WaterQuality

@testable import Notifier

/// What Google's answers mean.
@Suite struct FCMVerdictTests {
    private let now = Timestamp(unixSeconds: Int64(1_700_000_000))

    private func verdict(
        _ status: Int, _ code: String? = nil, field: String? = nil, isProven: Bool = true, retryAfter: String? = nil
    ) -> Verdict {
        let details = [
            code.map { #"{"@type":"x","errorCode":"\#($0)"}"# },
            field.map { #"{"@type":"y","fieldViolations":[{"field":"\#($0)"}]}"# },
        ].compactMap(\.self).joined(separator: ",")
        let body = #"{"error":{"code":\#(status),"status":"X","details":[\#(details)]}}"#
        return .fcm(
            PushReply(.response(status: status, retryAfter: retryAfter), body: Array(body.utf8)), isProven: isProven,
            now: now, random: 1)
    }

    private static let codes: [String?] = [
        nil, "UNREGISTERED", "SENDER_ID_MISMATCH", "INVALID_ARGUMENT", "QUOTA_EXCEEDED", "UNAVAILABLE", "INTERNAL",
        "THIRD_PARTY_AUTH_ERROR", "UNSPECIFIED_ERROR", "ANOTHER",
    ]

    /// Every status with every code: what retires, and nothing else does.
    @Test(arguments: FCMVerdictTests.codes) func `only what is about one phone retires it`(code: String?) {
        for status in 100...999 {
            let cases: [(Bool, String?)] = [
                (true, nil), (false, nil), (true, "message.token"), (false, "message.data"),
            ]
            for (isProven, field) in cases {
                let verdict = verdict(status, code, field: field, isProven: isProven)
                let isGone =
                    status == 404 && code == "UNREGISTERED"
                    || status == 403 && code == "SENDER_ID_MISMATCH" && isProven
                    || status == 400 && field == "message.token" && code != "THIRD_PARTY_AUTH_ERROR"
                let isAccepted = (200...299).contains(status)
                #expect(
                    verdict.outcome == (isAccepted ? .accepted : isGone ? .gone : .retry),
                    "\(status) \(code ?? "") \(field ?? "")")
                #expect(verdict.isRetriable == !(isAccepted || isGone) && verdict.detail.count <= 300)
            }
        }
    }

    @Test func `waits are those that Google names, and Google's own go before`() {
        #expect(verdict(429, "QUOTA_EXCEEDED").retryAfter == .seconds(60))
        #expect(verdict(429, "QUOTA_EXCEEDED", retryAfter: "9").retryAfter == .seconds(9))
        #expect(verdict(503, "UNAVAILABLE").retryAfter == .seconds(15))
        #expect(verdict(500, "INTERNAL", retryAfter: "4").retryAfter == .seconds(4))
        #expect(verdict(502).retryAfter == nil)
        let refusals: [(Int, String?)] = [
            (400, "INVALID_ARGUMENT"), (401, nil), (403, nil), (404, nil), (410, nil), (413, nil),
        ]
        for (status, code) in refusals {
            #expect(verdict(status, code).retryAfter == .seconds(300), "\(status)")
        }
        let html = PushReply(.response(status: 404), body: Array("<html>".utf8))
        #expect(Verdict.fcm(html, isProven: true, now: now, random: 0).outcome == .retry)
        #expect(Verdict.fcm(PushReply(.silence), isProven: true, now: now, random: 0).outcome == .ambiguous)
    }

    // MARK: Tokens

    @Test func `however many wait, a token is asked for once, and again five minutes before its end`() async {
        let tokens = FCMTokens()
        let asked = Mutex(0)
        let ask: @Sendable () async -> Result<FCMGrant.Token, FCMGrant.Refusal> = {
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            for _ in 0..<100 { await Task.yield() }
            return .success(.init(text: "t\(number)", lasts: .seconds(3600)))
        }
        let all = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { try? await tokens.token(ask: ask).get() } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(all == ["t1"])
        let soon = await tokens.token(now: .now + .seconds(3290), ask: ask)
        #expect(soon == .success("t1"))
        let late = await tokens.token(now: .now + .seconds(3301), ask: ask)
        #expect(late == .success("t2"))
        // One that is not in use any more is not forgotten again.
        await tokens.forget("t1")
        let kept = await tokens.token(ask: ask)
        #expect(kept == .success("t2"))
        await tokens.forget("t2")
        let next = await tokens.token(ask: ask)
        #expect(next == .success("t3"))
    }

    @Test func `a refusal is kept for ten seconds`() async {
        let tokens = FCMTokens()
        let refusal = FCMGrant.Refusal(.unusable("no"))
        let first = await tokens.token { .failure(refusal) }
        #expect(first == .failure(refusal))
        let next = await tokens.token { .success(.init(text: "t", lasts: .seconds(3600))) }
        #expect(next == .failure(refusal))
        let later = await tokens.token(now: .now + .seconds(11)) { .success(.init(text: "t", lasts: .seconds(3600))) }
        #expect(later == .success("t"))
    }

    @Test func `a grant that says nothing is none, and one that is not answered sends nothing`() {
        func token(_ answer: PushAnswer, _ body: String? = nil) -> Result<FCMGrant.Token, FCMGrant.Refusal> {
            FCMGrant.token(in: PushReply(answer, body: body.map { Array($0.utf8) }))
        }
        let fine = token(.response(status: 200), #"{"access_token":"a","expires_in":99999}"#)
        #expect(fine == .success(.init(text: "a", lasts: .seconds(3600))))
        for body in [nil, "", "{}", #"{"access_token":""}"#, #"{"access_token":"a\r\nx: y"}"#, #"{"access_token":1}"#] {
            guard case .failure(let refusal) = token(.response(status: 200), body), case .unusable = refusal.answer
            else {
                Issue.record("\(body ?? "")")
                continue
            }
        }
        #expect(token(.silence) == .failure(.init(.noConnection(.timeout))))
        #expect(token(.broken) == .failure(.init(.noConnection(.timeout))))
        #expect(
            token(.response(status: 500, retryAfter: "5")) == .failure(.init(.response(status: 503, retryAfter: "5"))))
        if case .failure(let refusal) = token(.response(status: 401)), case .unusable = refusal.answer {
        } else {
            Issue.record("a refused grant")
        }
    }
}
