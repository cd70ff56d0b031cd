import Crypto
import Instants
import Messaging
import PushClient
import ServiceKit
import Testing
import WaterQuality

@testable import Notifier

/// What Apple's answers mean, each of its reasons.
@Suite struct APNsVerdictTests {
    private let now = Timestamp(unixSeconds: Int64(1_700_000_000))
    private let registered = Timestamp(unixSeconds: Int64(1_699_000_000))

    private func verdict(
        _ status: Int, _ body: String?, isProven: Bool = true, retryAfter: String? = nil
    ) -> Verdict {
        .apns(
            PushReply(.response(status: status, retryAfter: retryAfter), body: body.map { Array($0.utf8) }),
            registeredAt: registered, isProven: isProven, now: now)
    }

    private static func status(_ reason: APNsReason) -> Int {
        switch reason {
        case .unregistered, .expiredToken: 410
        case .badPath: 404
        case .methodNotAllowed: 405
        case .payloadTooLarge: 413
        case .tooManyRequests, .tooManyProviderTokenUpdates: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        case .expiredProviderToken, .invalidProviderToken, .missingProviderToken, .unrelatedKeyID,
            .badEnvironmentKeyID, .badCertificate, .badCertificateEnvironment, .forbidden:
            403
        default: 400
        }
    }

    /// Only what is about one phone retires it, and only where that is certain.
    @Test(arguments: APNsReason.allCases) func `each reason has its verdict`(reason: APNsReason) {
        let status = Self.status(reason)
        let body = #"{"reason":"\#(reason.rawValue)","timestamp":1699500000000}"#
        for isProven in [true, false] {
            let verdict = verdict(status, body, isProven: isProven)
            let isGone =
                [.unregistered, .expiredToken].contains(reason)
                || isProven && [.badDeviceToken, .deviceTokenNotForTopic].contains(reason)
            #expect(verdict.outcome == (isGone ? .gone : .retry) && verdict.isRetriable == !isGone)
            let wait: Duration? =
                switch (isGone, status) {
                case (true, _): nil
                case (_, 429): .seconds(60)
                case (_, 500), (_, 503): .seconds(900)
                default: reason == .idleTimeout ? nil : .seconds(300)
                }
            #expect(verdict.retryAfter == wait)
            #expect(verdict.detail.count <= 300 && verdict.status == Int16(status))
        }
    }

    @Test func `an app that has registered since is not retired, nor where Apple does not say since when`() {
        for body in [
            #"{"reason":"Unregistered","timestamp":1699000000000}"#, #"{"reason":"Unregistered","timestamp":1}"#,
            #"{"reason":"Unregistered"}"#, #"{"reason":"Unregistered","timestamp":9223372036854775807}"#,
            #"{"reason":"Unregistered","timestamp":-1}"#, #"{"reason":"Unregistered","timestamp":"1699500000000"}"#,
            #"{"reason":"Other","timestamp":1699500000000}"#, "<html>gone</html>", "", nil,
        ] {
            let verdict = verdict(410, body)
            #expect(
                verdict.outcome == .retry && verdict.isRetriable && verdict.retryAfter == .seconds(300), "\(body ?? "")"
            )
        }
    }

    @Test func `no status alone retires a phone`() {
        for status in 100...999 {
            for body in [nil, "{}", #"{"reason":"BadDeviceTokens"}"#] {
                let verdict = verdict(status, body)
                #expect(verdict.outcome == ((200...299).contains(status) ? .accepted : .retry), "\(status)")
            }
        }
        #expect(verdict(503, nil, retryAfter: "3").retryAfter == .seconds(3))
        #expect(verdict(429, nil, retryAfter: "3").retryAfter == .seconds(3))
        #expect(verdict(403, nil, retryAfter: "3").retryAfter == .seconds(300))
        let silent = Verdict.apns(PushReply(.silence), registeredAt: registered, isProven: true, now: now)
        #expect(silent.outcome == .ambiguous)
    }

    // MARK: Tokens

    private func tokens() throws -> APNsTokens {
        let key = try #require(APNsKey(file: Array(Scene.appleKey.pemRepresentation.utf8)))
        return APNsTokens(
            APNsSettings(key: Renewable(key), keyID: "ABC123DEFG", teamID: "DEF123GHIJ", topic: "org.example.water"))
    }

    @Test func `a token serves for 50 minutes, whatever the clock on the wall does`() throws {
        let tokens = try tokens()
        let start = ContinuousClock.now
        let first = try tokens.token(at: now, now: start)
        #expect(try tokens.token(at: now - .seconds(86_400), now: start + .seconds(2999)) == first)
        #expect(try tokens.token(at: now + .seconds(86_400), now: start + .seconds(2999)) == first)
        let second = try tokens.token(at: now + .seconds(3000), now: start + .seconds(3000))
        #expect(second != first)
        #expect(try tokens.token(at: now, now: start + .seconds(5999)) == second)
    }

    @Test func `between two tokens are 20 minutes, but for one that Apple has called too old`() throws {
        let tokens = try tokens()
        let start = ContinuousClock.now
        let first = try tokens.token(at: now, now: start)
        #expect(try tokens.expire(first, at: now + .seconds(60), now: start + .seconds(60)))
        let second = try tokens.token(at: now, now: start + .seconds(60))
        #expect(second != first)
        // Others were sent with the first as well: the second is for them too.
        #expect(try tokens.expire(first, at: now, now: start + .seconds(61)))
        #expect(try !tokens.expire(second, at: now, now: start + .seconds(62)))
        #expect(try !tokens.expire(second, at: now, now: start + .seconds(60 + 1199)))
        #expect(try tokens.token(at: now, now: start + .seconds(60 + 1199)) == second)
        #expect(try tokens.expire(second, at: now, now: start + .seconds(60 + 1200)))
        let third = try tokens.token(at: now, now: start + .seconds(60 + 1200))
        #expect(third != second)
        #expect(try tokens.expire(third, at: now, now: start + .seconds(60 + 1201)))
    }

    // MARK: Texts

    @Test(arguments: ["水", "\"", "👩‍👩‍👧‍👦", "a", "\u{1}"])
    func `a text that is too long is cut, and what is beside it stays`(character: String) throws {
        let long = String(repeating: character, count: 5000)
        for words in [(title: "Koi", body: long), (title: long, body: "x"), (title: long, body: long)] {
            let message = Notice.Message(title: words.title, body: words.body)
            let body = try message.body(within: 4096) { words in
                try (["title": words.title, "body": words.body, "level": "critical"] as JSONObject).bytes()
            }
            #expect(body.count <= 4096 && body.count > 4000)
            #expect(String(decoding: body, as: UTF8.self).contains(#""level":"critical""#))
        }
    }
}
