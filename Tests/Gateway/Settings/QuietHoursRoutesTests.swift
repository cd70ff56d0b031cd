import Routes
import TestSupport
import Testing

@testable import Gateway

/// Routes of quiet hours, and which endpoints heed them.
@Suite struct QuietHoursRoutesTests {
    private static let night: JSON = [
        "from": "22:30", "until": "07:00", "days": ["monday", "sunday"], "silenceRings": false,
    ]

    @Test func `they are shown as they were set, until they are removed`() async throws {
        try await PersonScene.with { scene in
            let none = try await scene.call("showQuietHours", as: scene.ada).json
            #expect(none["hours"] == .null && none["waiting"]?.text == "0" && none["quietUntil"] == .null)
            #expect(none["timeZone"]?.string == "Europe/Madrid", "\(none.text)")
            let set = try await scene.call("setQuietHours", as: scene.ada, body: Self.night)
            #expect(set.status == 200, "\(set.json.text)")
            #expect(set.json["hours"]?.text == Self.night.text)
            #expect(try await scene.call("showQuietHours", as: scene.ada).json["hours"]?.text == Self.night.text)
            #expect(try await scene.call("showQuietHours", as: scene.bob).json["hours"] == .null, "hers alone")
            // What stands there is replaced; the silence of a device rings where nothing is said of it.
            let other = try await scene.call(
                "setQuietHours", as: scene.ada, body: ["from": "23:00", "until": "06:15", "days": ["friday"]])
            #expect(
                other.json["hours"]?["silenceRings"]?.bool == true && other.json["hours"]?["from"]?.string == "23:00")
            #expect(
                try await scene.ask("SELECT begins_at || ' ' || ends_at || ' ' || days FROM quiet_hours")
                    == "23:00:00 06:15:00 16")
            #expect(try await scene.call("removeQuietHours", as: scene.ada).status == 204)
            #expect(try await scene.call("removeQuietHours", as: scene.ada).status == 204, "the same again")
            #expect(try await scene.call("showQuietHours", as: scene.ada).json["hours"] == .null)
        }
    }

    @Test func `what cannot be is refused, and says what to do`() async throws {
        try await PersonScene.with { scene in
            let refused: [(JSON, String)] = [
                (["from": "22:30", "until": "22:30", "days": ["monday"]], "no-length"),
                (["from": "24:00", "until": "07:00", "days": ["monday"]], "not-time-of-day"),
                (["from": "2230", "until": "07:00", "days": ["monday"]], "too-short"),
                (["from": "22:30", "until": "07:00", "days": []], "too-few"),
                (["from": "22:30", "until": "07:00", "days": ["someday"]], "not-a-choice"),
            ]
            for (body, code) in refused {
                let reply = try await scene.call("setQuietHours", as: scene.ada, body: body)
                #expect(reply.status == 422 || reply.status == 400, "\(body.text)")
                #expect(reply.json.text.contains(code), "\(reply.json.text)")
            }
            #expect(try await scene.ask("SELECT count(*) FROM quiet_hours") == "0")
        }
    }

    @Test func `what is held back is told when the hours end as they are set now`() async throws {
        try await PersonScene.with { scene in
            _ = try await scene.call("setQuietHours", as: scene.ada, body: Self.night)
            try await scene.database.sql(
                """
                INSERT INTO gathering (account_id, began_at, reason, until_at)
                VALUES (\(scene.ada.account), now() - interval '1 minute', 'quietHours', now() + interval '5 hours');
                INSERT INTO episode (
                    slot, device_id, parameter, account_id, episode_id, kind, side, opened_at, last_at, worst, gathered)
                SELECT slot, device_id, 0, account_id, 1, 'range', 'high', now(), now(), 25.9, true
                FROM ownership WHERE account_id = \(scene.ada.account)
                """)
            let shown = try await scene.call("showQuietHours", as: scene.ada).json
            #expect(shown["waiting"]?.text == "1" && shown["waitingUntil"]?.string != nil, "\(shown.text)")
            #expect(try await scene.call("showQuietHours", as: scene.bob).json["waiting"]?.text == "0")
            #expect(try await scene.call("removeQuietHours", as: scene.ada).status == 204)
            #expect(try await scene.ask("SELECT until_at <= now() FROM gathering") == "t")
        }
    }

    @Test func `endpoints heed them unless their person says otherwise, webhooks never do`() async throws {
        try await PersonScene.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret) VALUES
                    (71, \(scene.ada.account), 'ntfy', 'https://ntfy.example.org/a', ''),
                    (72, \(scene.ada.account), 'webhook', 'https://hook.example.org/a', '')
                """)
            func heeds(_ endpoint: String) async throws -> Bool? {
                try await scene.call("showEndpoint", as: scene.ada, path: ["endpoint": endpoint]).json[
                    "heedsQuietHours"]?
                    .bool
            }
            #expect(try await heeds("71") == true)
            #expect(try await heeds("72") == false)
            let changed = try await scene.call(
                "changeEndpoint", as: scene.ada, path: ["endpoint": "71"], body: ["heedsQuietHours": false])
            #expect(changed.status == 200 && changed.json["heedsQuietHours"]?.bool == false, "\(changed.json.text)")
            #expect(try await heeds("71") == false)
            let refused = try await scene.call(
                "changeEndpoint", as: scene.ada, path: ["endpoint": "72"], body: ["heedsQuietHours": true])
            #expect(refused.status == 409)
            let foreign = try await scene.call(
                "changeEndpoint", as: scene.bob, path: ["endpoint": "71"], body: ["heedsQuietHours": true])
            #expect(foreign.status == 404)
            #expect(try await heeds("71") == false)
        }
    }

    @Test func `an endpoint hears of nothing but what is critical where its person says so, a webhook of everything`()
        async throws
    {
        try await PersonScene.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, only_urgent) VALUES
                    (71, \(scene.ada.account), 'sms', 'https://provider.example.org/a', '', true),
                    (72, \(scene.ada.account), 'webhook', 'https://hook.example.org/a', '', false)
                """)
            func change(
                _ endpoint: String, _ body: JSON, as person: PersonScene.Person
            ) async throws -> PersonScene.Reply {
                try await scene.call("changeEndpoint", as: person, path: ["endpoint": endpoint], body: body)
            }
            let ada = scene.ada
            let heeding = try await change("71", ["heedsQuietHours": false], as: ada)
            #expect(heeding.json["onlyUrgent"]?.bool == true && heeding.json["heedsQuietHours"]?.bool == false)
            let changed = try await change("71", ["onlyUrgent": false], as: ada)
            #expect(changed.json["onlyUrgent"]?.bool == false && changed.json["heedsQuietHours"]?.bool == false)
            #expect(try await change("71", [:], as: ada).json == changed.json)
            #expect(try await change("72", ["onlyUrgent": true], as: ada).code == "always-rings")
            #expect(try await change("71", ["onlyUrgent": true], as: scene.bob).status == 404)
            #expect(
                try await scene.ask("SELECT string_agg(only_urgent::text, ',' ORDER BY endpoint_id) FROM endpoint")
                    == "false,false")
        }
    }
}
