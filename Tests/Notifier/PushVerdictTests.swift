import Instants
import PushClient
import Testing
import WaterQuality

@testable import Notifier

@Suite struct PushVerdictTests {
    private let now = Timestamp(unixSeconds: Int64(1_000))

    /// The whole table: every status code has its verdict.
    @Test func `every status code of a push service`() {
        for status in 100...999 {
            let verdict = Verdict.webPush(.response(status: status), now: now)
            let expected: (Delivery.Outcome, Duration?) =
                switch status {
                case 200...299: (.accepted, nil)
                case 404, 410: (.gone, nil)
                case 400, 401, 403, 413: (.retry, .seconds(300))
                default: (.retry, nil)
                }
            #expect(verdict.outcome == expected.0 && verdict.retryAfter == expected.1, "\(status)")
            #expect(verdict.isRetriable == (expected.0 == .retry), "\(status)")
            #expect(verdict.status == Int16(status) && verdict.detail.count <= 300)
        }
        #expect(Verdict.webPush(.silence, now: now).outcome == .ambiguous)
        #expect(Verdict.webPush(.notPermitted, now: now).outcome == .refused)
    }

    /// The counts that the operator's alerts look at.
    @Test func `every status code is counted under its word`() {
        for status in 100...999 {
            let expected: PushServiceAnswer =
                switch status {
                case 200...299: .accepted
                case 404, 410: .gone
                case 400: .badRequest
                case 401: .unauthorized
                case 403: .forbidden
                case 413: .tooLarge
                case 406, 429, 503: .throttled
                default: .failed
                }
            #expect(PushServiceAnswer(.response(status: status)) == expected, "\(status)")
        }
        #expect(PushServiceAnswer(.silence) == .failed && PushServiceAnswer(.notPermitted) == .failed)
    }

    @Test(arguments: [406, 429, 503]) func `a pause is as long as was asked for`(status: Int) {
        let verdict = Verdict.webPush(.response(status: status, retryAfter: "7"), now: now)
        #expect(verdict.retryAfter == .seconds(7))
        #expect(PushServiceAnswer(.response(status: status)) == .throttled)
    }

    private let ada = Account.ID(rawValue: 1)
    private let ben = Account.ID(rawValue: 2)
    private let cleo = Account.ID(rawValue: 3)
    private let origin = "https://push.example.org"

    /// Windows, for one, throttles single browsers: a person who provokes that delays nobody else.
    @Test func `one person who is slowed down rests alone, several make it a rest for all`() {
        let pauses = OriginPauses()
        let start = ContinuousClock.now
        func slow(_ account: Account.ID, _ status: Int = 429) {
            pauses.note(
                .response(status: status, retryAfter: "60"), from: origin, to: account, receivedAt: now, now: start)
        }
        func rests(_ account: Account.ID, after seconds: Int = 0) -> Bool {
            pauses.rest(of: origin, for: account, now: start + .seconds(seconds)) != nil
        }
        slow(ada)
        slow(ada, 406)
        #expect(rests(ada) && !rests(ben))
        slow(ben)
        #expect(rests(ben) && !rests(cleo))
        // The service accepted something, so it does not throttle everybody.
        pauses.note(.response(status: 201), from: origin, to: cleo, receivedAt: now, now: start)
        slow(cleo)
        #expect(!rests(Account.ID(rawValue: 4)))
        slow(ada)
        slow(ben)
        #expect(rests(Account.ID(rawValue: 4)) && rests(Account.ID(rawValue: 4), after: 59))
        #expect(!rests(ada, after: 60) && !rests(Account.ID(rawValue: 4), after: 60))
        #expect(pauses.rest(of: "https://another.example.org", for: ada, now: start) == nil)
    }

    /// Each pays for an account of their own, and its limit is nobody else's; a person may well have two.
    @Test func `an account at a service rests alone, for whoever uses it, however many do`() {
        let pauses = OriginPauses()
        let start = ContinuousClock.now
        let customers = (0..<OriginPauses.quorum + 1).map { OriginPauses.Customer(credential: "AC-\($0):token") }
        for (number, customer) in customers.dropLast().enumerated() {
            pauses.note(
                .response(status: 429, retryAfter: "60"), from: origin, to: Account.ID(rawValue: Int64(number)),
                as: customer, receivedAt: now, now: start)
        }
        func rests(_ account: Account.ID, as customer: OriginPauses.Customer?) -> Bool {
            pauses.rest(of: origin, for: account, as: customer, now: start) != nil
        }
        let other = customers.last
        #expect(rests(ada, as: customers[0]) && rests(cleo, as: customers[0]))
        #expect(!rests(ada, as: other) && !rests(cleo, as: other) && !rests(ada, as: nil))
        // An outage is everybody's.
        pauses.note(
            .response(status: 503, retryAfter: "60"), from: origin, to: ada, as: customers[0], receivedAt: now,
            now: start)
        #expect(rests(cleo, as: other) && rests(ben, as: nil))
    }

    @Test func `a service that is unavailable rests for all at once, for ten minutes at most`() throws {
        let pauses = OriginPauses()
        let start = ContinuousClock.now
        pauses.note(
            .response(status: 503, retryAfter: "86400"), from: origin, to: ada, receivedAt: now, now: start)
        let rest = try #require(pauses.rest(of: origin, for: ben, now: start))
        #expect(rest >= .seconds(600) && rest <= .seconds(661))
        let other = OriginPauses()
        other.note(.response(status: 503), from: origin, to: ada, receivedAt: now, now: start)
        #expect(other.rest(of: origin, for: ben, now: start + .seconds(29)) != nil)
        #expect(other.rest(of: origin, for: ben, now: start + .seconds(30)) == nil)
        other.note(.response(status: 500), from: origin, to: ada, receivedAt: now, now: start + .seconds(40))
        #expect(other.rest(of: origin, for: ada, now: start + .seconds(40)) == nil)
    }

    /// Where the answer does not say for how long; otherwise as long as it says.
    @Test(arguments: [429, 500, 503], [nil, "7"])
    func `a pause before apps is as long as the message itself waits`(status: Int, retryAfter: String?) throws {
        let reply = PushReply(.response(status: status, retryAfter: retryAfter))
        let (apple, google) = (APNsFinding(reply), FCMFinding(reply))
        let waits = [
            Verdict.apns(reply, registeredAt: now, isProven: true, now: now).retryAfter,
            Verdict.fcm(reply, isProven: true, now: now, random: 0).retryAfter,
        ]
        let signs = [OriginPauses.Sign(apple, in: reply.answer), OriginPauses.Sign(google, in: reply.answer)]
        for (wait, sign) in zip(waits, signs) {
            let (pauses, start) = (OriginPauses(), ContinuousClock.now)
            func note(_ account: Account.ID) {
                pauses.note(
                    reply.answer, from: origin, to: account, saying: sign, receivedAt: now, now: start)
            }
            note(ada)
            let (wait, rest) = (try #require(wait), try #require(pauses.rest(of: origin, for: ada, now: start)))
            #expect(rest >= wait && rest <= wait * 1.1)
            // An error may be about one message.
            #expect((pauses.rest(of: origin, for: cleo, now: start) != nil) == (status == 503))
            note(ben)
            note(Account.ID(rawValue: 4))
            #expect(pauses.rest(of: origin, for: cleo, now: start) != nil)
        }
    }

    @Test(arguments: [("Koi", 3, "Koi"), ("Koi pond", 7, "Koi …"), ("水槽水槽", 9, "水槽…"), ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 30, "👩‍👩‍👧‍👦…")])
    func `a cut never divides a character`(text: String, bytes: Int, cut: String) {
        #expect(text.cut(toBytes: bytes) == cut)
    }
}
