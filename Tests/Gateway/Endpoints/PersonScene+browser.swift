import Crypto
import Foundation
import Routes
import Secrets
import TestSupport
import Testing
import WebPush

@testable import Gateway

/// A browser's subscription, as its `PushManager` gives it to a web app.
struct Subscription {
    var endpoint = "https://updates.push.services.mozilla.com/wpush/v2/\(UUID().uuidString)"
    var p256dh = Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation).base64URL
    var auth = (0..<16).map { _ in UInt8.random(in: .min ... .max) }.base64URL
    var key: String

    var body: JSON {
        .object([
            .init("endpoint", .string(endpoint)), .init("p256dh", .string(p256dh)), .init("auth", .string(auth)),
            .init("applicationServerKey", .string(key)),
        ])
    }
}

extension PersonScene {
    static func vapidKey(_ digits: String) throws -> VAPIDPublicKey {
        try #require(VAPIDKey(String(repeating: digits, count: 32))).publicKey
    }

    /// Announces keys as a Notifier does.
    func announce(_ keys: VAPIDPublicKey...) async throws {
        let rows = keys.enumerated().map { place, key in
            "('\(key.id)', '\\x\(key.bytes.map { String(format: "%02x", $0) }.joined())', \(place))"
        }
        try await database.sql(
            "TRUNCATE vapid_key; INSERT INTO vapid_key (key_id, public_key, position) VALUES \(rows.joined(separator: ","))"
        )
    }

    static func withKey(
        _ body: @Sendable @escaping (PersonScene, String) async throws -> Void
    ) async throws {
        try await with { scene in
            let key = try vapidKey("5a")
            try await scene.announce(key)
            try await body(scene, key.text)
        }
    }

    func put(_ subscription: Subscription, as person: Person) async throws -> Reply {
        try await call("registerPushSubscription", as: person, body: subscription.body)
    }

    func state(of person: Person) async throws -> String {
        try await ask(
            """
            SELECT coalesce(string_agg(endpoint_id || ' ' || registration || CASE WHEN paused_at IS NULL THEN '' ELSE ' paused' END
                || coalesce(' ' || retired_because, ''), ', ' ORDER BY endpoint_id), '') FROM endpoint
            WHERE account_id = \(person.account)
            """)
    }
}
