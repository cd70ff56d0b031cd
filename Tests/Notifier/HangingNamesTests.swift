import Dispatch
import PushClient
import PushTargets
import Synchronization
import TestSupport
import Testing

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
}
