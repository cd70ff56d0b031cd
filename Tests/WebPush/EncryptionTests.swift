import Crypto
import Foundation
import Secrets
import TestSupport
import Testing

@testable import WebPush

/// The specifications' own examples, and decryption of our messages by an independent program.
@Suite struct EncryptionTests {
    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64Text.bytes(text)) }

    /// RFC 8291, section 5 and appendix A.
    @Test func `the example of RFC 8291, byte for byte`() throws {
        let subscription = try #require(
            SubscriptionKeys(
                p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
                auth: "BTBZMqHH6r4Tts7J_aSIgg"))
        let message = try EncryptedMessage(
            Array("When I grow up, I want to be a watermelon".utf8), to: subscription, padding: 0,
            sender: P256.KeyAgreement.PrivateKey(
                rawRepresentation: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")),
            salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            message.body.base64URL
                == "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmY"
                + "WAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        )
        #expect(message.body.count == 144)
    }

    @Test func `the first example of RFC 8188`() throws {
        let body = try AES128GCMContent.seal(
            Array("I am the walrus".utf8), keyMaterial: SymmetricKey(data: bytes("yqdlZ-tYemfogSmv7Ws5PQ")),
            salt: bytes("I1BsxtFttlv3u_Oo94xnmw"), keyID: [])
        #expect(body.base64URL == "I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: Paths.python), "no Python with http_ece"))
    func `PyPI http_ece reads messages of every length, and none of them says how long it is`() async throws {
        let browser = P256.KeyAgreement.PrivateKey()
        let secret = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let subscription = try #require(
            SubscriptionKeys(stored: Array(browser.publicKey.x963Representation) + secret))
        let lengths = [0, 1, 255, 256, 257, 1000, 2799, 2800] + (0..<24).map { _ in Int.random(in: 0...2800) }
        let texts = lengths.map { length in (0..<length).map { _ in UInt8.random(in: .min ... .max) } }
        let messages = try texts.map { try EncryptedMessage($0, to: subscription).body }
        for (length, message) in zip(lengths, messages) {
            let text = message.count - 103
            #expect((length...2800).contains(text) && (text % 256 == 0 || text == 2800), "\(length): \(text)")
        }
        #expect(Set(messages.map { Array($0.prefix(16)) }).count == messages.count, "a salt came twice")
        #expect(Set(messages.map { Array($0[21..<86]) }).count == messages.count, "a sender's key came twice")
        let script = """
            import base64, json, sys, http_ece
            from cryptography.hazmat.primitives.asymmetric import ec
            told = json.load(sys.stdin)
            key = ec.derive_private_key(int(told["key"], 16), ec.SECP256R1())
            for message in told["messages"]:
                text = http_ece.decrypt(base64.b64decode(message), private_key=key,
                    auth_secret=base64.b64decode(told["auth"]), version="aes128gcm")
                print(base64.b64encode(text).decode())
            """
        let told: [String: Any] = [
            "key": browser.rawRepresentation.map { String(format: "%02x", $0) }.joined(),
            "auth": Data(secret).base64EncodedString(), "messages": messages.map { Data($0).base64EncodedString() },
        ]
        let input = String(decoding: try JSONSerialization.data(withJSONObject: told), as: UTF8.self)
        let output = try await ProcessUnderTest.run(Paths.python, ["-c", script], input: input)
        let read = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(read == texts.map { Data($0).base64EncodedString() })
    }

    @Test func `what is too long is refused`() throws {
        let keys = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation) + [UInt8](repeating: 7, count: 16)
        let subscription = try #require(SubscriptionKeys(stored: keys))
        #expect(throws: ContentTooLong.self) {
            try EncryptedMessage([UInt8](repeating: 32, count: 2801), to: subscription)
        }
    }

    @Test func `keys of a subscription come in every spelling of base64, and only whole`() throws {
        let key = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation)
        let auth = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let stored = try #require(SubscriptionKeys(stored: key + auth))
        for (p256dh, secret) in [
            (key.base64URL, auth.base64URL), (Data(key).base64EncodedString(), Data(auth).base64EncodedString()),
            (key.base64URL + "=", auth.base64URL + "=="),
        ] {
            let read = try #require(SubscriptionKeys(p256dh: p256dh, auth: secret))
            #expect(read.bytes == key + auth && read.fingerprint == stored.fingerprint)
        }
        var offCurve = key
        offCurve[64] ^= 1
        let compressed = [UInt8(2)] + key[1...32]
        for (p256dh, secret) in [
            (offCurve, auth), (compressed, auth), (Array(key.dropLast()), auth), (key, Array(auth.dropLast())),
            (key, auth + [0]), ([], []), ([UInt8](repeating: 0, count: 65), auth),
        ] {
            #expect(SubscriptionKeys(p256dh: p256dh.base64URL, auth: secret.base64URL) == nil)
        }
        #expect(SubscriptionKeys(p256dh: "%%%", auth: auth.base64URL) == nil)
        #expect(SubscriptionKeys(p256dh: key.base64URL + "===", auth: auth.base64URL) == nil)
        let other = try #require(SubscriptionKeys(stored: key + auth.reversed() + []))
        #expect(other.fingerprint != stored.fingerprint)
    }
}
