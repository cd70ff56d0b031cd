import Instants
import Notifier
import PushClient
import Store
import Testing
import WaterQuality

@Suite struct VerdictTests {
    private let now = Timestamp(unixSeconds: Int64(1_000))

    /// The whole table: every status code has its verdict.
    @Test func `every status code`() {
        for status in 100...999 {
            let verdict = Verdict(.response(status: status), now: now)
            let expected: (Delivery.Outcome, Bool) =
                switch status {
                case 200...299: (.accepted, false)
                case 410: (.gone, false)
                default: (.retry, true)
                }
            #expect(verdict.outcome == expected.0, "\(status)")
            #expect(verdict.isRetriable == expected.1, "\(status)")
            #expect(verdict.status == Int16(status))
            #expect(verdict.retryAfter == nil)
        }
    }

    @Test(arguments: [
        (PushAnswer.noConnection(.timeout), Delivery.Outcome.retry), (.noConnection(.refused), .retry),
        (.noConnection(.encryption), .retry), (.broken, .retry), (.silence, .ambiguous), (.notPermitted, .refused),
        (.unusable("the stored secret is malformed"), .refused),
    ])
    func `without an answer`(answer: PushAnswer, outcome: Delivery.Outcome) {
        let verdict = Verdict(answer, now: now)
        #expect(verdict.outcome == outcome)
        #expect(verdict.isRetriable)
        #expect(verdict.status == nil)
        #expect(!verdict.detail.isEmpty && verdict.detail.count <= 300)
    }

    @Test(arguments: [
        ("0", 0), ("7", 7), ("600", 600), ("601", 600), ("99999999999999999999", 600),
        ("Thu, 01 Jan 1970 00:16:45 GMT", 5), ("Thu, 01 Jan 1970 00:16:00 GMT", 0),
        ("Fri, 01 Jan 2027 00:00:00 GMT", 600),
        ("-1", nil), ("1.5", nil), ("soon", nil), ("", nil), ("Thu, 32 Jan 1970 00:00:00 GMT", nil),
        ("Thu, 01 Jan 1970 00:16:45 CET", nil), ("Thursday, 01-Jan-70 00:16:45 GMT", nil),
    ])
    func `Retry-After`(text: String, seconds: Int?) {
        for status in [301, 408, 429, 503] {
            let verdict = Verdict(.response(status: status, retryAfter: text), now: now)
            #expect(verdict.retryAfter == seconds.map { Duration.seconds($0) })
        }
        #expect(Verdict(.response(status: 200, retryAfter: text), now: now).retryAfter == nil)
    }

    @Test(arguments: [(1, 5), (2, 10), (3, 20), (6, 160), (7, 300), (8, 300), (32_767, 300), (0, 5), (-1, 5)])
    func `waits double up to five minutes`(attempt: Int, seconds: Int) {
        #expect(RetrySchedule().bound(Int16(attempt)) == .seconds(seconds))
    }

    @Test(
        arguments: [
            (0.0, nil, 0), (0.5, nil, 5), (1.0, nil, 10), (0.0, 7, 7), (1.0, 7, 10), (0.5, 60, 60), (0.0, 600, nil),
        ] as [(Double, Int?, Int?)])
    func `the next attempt, never beyond the expiry`(random: Double, retryAfter: Int?, seconds: Int?) {
        let next = RetrySchedule().next(
            after: 2, retryAfter: retryAfter.map { .seconds($0) }, now: now, expiresAt: now + .seconds(600),
            random: random)
        #expect(next == seconds.map { RetrySchedule.Next.at(now + .seconds($0)) } ?? .stale)
    }
}
