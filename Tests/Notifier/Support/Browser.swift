import Crypto
import Foundation
import Instants
import Secrets
import ServiceKit
import TestSupport
import Testing
import WebPush

@testable import Notifier

/// A browser with a subscription at the scene's receiver, which acts as its push service.
struct Browser: Sendable {
    let path: String
    private let key = P256.KeyAgreement.PrivateKey()
    private let secret = (0..<16).map { _ in UInt8.random(in: .min ... .max) }

    var stored: [UInt8] { Array(key.publicKey.x963Representation) + secret }

    /// A message as a push service passes it on.
    struct Message: Sendable {
        let ttl: Int
        let topic: String
        let urgency: String
        let authorization: String
        /// The text as the service worker gets it.
        let text: String

        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
        }
        var notification: [String: Any] { json["notification"] as? [String: Any] ?? [:] }
    }

    /// Checks a request as strictly as a push service, and reads it as this browser.
    /// - Parameter vapidKey: The key with which it subscribed.
    func read(_ request: WebhookSink.Request, at port: Int, vapidKey: VAPIDPublicKey) throws -> Message {
        #expect(request.path == path)
        let message = try PushedMessage(request, origin: "https://127.0.0.1:\(port)", vapidKey: vapidKey.bytes)
        #expect(message.subject == "mailto:ops@water.example.org")
        return Message(
            ttl: message.ttl, topic: message.topic, urgency: message.urgency, authorization: message.authorization,
            text: try decrypt(message.body))
    }

    /// Decrypts by RFC 8291, on the browser's side.
    private func decrypt(_ body: [UInt8]) throws -> String {
        #expect(Array(body[16..<20]) == [0, 0, 16, 0])
        let (salt, sender, box) = (body[..<16], body[21..<86], body[86...])
        let shared = try key.sharedSecretFromKeyAgreement(with: .init(x963Representation: sender))
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret,
            sharedInfo: Array("WebPush: info\0".utf8) + key.publicKey.x963Representation + sender, outputByteCount: 32)
        func derive(_ info: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt, info: Array(info.utf8), outputByteCount: count)
        }
        let nonce = try derive("Content-Encoding: nonce\0", 12).withUnsafeBytes { try AES.GCM.Nonce(data: $0) }
        let padded = try AES.GCM.open(
            AES.GCM.SealedBox(nonce: nonce, ciphertext: box.dropLast(16), tag: box.suffix(16)),
            using: derive("Content-Encoding: aes128gcm\0", 16))
        let end = try #require(padded.lastIndex { $0 != 0 })
        #expect(padded[end] == 2 && padded.count <= 2801)
        return String(decoding: padded[..<end], as: UTF8.self)
    }
}

extension Scene {
    static let vapidLines = [String(repeating: "5a", count: 32), String(repeating: "17", count: 32)]

    static var vapidKeys: VAPIDKeys {
        get throws { try #require(VAPIDKeys(vapidLines)) }
    }

    /// - Parameter keys: The keys; the scene's two by default.
    func webPush(_ keys: Renewable<VAPIDKeys>? = nil, hosts: String? = nil) throws -> WebPushSettings {
        WebPushSettings(
            keys: try keys ?? Renewable(Self.vapidKeys), subject: PushSubject("mailto:ops@water.example.org"),
            origin: try #require(PublicOrigin("https://water.example.org")),
            hosts: try #require(PushHosts(adding: hosts ?? "127.0.0.1:\(sink.port)")))
    }

    /// Registers a browser as the Gateway does.
    /// - Parameter key: The position of its key among the scene's keys.
    @discardableResult
    func browser(_ number: Int64, url: String? = nil, account: Int64? = nil, key: Int = 0) async throws -> Browser {
        let browser = Browser(path: "/push/\(number)")
        let address = url ?? sink.url(path: browser.path)
        let sealed = try SealedSecret.seal(
            EndpointSecret(address: address, secret: browser.stored), with: Self.key, channel: "webPush",
            number: number)
        func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
        let keys = try #require(SubscriptionKeys(stored: browser.stored))
        try await database.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, fingerprint, vapid_key_id)
            VALUES (\(number), \(account ?? self.account), 'webPush', '\(address)',
                '\\x\(hexadecimal(sealed.bytes))', '\\x\(hexadecimal(keys.fingerprint))',
                '\(try Self.vapidKeys.publicKeys[key].id)')
            """)
        return browser
    }
}
