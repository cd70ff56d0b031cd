import Foundation
import Secrets
import TestSupport
import Testing

/// Signatures of providers' requests to us.
@Suite struct CallbackSignatureTests {
    private static let token = "12345"
    private static let address = "https://mycompany.com/myapp.php?foo=1&bar=2"
    private static let fields = [
        ("CallSid", "CA1234567890ABCDE"), ("Digits", "1234"), ("From", "+14158675309"), ("To", "+18005551212"),
        ("Caller", "+14158675309"),
    ].map { (name: $0.0, value: $0.1) }

    @Test func `it is that of the documentation`() {
        let signed = CallbackSignature(of: Self.address, fields: Self.fields.reversed())
        #expect(signed.text(by: Self.token) == "RSOYDt4T1cUTdK1PDd93/VVr8B8=")
        #expect(signed.isValid("RSOYDt4T1cUTdK1PDd93/VVr8B8=", by: Self.token))
        for wrong in ["", "RSOYDt4T1cUTdK1PDd93/VVr8A8=", "RSOYDt4T1cUTdK1PDd93", "?", "AAAA"] {
            #expect(!signed.isValid(wrong, by: Self.token), "\(wrong)")
        }
        #expect(!signed.isValid("RSOYDt4T1cUTdK1PDd93/VVr8B8=", by: "12346"))
        for fields in [Array(Self.fields.dropLast()), Self.fields + [(name: "Digit", value: "1")], []] {
            #expect(
                !CallbackSignature(of: Self.address, fields: fields).isValid(
                    "RSOYDt4T1cUTdK1PDd93/VVr8B8=", by: Self.token))
        }
        #expect(
            !CallbackSignature(of: Self.address + "3", fields: Self.fields).isValid(
                "RSOYDt4T1cUTdK1PDd93/VVr8B8=", by: Self.token))
    }

    /// Providers sign addresses with or without the port.
    @Test(arguments: [
        ("https://water.example/x", "https://water.example:443/x", true),
        ("https://water.example:8443/x", "https://water.example/x", true),
        ("http://[::1]/x", "http://[::1]:80/x", true),
        ("https://water.example/x", "https://water.example:8443/x", false),
        ("https://water.example/x", "http://water.example/x", false),
        ("https://water.example/x", "https://water.example/y", false),
    ])
    func `a port is signed or not`(given: String, signed: String, isValid: Bool) {
        let signature = CallbackSignature(of: signed, fields: Self.fields).text(by: Self.token)
        #expect(CallbackSignature(of: given, fields: Self.fields).isValid(signature, by: Self.token) == isValid)
    }

    /// The same, computed by another program.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: Paths.python), "no Python"))
    func `another program signs alike`() async throws {
        let script = """
            import base64, hashlib, hmac, json, sys
            given = json.load(sys.stdin)
            text = given["address"] + "".join(name + value for name, value in sorted(given["fields"].items()))
            print(base64.b64encode(hmac.new(given["token"].encode(), text.encode(), hashlib.sha1).digest()).decode(), end="")
            """
        let fields = [
            "Digits": "1", "DigitsX": "", "CallSid": "CA7", "calledCity": "Kōbe 神戸", "From": "+1 & 2=3", "ß": "ü",
        ]
        let token = "a token of mine, ñ"
        let given: [String: Any] = ["address": Self.address, "token": token, "fields": fields]
        let input = String(decoding: try JSONSerialization.data(withJSONObject: given), as: UTF8.self)
        let output = try await ProcessUnderTest.run(Paths.python, ["-c", script], input: input)
        let signed = CallbackSignature(of: Self.address, fields: fields.map { (name: $0.key, value: $0.value) })
        #expect(output == signed.text(by: token))
    }

    @Test func `a call's link is of use in nothing else`() throws {
        let key = try #require(SecretKey(String(repeating: "5a", count: 32)))
        let other = try #require(SecretKey(String(repeating: "6b", count: 32)))
        let link = CallLink(answerToken: "5-17-1790000000-ab", endpoint: 71)
        let text = try link.text(sealedWith: key)
        #expect(CallLink(text, openedWith: SecretKeys(key)) == link)
        #expect(CallLink(text, openedWith: SecretKeys(other)) == nil)
        #expect(SealedLink.answer.token(of: text, openedWith: SecretKeys(key)) == nil)
        let answer = try SealedLink.answer.text(of: "71@5-17-1790000000-ab", sealedWith: key)
        #expect(CallLink(answer, openedWith: SecretKeys(key)) == nil)
        for nonsense in ["x", "71", "@", "x@y"] {
            #expect(
                CallLink(try SealedLink.call.text(of: nonsense, sealedWith: key), openedWith: SecretKeys(key)) == nil)
        }
    }
}
