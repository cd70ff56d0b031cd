import Crypto
import Foundation
import Instants
import PushTargets
import Secrets
import Testing

@testable import WebPush

@Suite struct VAPIDTests {
    private let now = Timestamp(unixSeconds: Int64(1_800_000_000))
    private let line = String(repeating: "5a", count: 32)

    /// RFC 8292, section 2.4, with the same check that our own tokens must pass below.
    @Test func `the example of RFC 8292 is signed by its key`() throws {
        let claims = try verified(
            "vapid t=eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3"
                + "NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1"
                + "JrErtmysazNjjvW2L9OkSSHzvoD1oA, "
                + "k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs")
        #expect(claims["aud"] as? String == "https://push.example.net")
        #expect(claims["exp"] as? Int == 1_453_523_768)
    }

    @Test(
        arguments: [
            ("https://fcm.googleapis.com/fcm/send/x", "https://fcm.googleapis.com"),
            ("https://FCM.googleapis.com:443/x?y", "https://fcm.googleapis.com"),
            ("https://push.example.org:8443/x", "https://push.example.org:8443"),
            ("https://[::1]:9/x", "https://[::1]:9"),
        ])
    func `a token is for one origin, for half a day, and says whom to write to`(url: String, origin: String) throws {
        let key = try #require(VAPIDKey(line))
        let subject = try #require(PushSubject("mailto:ops@water.example.org"))
        let token = try VAPIDToken(for: PushTarget(url), key: key, subject: subject, at: now)
        let claims = try verified(token.authorization)
        #expect(claims["aud"] as? String == origin)
        #expect(claims["sub"] as? String == "mailto:ops@water.example.org")
        let (exp, iat) = (try #require(claims["exp"] as? Int), try #require(claims["iat"] as? Int))
        #expect(iat == 1_800_000_000 && exp - iat == 12 * 3600)
        #expect(token.authorization.hasSuffix(", k=\(key.publicKey.text)"))
        #expect(token.isFresh(at: now) && token.isFresh(at: now + .seconds(5 * 3600)))
        #expect(!token.isFresh(at: now + .seconds(6 * 3600)), "it is renewed long before it ends")
        #expect(!token.isFresh(at: now - .seconds(1)), "it was signed under a clock that was wrong")
    }

    @Test func `without a subject there is none`() throws {
        let token = try VAPIDToken(
            for: PushTarget("https://fcm.googleapis.com/x"), key: try #require(VAPIDKey(line)), subject: nil, at: now)
        #expect(try verified(token.authorization)["sub"] == nil)
    }

    /// Apple refuses each of these with the same 403.
    @Test(arguments: [
        "", "ops@example.org", "mailto:", "mailto:ops", "mailto:@example.org", "mailto:ops@localhost",
        "mailto:ops@pond.local", "mailto:ops@example.invalid", "mailto:mailto:ops@example.org", "mailto:ops@10.0.0.1",
        "mailto:Ops <ops@example.org>", "mailto:<ops@example.org>", "mailto: ops@example.org", "mailto:a@b@example.org",
        "mailto:ops@example.org/x", "mailto:ops@example.org,b@example.org", "https://localhost", "https://127.0.0.1/",
        "https://pond.lan/", "http://water.example.org", "https://water.example.org:8443/", "tel:+34",
        "https://water.example.org/\"", "mailto:ops@water.test",
    ])
    func `a subject that Apple refuses`(text: String) {
        #expect(PushSubject(text) == nil)
    }

    @Test(arguments: ["mailto:ops@example.org", "MAILTO:ops+push@water.example.org", "https://water.example.org"])
    func `a subject that Apple accepts`(text: String) {
        #expect(PushSubject(text)?.text == text)
    }

    @Test func `keys stand newest first and are found by their id`() throws {
        let older = String(repeating: "17", count: 32)
        let keys = try #require(VAPIDKeys([line, older]))
        #expect(keys.publicKeys.count == 2 && keys.publicKeys[0].text == VAPIDKey(line)?.publicKey.text)
        for (text, key) in zip([line, older], keys.publicKeys) {
            #expect(key.id.wholeMatch(of: /[0-9a-f]{16}/) != nil && key.bytes.count == 65 && key.bytes[0] == 4)
            #expect(keys[key.id]?.publicKey.text == VAPIDKey(text)?.publicKey.text)
            #expect(VAPIDPublicKey(key.text) == key)
        }
        #expect(keys["0000000000000000"] == nil)
        #expect(VAPIDKeys([]) == nil && VAPIDKeys([line, "short"]) == nil)
        #expect(VAPIDKey(String(repeating: "00", count: 32)) == nil, "zero is no key")
        #expect(VAPIDKey(String(repeating: "ff", count: 32)) == nil, "beyond the curve's order")
        #expect(VAPIDPublicKey("BAAA") == nil)
    }

    /// The claims of a token, after checking that its key signed it.
    private func verified(_ authorization: String) throws -> [String: Any] {
        let match = try #require(authorization.wholeMatch(of: /vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)/))
        let key = try P256.Signing.PublicKey(
            x963Representation: try #require(Base64Text.bytes(String(match.output.3))))
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try #require(Base64Text.bytes(String(match.output.2))))
        #expect(key.isValidSignature(signature, for: Data(match.output.1.utf8)))
        let parts = match.output.1.split(separator: ".").map(String.init)
        let header = try JSONSerialization.jsonObject(with: Data(try #require(Base64Text.bytes(parts[0]))))
        #expect(header as? [String: String] == ["typ": "JWT", "alg": "ES256"])
        let claims = try JSONSerialization.jsonObject(with: Data(try #require(Base64Text.bytes(parts[1]))))
        return try #require(claims as? [String: Any])
    }
}
