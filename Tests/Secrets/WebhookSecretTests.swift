import FoundationEssentials
import Secrets
import Testing

@Suite struct WebhookSecretTests {
    private let secret = WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    private let id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
    private let time: Int64 = 1_614_265_330
    private let body = Array(#"{"test": 2432232314}"#.utf8)
    private let signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

    @Test func `signs like the specification's vector`() throws {
        #expect(try #require(secret).signature(id: id, timestamp: time, body: body) == signature)
    }

    @Test func `verifies, among several signatures too`() throws {
        let secret = try #require(secret)
        for header in [signature, "v1,AAAA \(signature)", "v1a,\(signature.dropFirst(3)) \(signature)"] {
            #expect(
                secret.verify(id: id, timestamp: "\(time)", signatures: header, body: body, now: time + 299) == .valid)
        }
    }

    @Test(arguments: [
        (String?("x"), String?("1614265330"), String?(nil), Int64(0), WebhookSecret.Verdict.malformed),
        (nil, "1614265330", "v1,AAAA", 0, .malformed),
        ("x", "soon", "v1,AAAA", 0, .malformed),
        ("x", "1614265330", "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", 0, .forged),
        ("x", "1614265330", "v1,", 0, .forged),
        ("x", "1614265330", "v1,AAAA", 300, .outOfTime),
        ("x", "1614265330", "v1,AAAA", -300, .outOfTime),
    ])
    func `refuses`(
        id: String?, timestamp: String?, signatures: String?, offset: Int64, verdict: WebhookSecret.Verdict
    ) throws {
        let found = try #require(secret).verify(
            id: id, timestamp: timestamp, signatures: signatures, body: body, now: time + offset)
        #expect(found == verdict)
    }

    @Test(arguments: [(23, false), (24, true), (64, true), (65, false)])
    func `has 24 to 64 bytes`(length: Int, isAccepted: Bool) {
        let text = "whsec_" + Data(repeating: 7, count: length).base64EncodedString()
        #expect((WebhookSecret(text) != nil) == isAccepted)
    }

    @Test func `round trip, and each one new`() throws {
        let one = WebhookSecret.generate()
        #expect(WebhookSecret(one.text)?.bytes == one.bytes)
        #expect(one.bytes != WebhookSecret.generate().bytes)
        #expect("\(one)" == "(secret)")
        #expect(WebhookSecret("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw") == nil)
    }
}
