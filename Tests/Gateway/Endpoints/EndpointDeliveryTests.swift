import Routes
import TestSupport
import Testing

@testable import Gateway

/// What an endpoint took of the last seven days, and what it did not.
@Suite struct EndpointDeliveryTests {
    @Test func `a message is taken or not, in the six hours of its decision`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            // hours ago, the state of the delivery, the attempts
            try await Self.add(1, hoursAgo: 1, "accepted", [(200, "accepted")], scene)
            try await Self.add(2, hoursAgo: 2, "stale", [(503, "retry"), (nil, "refused")], scene)
            try await Self.add(3, hoursAgo: 8, "pending", [(401, "retry")], scene)
            try await Self.add(4, hoursAgo: 9, "cancelled", [(nil, "ambiguous"), (nil, "refused")], scene)
            try await Self.add(5, hoursAgo: 9, "failed", [(410, "gone")], scene)
            // Neither: nothing was sent yet, or it was given up before.
            try await Self.add(6, hoursAgo: 10, "pending", [], scene)
            try await Self.add(7, hoursAgo: 10, "cancelled", [(nil, "refused")], scene)
            // A phone said that it has it.
            try await Self.add(8, hoursAgo: 11, "stale", [(nil, "ambiguous")], scene)
            try await scene.database.sql("UPDATE delivery SET arrived_at = now() WHERE alert_id = 8")
            // Too long ago, another endpoint's, and a test.
            try await Self.add(9, hoursAgo: 169, "failed", [(410, "gone")], scene)
            try await Self.add(10, hoursAgo: 3, "accepted", [(200, "accepted")], endpoint: 72, scene)
            try await Self.add(11, hoursAgo: 163, "failed", [(404, "gone")], isTest: true, scene)

            let reply = try await Self.ask(71, as: scene.ada, scene)
            #expect(reply.status == 200, "\(reply.json.text)")
            let periods = try #require(reply.json["periods"]?.array)
            let counts = periods.map { [$0["taken"]?.integer, $0["untaken"]?.integer] }
            #expect(counts.count == 28)
            #expect(counts.last == [1, 1] && counts[26] == [1, 3] && counts[0] == [0, 1], "\(reply.json.text)")
            #expect(counts[1..<26].allSatisfy { $0 == [0, 0] })
            let untaken = try #require(reply.json["untaken"]?.array)
            let told = untaken.map { alert in
                [
                    alert["id"]?.string.map { String($0.suffix(1)) }, alert["delivery"]?.string,
                    alert["outcome"]?.string, alert["status"]?.text,
                ]
            }
            #expect(
                told == [
                    ["2", "stale", "retry", "503"], ["3", "pending", "retry", "401"], ["5", "failed", "gone", "410"],
                    ["4", "cancelled", "ambiguous", "null"],
                ], "\(told)")
            #expect(untaken.allSatisfy { $0["title"]?.string?.isEmpty == false })
            #expect(untaken.allSatisfy { $0["device"]?["name"]?.string != nil })
        }
    }

    @Test func `at most twenty alerts are listed, and messages are counted as far back as is said`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            try await scene.database.sql(
                """
                SET session_replication_role = replica;
                INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, device_id, episode_id, opened_at,
                    event_time, decided_at, state)
                SELECT o.slot, o.account_id, n, md5(n::text)::uuid, 'silence', 'alarm', o.device_id, n, now(), now(),
                    now() - n * interval '1 minute', 'undelivered'
                FROM ownership o, generate_series(1, \(RecentDeliveries.most + 10)) n WHERE o.account_id = \(scene.ada.account);
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
                SELECT slot, account_id, alert_id, 71, 'stale', now(), now() FROM alert
                """)
            let reply = try await Self.ask(71, as: scene.ada, scene)
            #expect(reply.json["untaken"]?.array?.count == 20)
            let counted = reply.json["periods"]?.array?.compactMap { $0["untaken"]?.integer }.reduce(0, +)
            #expect(counted == Int64(RecentDeliveries.most), "\(reply.json.text)")
            let since = try #require(reply.json["since"]?.string)
            let begin = try #require(reply.json["periods"]?[0]?["begin"]?.string)
            #expect(since > begin, "\(since), \(begin)")
        }
    }

    @Test func `a weekly note that was refused is no alert that reached nobody`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            try await Self.add(1, hoursAgo: 1, "failed", [(410, "gone")], isTest: true, scene)
            try await scene.database.sql(
                "UPDATE alert SET kind = 'proof', purpose = 'note', about = '{webhook}' WHERE alert_id = 1")
            let reply = try await Self.ask(71, as: scene.ada, scene)
            #expect(reply.json["untaken"]?.array?.isEmpty == true, "\(reply.json.text)")
        }
    }

    @Test func `another person's endpoint is not there, and their alerts are nobody else's`() async throws {
        try await PersonScene.with { scene in
            try await Self.prepare(scene)
            try await Self.add(1, hoursAgo: 1, "failed", [(410, "gone")], scene)
            #expect(try await Self.ask(71, as: scene.bob, scene).status == 404)
            // It moved to another person: what it did not take before is not theirs to see.
            try await scene.database.sql("UPDATE endpoint SET account_id = \(scene.bob.account)")
            let moved = try await Self.ask(71, as: scene.bob, scene)
            #expect(moved.status == 200 && moved.json["untaken"]?.array?.isEmpty == true, "\(moved.json.text)")
            let counts = moved.json["periods"]?.array?.compactMap { $0["untaken"]?.integer }
            #expect(counts == Array(repeating: 0, count: 28))
        }
    }

    // MARK: Ada's endpoints 71 and 72

    private static func prepare(_ scene: PersonScene) async throws {
        try await scene.database.sql(
            """
            INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
            SELECT n, \(scene.ada.account), 'webhook', 'https://example.org/' || n, '' FROM generate_series(71, 72) n
            """)
    }

    /// An alert of Ada's device whose id ends with its number, and its delivery.
    private static func add(
        _ number: Int, hoursAgo: Int, _ state: String, _ attempts: [(status: Int?, outcome: String)],
        endpoint: Int = 71,
        isTest: Bool = false, _ scene: PersonScene
    ) async throws {
        let decided = "now() - interval '\(hoursAgo) hours'"
        let of = isTest ? "'test', 'test', NULL, NULL" : "'silence', 'alarm', o.device_id, \(number)"
        let tries = attempts.enumerated().map { place, attempt in
            let status = attempt.status.map(String.init) ?? "NULL"
            return """
                INSERT INTO delivery_attempt (slot, attempt, status, alert_id, endpoint_id, started_at, duration_us, outcome, detail)
                SELECT slot, \(place + 1), \(status), \(number), \(endpoint), \(decided), 1, '\(attempt.outcome)', ''
                FROM alert WHERE alert_id = \(number);
                """
        }
        try await scene.database.sql(
            """
            SET session_replication_role = replica;
            INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, device_id, episode_id, opened_at, event_time,
                decided_at, state)
            SELECT o.slot, o.account_id, \(number), lpad('\(number)', 32, '0')::uuid, \(of), \(decided), \(decided),
                \(decided), 'delivered'
            FROM ownership o WHERE o.account_id = \(scene.ada.account);
            INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
            SELECT slot, account_id, alert_id, \(endpoint), '\(state)', now(), \(state == "pending" ? "NULL" : "now()")
            FROM alert WHERE alert_id = \(number);
            \(tries.joined(separator: "\n"))
            """)
    }

    private static func ask(
        _ endpoint: Int, as person: PersonScene.Person, _ scene: PersonScene
    ) async throws -> PersonScene.Reply {
        try await scene.call("showEndpointDeliveries", as: person, path: ["endpoint": "\(endpoint)"])
    }
}
