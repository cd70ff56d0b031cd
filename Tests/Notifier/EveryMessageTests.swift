import Foundation
import TestSupport
import Testing
import WebPush

@testable import Notifier

/// What receivers and browsers read of each kind in each phase, byte for byte: a promise to them.
@Suite struct EveryMessageTests {
    private static var settings: NotifierSettings {
        var settings = Scene.settings
        settings.staleAfter = .seconds(86_400 * 3_650)
        return settings
    }

    private func sendAll(_ scene: Scene, _ webPush: WebPushSettings? = nil) async throws -> [WebhookSink.Request] {
        try await scene.notifying(Self.settings, webPush: webPush) {
            for number in 1...EveryAlert.count {
                try await scene.database.sql(
                    """
                    BEGIN;
                    DELETE FROM delivery_attempt; DELETE FROM delivery; DELETE FROM alert; DELETE FROM episode;
                    \(EveryAlert.adding(number...number, of: scene.account))
                    SELECT pg_notify('alert', '');
                    COMMIT
                    """)
                _ = try await scene.sink.requests(number)
                try await scene.await("delivered", "SELECT state FROM alert")
            }
            return scene.sink.received
        }
    }

    @Test func `every message to a webhook`() async throws {
        try await Scene.with { scene in
            try await scene.endpoint(1)
            let bodies = try await sendAll(scene).map { String(decoding: $0.body, as: UTF8.self) }
            #expect(bodies.joined(separator: "\n") == Self.webhooks)
        }
    }

    @Test func `every message to a browser`() async throws {
        try await Scene.with(.http2) { scene in
            let browser = try await scene.browser(1)
            let texts = try await sendAll(scene, scene.webPush()).map {
                try browser.read($0, at: scene.sink.port, vapidKey: Scene.vapidKeys.publicKeys[0]).text
            }
            #expect(texts.joined(separator: "\n") == Self.browsers)
        }
    }

    private static let webhooks = #"""
        """#

    private static let browsers = #"""
        """#
}
