import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Operators see the installation, and nobody's water.
@Suite(.timeLimit(.minutes(5))) struct OperationRouteTests {
    typealias Person = GatewayUnderTest.Person

    private static let base = "/api/v1/operation"
    private static let asked: [(HTTPMethod, String, JSON?)] = [
        (.GET, base, nil), (.GET, base + "/accounts", nil), (.GET, base + "/devices", nil),
        (.GET, base + "/audit", nil),
        (.POST, base + "/sign-out", ["email": "eve@example.org"]),
    ]

    /// Ada, who operates the installation.
    private static func ada(_ gateway: GatewayUnderTest) async throws -> Person {
        let ada = try await gateway.person("ada@example.org")
        try await gateway.database.sql("UPDATE account SET operates = true WHERE account_id = \(ada.account)")
        return ada
    }

    private static func all(_ gateway: GatewayUnderTest, _ person: Person) async throws -> [GatewayUnderTest.Reply] {
        var replies: [GatewayUnderTest.Reply] = []
        for (method, path, body) in asked {
            replies.append(try await gateway.request(method, path, person, json: body))
        }
        return replies
    }

    @Test func `whoever does not operate finds nothing, and whoever does needs the password, given lately`()
        async throws
    {
        try await GatewayUnderTest.with { gateway in
            let (ada, eve) = (try await Self.ada(gateway), try await gateway.person("eve@example.org"))
            #expect(try await Self.all(gateway, eve).allSatisfy { $0.status == 404 && $0.code == "not-found" })
            let token = try await gateway.personalToken(ada, scope: "write")
            let program = Person(account: ada.account, email: ada.email, session: ada.session, token: token)
            #expect(try await Self.all(gateway, program).allSatisfy { $0.code == "insufficient-scope" })
            try await gateway.age()
            #expect(try await Self.all(gateway, ada).allSatisfy { $0.code == "password-needed" })
            #expect(try await gateway.prove(ada).status == 204)
            #expect(try await Self.all(gateway, ada).allSatisfy { $0.status == 200 })
            let project = try await gateway.request(.GET, Self.base, ada, headers: ["Aqua-Project": "1"])
            #expect(project.status == 400 && project.code == "not-for-projects")
            // Taken at once.
            try await gateway.database.sql("UPDATE account SET operates = false")
            #expect(try await Self.all(gateway, ada).allSatisfy { $0.status == 404 })
        }
    }

    @Test func `the account says who operates, in the session that asks`() async throws {
        try await GatewayUnderTest.with { gateway in
            let (ada, eve) = (try await Self.ada(gateway), try await gateway.person("eve@example.org"))
            func operates(_ token: String) async throws -> JSON? {
                try await gateway.request(.GET, "/api/v1/account", token: token).json?["isOperator"]
            }
            #expect(try await operates(ada.token) == .bool(true))
            #expect(try await operates(eve.token) == .bool(false))
            #expect(try await operates(gateway.personalToken(ada, scope: "read")) == .bool(false))
            let events = try await gateway.request(.GET, "/api/v1/account/events", ada)
            let kinds = events.json?["items"]?.array?.compactMap { $0["kind"]?.string } ?? []
            #expect(kinds.contains("operatorGiven"), "\(events.text)")
        }
    }

    /// Each way to the water of somebody answers an operator as it answers a stranger.
    @Test func `an operator sees nobody's water`() async throws {
        try await GatewayUnderTest.with { gateway in
            let scene = try await ForeignScene(gateway)
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - interval '1 minute', now(), 77.77 FROM device WHERE hardware_id = 'pond-1';
                UPDATE account SET operates = true WHERE account_id = \(scene.eve.account)
                """)
            var tried = 0
            for route in GatewayAPI.make().routes
            where route.method == .get && route.access != .anyone && !route.path.description.hasPrefix("/operation") {
                for (person, foreign) in try scene.foreign(of: route)
                where person.account == scene.eve.account && foreign.isInPath {
                    let reply = try await gateway.ask(route, foreign.places, person)
                    #expect(reply.status == 404, "\(route.id) \(foreign.places): \(reply.status) \(reply.text)")
                    tried += 1
                }
                guard route.path.parameters.isEmpty, route.limit != .stream else { continue }
                let reply = try await gateway.ask(route, [:], scene.eve)
                #expect(!scene.secrets.contains { reply.text.contains($0) }, "\(route.id): \(reply.text)")
                #expect(!reply.text.contains("77.77"), "\(route.id)")
            }
            #expect(tried >= 20, "\(tried)")
        }
    }

    @Test func `what operators are told has no values, limits, names of tanks or words of journals`() async throws {
        try await PersonScene.with { scene in
            let gateway = scene.gateway
            let operates = try await Self.ada(gateway)
            _ = try await gateway.person("eve@example.org")
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, temperature)
                SELECT slot, 0, device_id, now() - interval '1 minute', now(), 77.77 FROM device;
                UPDATE ownership SET name = 'Secret carp';
                INSERT INTO journal_entry (slot, tank_id, entry_id, device_id, account_id, kind, happened_at, text)
                SELECT slot, tank_id, gen_random_uuid(), device_id, account_id, 'note', now(), 'Secret soup' FROM ownership
                """)
            let changed = try await scene.call(
                "changeParameter", as: scene.ada, path: ["device": "pond-1", "parameter": "temperature"],
                body: ["maximum": 87.5], headers: ["If-Match": "*"])
            #expect(changed.status == 200, "\(changed.json.text)")
            _ = try await scene.call(
                "setQuietHours", as: scene.ada,
                body: ["from": "21:37", "until": "06:00", "days": ["monday"], "silenceRings": false])
            let replies = try await Self.all(gateway, operates)
            for reply in replies {
                #expect(reply.status == 200, "\(reply.text)")
                for secret in ["77.77", "Secret", "87.5", "temperature"] {
                    #expect(!reply.text.contains(secret), "\(secret): \(reply.text)")
                }
            }
            let entries = replies[3].json?["items"]?.array ?? []
            let limit = try #require(entries.first { $0["action"]?.string == "limit.change" }, "\(replies[3].text)")
            #expect(limit["device"]?.string == "pond-1" && limit["actorName"]?.string == scene.ada.email)
            #expect(limit["account"]?.string == scene.ada.email && limit["isOwn"] == .bool(false))
            #expect(limit["changes"] == [] && limit["subject"] == .null && limit["parameter"] == .null)
            // Of accounts it is told what changed; the session in which it was done nobody else needs.
            let role = try #require(entries.first { $0["action"]?.string == "operator.give" })
            #expect(role["changes"]?[0]?["field"]?.string == "operates" && role["account"]?.string == operates.email)
            #expect(entries.allSatisfy { $0["session"] == .null })
            let filtered = try await gateway.request(
                .GET, Self.base + "/audit?account=\(scene.ada.email)&action=limit", operates)
            #expect(filtered.json?["items"]?.array?.count == 1, "\(filtered.text)")
            let nobody = try await gateway.request(.GET, Self.base + "/audit?account=nobody@example.org", operates)
            #expect(nobody.json?["items"] == [])
        }
    }

    @Test func `people and devices are found by their beginnings, page by page`() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await Self.ada(gateway)
            let eve = try await gateway.person("eve@example.org")
            try await gateway.link("pond-1", to: eve)
            try await gateway.link("pond-2", to: eve)
            try await gateway.link("pond_3", to: eve)
            try await gateway.database.sql(
                """
                INSERT INTO sample (slot, flags, device_id, event_time, received_at, ph)
                SELECT slot, 0, device_id, now() - interval '1 minute', now(), 7 FROM device WHERE hardware_id <> 'pond-2';
                INSERT INTO device_life (slot, device_id, family, version, noted_at)
                SELECT slot, device_id, 'esphome', '2026.4', now() FROM device WHERE hardware_id = 'pond-1';
                INSERT INTO device_reject (slot, device_id, day, reason, subject, messages, first_at, last_at, topic, detail, payload)
                SELECT slot, device_id, current_date, 'malformed', '', 12, now(), now(), 't', 'd', '' FROM device WHERE hardware_id = 'pond-1';
                UPDATE ownership SET unlinked_at = now() WHERE device_id = (SELECT device_id FROM device WHERE hardware_id = 'pond_3')
                """)
            let first = try await gateway.request(.GET, Self.base + "/devices?id=pond-&limit=1", ada)
            let pond = try #require(first.json?["items"]?[0], "\(first.text)")
            #expect(pond["id"]?.string == "pond-1" && pond["standing"]?.string == "live" && pond["rejected"] == 12)
            #expect(pond["family"]?.string == "esphome" && pond["owner"]?.string == eve.email)
            let cursor = try #require(first.json?["next"]?.string)
            let next = try await gateway.request(.GET, Self.base + "/devices?id=pond-&limit=1&cursor=\(cursor)", ada)
            #expect(
                next.json?["items"]?[0]?["standing"]?.string == "unheard" && next.json?["next"] == .null, "\(next.text)"
            )
            let unlinked = try await gateway.request(.GET, Self.base + "/devices?id=pond_", ada)
            let left = try #require(unlinked.json?["items"]?[0])
            #expect(left["standing"]?.string == "unlinked" && left["owner"] == .null, "\(unlinked.text)")
            let found = try await gateway.request(.GET, Self.base + "/accounts?email=EVE", ada)
            #expect(found.json?["items"]?.array?.count == 1, "\(found.text)")
            let account = found.json?["items"]?[0]
            #expect(account?["email"]?.string == eve.email && account?["devices"] == 2 && account?["sessions"] == 1)
            #expect(account?["isReached"] == .bool(false) && account?["isOperator"] == .bool(false))
            let page = try await gateway.request(.GET, Self.base + "/accounts?limit=1", ada)
            #expect(page.json?["items"]?[0]?["email"]?.string == ada.email && page.json?["next"]?.string != nil)
            // A character that means something to a pattern means itself.
            #expect(try await gateway.request(.GET, Self.base + "/accounts?email=%25", ada).json?["items"] == [])
        }
    }

    @Test func `figures count what waits, and the doctor's findings stand as it left them`() async throws {
        try await GatewayUnderTest.with { gateway in
            let ada = try await Self.ada(gateway)
            try await gateway.link("pond-1", to: ada)
            try await gateway.database.sql(
                """
                INSERT INTO evaluation_batch (slot, messages, received_at, readings) VALUES (3, 1, now() - interval '1 minute', '');
                INSERT INTO reject (position, reject_number, received_at, topic, reason, detail, payload)
                VALUES (0, 1, now(), 't', 'malformed', 'd', ''), (1, 2, now() - interval '2 hours', 't', 'malformed', 'd', '');
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret) VALUES (7, \(ada.account), 'webhook', 'https://a.example/', '');
                INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time, decided_at, state)
                SELECT 1, \(ada.account), n, gen_random_uuid(), 'test', 'test', now(), now(), now() - n * interval '20 hours', 'delivered'
                FROM generate_series(1, 2) n;
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
                SELECT slot, account_id, alert_id, 7, 'failed', now(), now() FROM alert;
                UPDATE operation SET looked_at = now(), findings = '[{"topic": "backup", "status": "wrong", "finding": "old", "mend": "Make one."}]'
                """)
            let reply = try await gateway.request(.GET, Self.base, ada)
            let shown = try #require(reply.json, "\(reply.text)")
            #expect(shown["readings"]?["count"] == 1 && shown["readings"]?["since"]?.string != nil, "\(reply.text)")
            #expect(shown["devices"] == ["live": 0, "silent": 0, "unheard": 1, "unlinked": 0], "\(reply.text)")
            #expect(shown["people"] == 1 && shown["projects"] == 0)
            #expect(shown["away"] == ["ingestor", "rules", "notifier"])
            #expect(shown["rejects"] == [["reason": "malformed", "count": 1]], "of the last hour")
            #expect(shown["sent"] == [["channel": "webhook", "state": "failed", "count": 1]], "of the last day")
            #expect(shown["lookedAt"]?.string != nil)
            #expect(
                shown["findings"]
                    == [["topic": "backup", "status": "wrong", "finding": "old", "mend": "Make one."]])
        }
    }

    @Test func `whoever is signed out everywhere keeps their alerts, and is told that an operator did it`() async throws
    {
        try await GatewayUnderTest.with { gateway in
            let (ada, eve) = (try await Self.ada(gateway), try await gateway.person("eve@example.org"))
            let token = try await gateway.personalToken(eve, scope: "read")
            try await gateway.database.sql(
                """
                UPDATE session SET client_id = '0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e' WHERE account_id = \(eve.account);
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, client_id)
                VALUES (7, \(eve.account), 'webhook', 'https://push.example/', '', '0198f3a2-5c1e-4b90-8d7e-3f4a5b6c7d8e')
                """)
            let path = Self.base + "/sign-out"
            #expect(try await gateway.request(.POST, path, ada, json: ["email": "nobody@example.org"]).status == 404)
            let done = try await gateway.request(.POST, path, ada, json: ["email": "EVE@example.org"])
            #expect(done.json == ["sessions": 1], "\(done.text)")
            #expect(try await gateway.request(.GET, "/api/v1/account", eve).status == 401)
            #expect(try await gateway.request(.GET, "/api/v1/account", token: token).status == 200)
            #expect(try await gateway.ask("SELECT paused_at IS NULL FROM endpoint") == "t", "nobody is silenced")
            let again = try await signIn(gateway, eve.email)
            let log = try await gateway.request(.GET, "/api/v1/audit?action=session.end", token: again.accessToken)
            let entry = try #require(log.json?["items"]?[0], "\(log.text)")
            #expect(
                entry["actor"]?.string == "operator" && entry["actorName"] == .null && entry["isOwn"] == .bool(false))
            #expect(entry["network"] == .null && entry["request"] == .null && entry["session"] == .null)
            let events = try await gateway.request(.GET, "/api/v1/account/events", token: again.accessToken)
            #expect(events.json?["items"]?.array?.contains { $0["kind"]?.string == "signedOutElsewhere" } == true)
            let whole = try await gateway.request(.GET, Self.base + "/audit?action=session.end", ada)
            #expect(
                whole.json?["items"]?[0]?["actorName"]?.string == ada.email, "operators know each other: \(whole.text)")
        }
    }
}
