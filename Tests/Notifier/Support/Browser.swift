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
    private let keys = MessageKeys()

    var stored: [UInt8] { keys.publicKey + keys.secret }

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
            text: try keys.open(message.body))
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
