import Dispatch
import Foundation
import PushClient
import PushTargets
import ServiceKit
import Synchronization
import TestSupport
import Testing
import WaterQuality

@testable import Notifier

/// Name servers that never answer.
@Suite struct HangingNamesTests {
    /// A resolver whose names hang until it is released.
    private final class Resolver: Sendable {
        private let hanging = DispatchSemaphore(value: 0)
        private let names = Mutex<Set<String>>([])
        private let here: IPAddress

        init() throws {
            here = try #require(IPAddress("127.0.0.1"))
        }

        var asked: Set<String> { names.withLock(\.self) }

        func ask(_ name: String) -> [IPAddress] {
            names.withLock { _ = $0.insert(name) }
            guard name.hasPrefix("hangs") else { return [here] }
            hanging.wait()
            hanging.signal()
            return []
        }

        func release() { hanging.signal() }
    }

    /// Twenty hosts of one account and one host of each of twenty accounts, with several alerts for each.
    @Test func `another account's alert does not wait for them`() async throws {
        try await Scene.with { scene in
            let resolver = try Resolver()
            defer { resolver.release() }
            var settings = Scene.settings
            settings.ask = { resolver.ask($0) }
            // No attempt is given up before the end of this test.
            settings.limits.connect = .seconds(3600)
            settings.limits.total = .seconds(3600)
            settings.lease = .seconds(100_000)
            try await scene.endpoint(1, url: "http://good.invalid:\(scene.sink.port)/1")
            for number in 2..<42 {
                let account = try await scene.ask(
                    """
                    INSERT INTO account (email, password_hash) VALUES ('\(number)@example.com', 'scrypt$')
                    ON CONFLICT DO NOTHING RETURNING account_id
                    """)
                let owner = try await number < 22 ? scene.ask("SELECT min(account_id) + 1 FROM account") : account
                try await scene.endpoint(
                    Int64(number), url: "http://hangs-\(number).invalid:\(scene.sink.port)/", account: Int64(owner))
            }
            let tests = """
                INSERT INTO alert (slot, account_id, alert_id, kind, purpose, opened_at, event_time)
                SELECT account_id % 64, account_id, 1000 + n, 'test', 'test', now(), now()
                FROM (SELECT DISTINCT account_id FROM endpoint WHERE endpoint_id > 1) a, generate_series(1, 8) n;
                SELECT pg_notify('alert', '')
                """
            try await scene.notifying(settings) {
                try await scene.database.sql(tests)
                try await awaitFact("hanging look-ups") { resolver.asked.count >= 22 ? true : nil }
                try await scene.alarms()
                #expect(try await scene.sink.requests(1).map(\.path) == ["/1"])
                resolver.release()
            }
        }
    }

    /// Everybody's messages to apps wait for Google's token, whoever's message is the first.
    @Test func `the token for all apps is asked for though its first message is of somebody whose names hang`()
        async throws
    {
        try await Scene.with(.http2) { scene in
            let resolver = try Resolver()
            defer { resolver.release() }
            var settings = Scene.settings
            settings.ask = { resolver.ask($0) }
            settings.limits.connect = .seconds(3600)
            settings.limits.total = .seconds(3600)
            settings.lease = .seconds(100_000)
            let google = try GoogleMessaging(scene.sink)
            let file = String(decoding: try google.accountFile, as: UTF8.self)
                .replacing("127.0.0.1", with: "token.invalid")
            let account = try #require(ServiceAccount(file: Array(file.utf8)))
            let fcm = FCMSettings(account: Renewable(account), server: google.origin)
            for number in Int64(1)...4 {
                try await scene.endpoint(number, url: "https://hangs-\(number).invalid:\(scene.sink.port)/")
            }
            try await scene.notifying(settings, fcm: fcm) {
                try await scene.alarms()
                try await awaitFact("hanging look-ups") { resolver.asked.count == 4 ? true : nil }
                try await scene.app(5, on: .fcm, token: "eYx0:APA91b-" + String(repeating: "k", count: 130))
                try await scene.alarms(2...2)
                try await awaitFact("the look-up of Google's name") {
                    resolver.asked.contains("token.invalid") ? true : nil
                }
                resolver.release()
            }
        }
    }
}
