import Routes
import TestSupport
import Testing

@testable import Gateway

/// Routes of what a person is told regularly.
@Suite struct SummaryRoutesTests {
    private static let weekly: JSON = ["rhythm": "weekly", "weekday": "sunday", "at": "09:30", "weeklyNote": "all"]

    @Test func `nothing comes until it is chosen; it is shown as it was set, to its person alone`() async throws {
        try await PersonScene.with { scene in
            let none = try await scene.call("showSummary", as: scene.ada).json
            #expect(none["rhythm"]?.string == "off" && none["nextAt"] == .null && none["at"]?.string == "08:00")
            #expect(none["weeklyNote"]?.string == "push" && none["timeZone"]?.string == "Europe/Madrid", "\(none.text)")
            let set = try await scene.call("setSummary", as: scene.ada, body: Self.weekly)
            #expect(set.status == 200, "\(set.json.text)")
            for name in ["rhythm", "weekday", "at", "weeklyNote"] { #expect(set.json[name] == Self.weekly[name]) }
            #expect(
                try await scene.ask(
                    "SELECT to_char(next_at AT TIME ZONE 'Europe/Madrid', 'ID HH24:MI') FROM summary_choice")
                    == "7 09:30")
            #expect(try await scene.call("showSummary", as: scene.bob).json["rhythm"]?.string == "off", "hers alone")
            // What is left out is the standard.
            let daily = try await scene.call("setSummary", as: scene.ada, body: ["rhythm": "daily"])
            #expect(daily.json["at"]?.string == "08:00" && daily.json["weeklyNote"]?.string == "push")
            let off = try await scene.call("setSummary", as: scene.ada, body: ["rhythm": "off"])
            #expect(off.json["nextAt"] == .null)
        }
    }

    @Test func `its time moves out of quiet hours, and follows the time zone`() async throws {
        try await PersonScene.with { scene in
            _ = try await scene.call("setSummary", as: scene.ada, body: ["rhythm": "daily", "at": "06:00"])
            let at =
                "SELECT to_char(next_at AT TIME ZONE time_zone, 'HH24:MI') FROM summary_choice JOIN account USING (account_id)"
            #expect(try await scene.ask(at) == "06:00")
            let days: JSON = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
            _ = try await scene.call(
                "setQuietHours", as: scene.ada, body: ["from": "22:30", "until": "07:00", "days": days])
            #expect(try await scene.ask(at) == "07:00")
            _ = try await scene.call("changeSettings", as: scene.ada, body: ["timeZone": "Asia/Kathmandu"])
            #expect(["07:00", "06:00"].contains(try await scene.ask(at)))
            _ = try await scene.call("removeQuietHours", as: scene.ada)
            #expect(try await scene.ask("SELECT next_at >= now() - interval '1 minute' FROM summary_choice") == "t")
        }
    }

    @Test func `another time on the day of the last one is for the next day`() async throws {
        try await PersonScene.with { scene in
            _ = try await scene.call("setSummary", as: scene.ada, body: ["rhythm": "daily", "at": "00:01"])
            try await scene.database.sql(
                "UPDATE summary_choice SET told_on = (now() AT TIME ZONE 'Europe/Madrid')::date")
            _ = try await scene.call("setSummary", as: scene.ada, body: ["rhythm": "daily", "at": "23:59"])
            #expect(
                try await scene.ask(
                    "SELECT due_on = (now() AT TIME ZONE 'Europe/Madrid')::date + 1 FROM summary_choice") == "t")
        }
    }

    @Test func `what cannot be is refused`() async throws {
        try await PersonScene.with { scene in
            let refused: [(JSON, String)] = [
                (["rhythm": "hourly"], "not-a-choice"), (["rhythm": "daily", "at": "24:00"], "not-time-of-day"),
                (["rhythm": "weekly", "weekday": "someday"], "not-a-choice"), (["at": "08:00"], "missing"),
                (["rhythm": "daily", "weeklyNote": "loud"], "not-a-choice"),
            ]
            for (body, code) in refused {
                let reply = try await scene.call("setSummary", as: scene.ada, body: body)
                #expect(reply.status == 422 || reply.status == 400, "\(body.text)")
                #expect(reply.json.text.contains(code), "\(reply.json.text)")
            }
            #expect(try await scene.ask("SELECT count(*) FROM summary_choice") == "0")
        }
    }

    @Test func `one is sent at once, three in ten minutes, to a person with a way`() async throws {
        try await PersonScene.with { scene in
            try await scene.database.sql("UPDATE endpoint SET only_urgent = true WHERE channel <> 'webhook'")
            try await scene.database.sql(
                "UPDATE endpoint SET paused_at = now() WHERE channel = 'webhook' AND account_id = \(scene.ada.account)")
            let nowhere = try await scene.call("sendSummary", as: scene.ada)
            #expect(nowhere.status == 409 && nowhere.json.text.contains("no-endpoint"), "\(nowhere.json.text)")
            try await scene.database.sql("UPDATE endpoint SET paused_at = NULL")
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret)
                VALUES (9001, \(scene.ada.account), 'ntfy', 'https://ntfy.example/ada', '\\x01')
                """)
            for _ in 0..<3 {
                let sent = try await scene.call("sendSummary", as: scene.ada)
                #expect(sent.status == 202, "\(sent.json.text)")
            }
            let refused = try await scene.call("sendSummary", as: scene.ada)
            #expect(refused.status == 429 && refused.json.text.contains("too-many-summaries"), "\(refused.json.text)")
            #expect(
                try await scene.ask(
                    "SELECT count(*) || ' ' || count(DISTINCT account_id) FROM alert WHERE kind = 'summary'") == "3 1")
        }
    }

    @Test func `a way that confirms nothing any more says since when`() async throws {
        try await PersonScene.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO endpoint (endpoint_id, account_id, channel, target, sealed_secret, created_at, client_id, fingerprint,
                    vapid_key_id, confirmed_at, heard_at)
                VALUES (9002, \(scene.ada.account), 'webPush', 'https://push.example/1', '\\x01', now() - interval '90 days',
                    gen_random_uuid(), sha256('x'), '0123456789abcdef', now(), now() - interval '30 days');
                INSERT INTO alert (slot, account_id, alert_id, uid, kind, purpose, opened_at, event_time, decided_at, state, about)
                SELECT 1, \(scene.ada.account), nextval('alert_id'), gen_random_uuid(), 'proof', 'note', now(), now(),
                    now() - n * interval '7 days', 'delivered', '{webPush}' FROM generate_series(1, 2) n;
                INSERT INTO delivery (slot, account_id, alert_id, endpoint_id, state, expires_at, ended_at)
                SELECT slot, account_id, alert_id, 9002, 'accepted', now(), decided_at FROM alert WHERE kind = 'proof';
                """)
            func since() async throws -> JSON? {
                let list = try await scene.call("listEndpoints", as: scene.ada).json
                return list["items"]?.array?.first { $0["id"]?.text == "9002" }?["unconfirmedSince"]
            }
            #expect(try await since()?.string != nil)
            // That a way still works is no news, unless it is asked for.
            let all = try await scene.call("listAlerts", as: scene.ada).json["items"]?.array
            #expect(all?.contains { $0["kind"]?.string == "proof" } == false)
            let proofs = try await scene.call("listAlerts", as: scene.ada, query: "kind=proof").json["items"]?.array
            #expect(proofs?.count == 2)
            try await scene.database.sql("UPDATE endpoint SET heard_at = now() WHERE endpoint_id = 9002")
            #expect(try await since() == .null)
        }
    }
}
