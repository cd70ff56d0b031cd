import Foundation
import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Reminders of a tank that two people share.
@Suite struct ReminderRoutesTests {
    static let id = "0198f3a2-5c1e-4b90-8d7e-000000000001"
    static let place = ["device": "pond-1", "reminder": id]
    static func act(_ number: Int) -> [String: String] {
        place.merging(["act": "0198f3a2-5c1e-4b90-8d7e-10000000000\(number)"]) { $1 }
    }

    static func weekly(_ name: String = "Water change", _ rest: [JSON.Member] = []) -> JSON {
        .object(
            [
                .init("name", .string(name)), .init("activity", "waterChange"),
                .init("rhythm", ["every": "day", "interval": 1]), .init("at", "00:00"), .init("zone", "europe/madrid"),
                .init("startsOn", "2026-01-01"),
            ] + rest)
    }

    /// Ada and Bob share the tank.
    static func with(_ body: @Sendable @escaping (PersonScene) async throws -> Void) async throws {
        try await PersonScene.with { scene in
            try await scene.gateway.link("pond-1", to: scene.bob, role: "watcher")
            try await body(scene)
        }
    }

    /// The midnight at which the reminder of today began, by the clock of Madrid.
    static func today(_ scene: PersonScene) async throws -> String {
        try await scene.ask("SELECT to_char(now() AT TIME ZONE 'Europe/Madrid', 'YYYY-MM-DD') || 'T00:00'")
    }

    /// Has a reminder whose occurrence of today is open.
    static func due(_ scene: PersonScene) async throws -> String {
        let made = try await scene.call("setReminder", as: scene.ada, path: place, body: weekly())
        #expect(made.status == 201, "\(made.json.text)")
        try await scene.database.sql(
            "UPDATE reminder SET since = since - interval '3 days', looked_at = looked_at - interval '3 days'")
        return try await today(scene)
    }

    @Test func `what is sent twice counts once, and a change names the version it knows`() async throws {
        try await Self.with { scene in
            let made = try await scene.call("setReminder", as: scene.ada, path: Self.place, body: Self.weekly())
            #expect(made.status == 201 && made[header: "ETag"] == "\"v1\"", "\(made.json.text)")
            #expect(made.json["zone"]?.string == "Europe/Madrid" && made.json["state"]?.string == "ahead")
            #expect(made.json["rhythm"] == ["every": "day", "interval": 1])
            let again = try await scene.call("setReminder", as: scene.ada, path: Self.place, body: Self.weekly())
            #expect(again.status == 200 && again.json["version"]?.integer == 1)
            let blind = try await scene.call("setReminder", as: scene.bob, path: Self.place, body: Self.weekly("Feed"))
            #expect(blind.status == 412 && blind[header: "ETag"] == "\"v1\"", "\(blind.json.text)")
            let path = "/api/v1/devices/pond-1/reminders/\(Self.id)"
            let change = try await scene.gateway.request(
                .PUT, path, scene.bob, json: Self.weekly("Feed"), headers: ["If-Match": "\"v1\""])
            #expect(change.status == 200 && change.json?["name"]?.string == "Feed", "\(change.text)")
            #expect(try await scene.ask("SELECT version FROM reminder") == "2")
            let list = try await scene.call("listReminders", as: scene.bob, path: ["device": "pond-1"]).json
            #expect(list.array?.count == 1 && list.array?[0]["name"]?.string == "Feed", "\(list.text)")
        }
    }

    @Test func `who is told is the maker and the owner, and nobody is chosen by others`() async throws {
        try await Self.with { scene in
            let made = try await scene.call("setReminder", as: scene.bob, path: Self.place, body: Self.weekly())
            let told = made.json["who"]?.array ?? []
            #expect(told.count == 2, "\(made.json.text)")
            let bobs = try #require(told.first { $0["isMe"] == true }?["id"]?.string)
            let path = "/api/v1/devices/pond-1/reminders/\(Self.id)"
            let alone = Self.weekly("Water change", [.init("who", .array([.string(bobs)]))])
            let refused = try await scene.gateway.request(
                .PUT, path, scene.bob, json: alone, headers: ["If-Match": "\"v1\""])
            #expect(refused.status == 422 && refused.text.contains("not-yours-to-choose"), "\(refused.text)")
            let chosen = try await scene.gateway.request(
                .PUT, path, scene.ada, json: alone, headers: ["If-Match": "\"v1\""])
            #expect(chosen.status == 200 && chosen.json?["who"]?.array?.count == 1, "the owner may: \(chosen.text)")
            let stranger = Self.weekly("Water change", [.init("who", ["999999"])])
            let unknown = try await scene.gateway.request(
                .PUT, path, scene.ada, json: stranger, headers: ["If-Match": "\"v2\""])
            #expect(unknown.status == 422 && unknown.text.contains("not-among-people"), "\(unknown.text)")
        }
    }

    @Test func `somebody is always told: the owner, when the last one leaves`() async throws {
        try await Self.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                    looked_at, planned_at)
                SELECT slot, tank_id, device_id, ('00000000-0000-4000-8000-00000000000' || n)::uuid, 'Feed', 'feed', 'day', 1, '08:00', 'UTC',
                    '2026-01-01', now(), now(), now()
                FROM ownership, generate_series(1, 2) n WHERE role = 'owner';
                -- Bob alone is told of the first; of the second the owner chose that nobody is
                INSERT INTO reminder_person SELECT slot, reminder_id, \(scene.bob.account) FROM reminder WHERE reminder_id::text LIKE '%1'
                """)
            try await scene.database.sql("UPDATE ownership SET unlinked_at = now() WHERE role = 'watcher'")
            #expect(
                try await scene.ask(
                    "SELECT string_agg(right(reminder_id::text, 1) || ' ' || account_id, ',') FROM reminder_person")
                    == "1 \(scene.ada.account)")
        }
    }

    @Test func `whoever does it does it for all, once`() async throws {
        try await Self.with { scene in
            let today = try await Self.due(scene)
            let open = try await scene.call("listReminders", as: scene.bob, path: ["device": "pond-1"]).json.array?
                .first
            #expect(open?["state"]?.string == "due" && open?["missed"]?.integer == 2, "\(open?.text ?? "")")
            let body: JSON = ["what": "done", "on": .string(today)]
            let done = try await scene.call("actOnReminder", as: scene.bob, path: Self.act(1), body: body)
            #expect(done.status == 201 && done.json["by"]?["isMe"] == true, "\(done.json.text)")
            let again = try await scene.call("actOnReminder", as: scene.bob, path: Self.act(1), body: body)
            #expect(again.status == 200 && again.json["version"]?.integer == 1, "\(again.json.text)")
            // Ada did it as well, a moment later, on a phone that was offline.
            let late = try await scene.call("actOnReminder", as: scene.ada, path: Self.act(2), body: body)
            #expect(
                late.status == 200 && late.json["id"] == done.json["id"] && late.json["by"]?["isMe"] == false,
                "\(late.json.text)")
            let after = try await scene.call("listReminders", as: scene.ada, path: ["device": "pond-1"]).json.array?
                .first
            #expect(after?["state"]?.string == "ahead" && after?["missed"]?.integer == 0, "\(after?.text ?? "")")
            #expect(after?["lastDoneBy"]?["isMe"] == false)
            #expect(try await scene.ask("SELECT next_at > now() FROM reminder") == "t")
            let care = try await scene.call("showCare", as: scene.ada).json
            let states = (care["occurrences"]?.array ?? []).map { $0["state"]?.string ?? "" }
            #expect(
                states.prefix(3) == ["missed", "missed", "done"] && states.dropFirst(3).allSatisfy { $0 == "ahead" },
                "\(states)")
            // A watcher undoes what they did; the other one's is not theirs.
            #expect(try await scene.call("undoCareAct", as: scene.bob, path: Self.act(1)).status == 204)
            let undone = try await scene.call("listReminders", as: scene.ada, path: ["device": "pond-1"]).json.array?
                .first
            #expect(undone?["state"]?.string == "due")
            _ = try await scene.call("actOnReminder", as: scene.ada, path: Self.act(3), body: body)
            #expect(try await scene.call("undoCareAct", as: scene.bob, path: Self.act(3)).status == 404)
            let history = try await scene.call("listCareActs", as: scene.bob, path: Self.place).json
            #expect(history["items"]?.array?.count == 1 && history["next"] == .null, "\(history.text)")
        }
    }

    @Test func `the same act sent again is the same, though the phone's clock was ahead`() async throws {
        try await Self.with { scene in
            let today = try await Self.due(scene)
            let clock =
                "to_char((now() - interval '9 seconds') AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"
            let body: JSON = [
                "what": "done", "on": .string(today), "at": .string(try await scene.ask("SELECT \(clock)")),
            ]
            let done = try await scene.call("actOnReminder", as: scene.bob, path: Self.act(1), body: body)
            #expect(done.status == 201, "\(done.json.text)")
            // As if the phone had been three seconds ahead: it was taken at the service's time, which has passed what the phone said since.
            try await scene.database.sql("UPDATE reminder_act SET acted_at = acted_at - interval '3 seconds'")
            let stored = try await scene.ask("SELECT acted_at FROM reminder_act")
            let again = try await scene.call("actOnReminder", as: scene.bob, path: Self.act(1), body: body)
            #expect(again.status == 200 && again.json["version"]?.integer == 1, "\(again.json.text)")
            #expect(try await scene.ask("SELECT acted_at FROM reminder_act") == stored)
            // Who names the version changes the time.
            let path =
                "/api/v1/devices/pond-1/reminders/\(Self.id)/acts/\(try #require(Self.act(1)["act"]))"
            let hour = try await scene.ask(
                "SELECT \(clock.replacingOccurrences(of: "9 seconds", with: "1 hour"))")
            let earlier: JSON = ["what": "done", "on": .string(today), "at": .string(hour)]
            let change = try await scene.gateway.request(
                .PUT, path, scene.bob, json: earlier, headers: ["If-Match": "\"v1\""])
            #expect(change.status == 200 && change.json?["version"]?.integer == 2, "\(change.text)")
        }
    }

    @Test func `what is undone is told again by the next look`() async throws {
        try await Self.with { scene in
            let today = try await Self.due(scene)
            let until = try await scene.ask(
                "SELECT to_char((now() + interval '2 hours') AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
            let acts: [JSON] = [
                ["what": "done", "on": .string(today)], ["what": "skipped", "on": .string(today)],
                ["what": "later", "on": .string(today), "until": .string(until)],
            ]
            for (number, act) in acts.enumerated() {
                // As if what has come due had been handed over to be told.
                try await scene.database.sql(
                    "UPDATE reminder SET looked_at = now(), next_at = now() + interval '1 day'")
                let path = Self.act(number)
                #expect(try await scene.call("actOnReminder", as: scene.bob, path: path, body: act).status == 201)
                #expect(try await scene.ask("SELECT next_at > now() FROM reminder") == "t")
                #expect(try await scene.call("undoCareAct", as: scene.bob, path: path).status == 204)
                #expect(
                    try await scene.ask(
                        "SELECT next_at <= now() AND looked_at < timestamp '\(today)' AT TIME ZONE 'Europe/Madrid' FROM reminder"
                    )
                        == "t", "\(act.text)")
            }
        }
    }

    @Test func `acts are bounded by when they were entered, and nobody's push out another's`() async throws {
        try await Self.with { scene in
            _ = try await Self.due(scene)
            let days = try await scene.ask(
                """
                SELECT string_agg(to_char(now() AT TIME ZONE 'Europe/Madrid' - n * interval '1 day', 'YYYY-MM-DD') || 'T00:00', ',' ORDER BY n)
                FROM generate_series(0, 4) n
                """
            ).split(separator: ",").map(String.init)
            let before = try await scene.ask(
                "SELECT to_char((now() - interval '25 hours') AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
            func act(_ number: Int, as person: PersonScene.Person) async throws -> Int {
                try await scene.call(
                    "actOnReminder", as: person, path: Self.act(number),
                    body: ["what": "skipped", "on": .string(days[number]), "at": .string(before)]
                ).status
            }
            try await scene.database.sql("UPDATE growth_bound SET in_all = 2, a_day = 3 WHERE held = 'reminder_act'")
            #expect(try await act(4, as: scene.ada) == 201)
            for number in [3, 2, 1] { #expect(try await act(number, as: scene.bob) == 201) }
            let kept = "SELECT string_agg(right(act_id::text, 1), ',' ORDER BY act_id DESC) FROM reminder_act"
            #expect(try await scene.ask(kept) == "4,2,1", "Bob's oldest went")
            try await scene.database.sql("UPDATE growth_bound SET in_all = 9, a_day = 2 WHERE held = 'reminder_act'")
            #expect(try await act(0, as: scene.bob) == 429, "though it says that it was the day before")
            // What lies far ahead hides nothing of today.
            try await scene.database.sql(
                """
                UPDATE growth_bound SET in_all = 900, a_day = 900 WHERE held = 'reminder_act';
                INSERT INTO reminder_act (slot, tank_id, reminder_id, act_id, on_at, what, acted_at, account_id)
                SELECT slot, tank_id, reminder_id, gen_random_uuid(), date_trunc('day', now() AT TIME ZONE 'UTC') + n * interval '1 day', 'skipped',
                    now(), \(scene.bob.account) FROM reminder, generate_series(100, 170) n
                """)
            #expect(
                try await scene.ask(
                    "SELECT count(*) FROM reminder r, last_acts(ARRAY[r.slot], ARRAY[r.reminder_id]) l WHERE l.on_at < now()"
                ) == "3")
        }
    }

    @Test func `what is put off is ahead until then, and what is too early or over is refused`() async throws {
        try await Self.with { scene in
            let today = try await Self.due(scene)
            let until = try await scene.ask(
                "SELECT to_char((now() + interval '2 hours') AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
            let later = try await scene.call(
                "actOnReminder", as: scene.ada, path: Self.act(1),
                body: ["what": "later", "on": .string(today), "until": .string(until)])
            #expect(later.status == 201, "\(later.json.text)")
            let shown = try await scene.call("listReminders", as: scene.ada, path: ["device": "pond-1"]).json.array?
                .first
            #expect(shown?["state"]?.string == "ahead" && shown?["nextAt"]?.string == until, "\(shown?.text ?? "")")
            let ahead = try await scene.ask(
                "SELECT to_char(now() AT TIME ZONE 'Europe/Madrid' + interval '3 days', 'YYYY-MM-DD') || 'T00:00'")
            let early = try await scene.call(
                "actOnReminder", as: scene.ada, path: Self.act(2), body: ["what": "done", "on": .string(ahead)])
            #expect(early.status == 409 && early.code == "too-early", "\(early.json.text)")
            let old = try await scene.ask(
                "SELECT to_char(now() AT TIME ZONE 'Europe/Madrid' - interval '2 days', 'YYYY-MM-DD') || 'T00:00'")
            let over = try await scene.call(
                "actOnReminder", as: scene.ada, path: Self.act(3),
                body: ["what": "later", "on": .string(old), "until": .string(until)])
            #expect(over.status == 409 && over.code == "not-open", "\(over.json.text)")
        }
    }

    @Test func `a tank has a hundred reminders, and one that has ended is none`() async throws {
        try await Self.with { scene in
            try await scene.database.sql(
                """
                INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                    looked_at, planned_at)
                SELECT slot, tank_id, device_id, gen_random_uuid(), 'Feed', 'feed', 'day', 1, '08:00', 'UTC', '2026-01-01', now(), now(), now()
                FROM ownership, generate_series(1, 100) WHERE role = 'owner'
                """)
            let full = try await scene.call("setReminder", as: scene.ada, path: Self.place, body: Self.weekly())
            #expect(full.status == 409 && full.code == "too-many-reminders", "\(full.json.text)")
            let some = try await scene.ask("SELECT reminder_id FROM reminder LIMIT 1")
            #expect(
                try await scene.call("endReminder", as: scene.bob, path: ["device": "pond-1", "reminder": some]).status
                    == 204)
            #expect(
                try await scene.call("setReminder", as: scene.ada, path: Self.place, body: Self.weekly()).status == 201)
        }
    }

    @Test func `a preview names the next three, over a change of clocks`() async throws {
        try await PersonScene.with { scene in
            let body: JSON = [
                "rhythm": ["every": "day"], "at": "02:30", "zone": "America/New_York", "startsOn": "2100-03-13",
            ]
            let shown = try await scene.call("previewReminder", as: scene.bob, body: body)
            #expect(shown.json.array?.first?["on"]?.string == "2100-03-13T02:30", "\(shown.json.text)")
            for wrong: JSON in [
                ["every": "week"], ["every": "month", "day": 0], ["afterDone": 3, "interval": 2],
                ["every": "day", "days": ["monday"]],
                ["every": "day", "count": 2, "until": "2030-01-01"], [:],
            ] {
                let refused = try await scene.call(
                    "previewReminder", as: scene.bob,
                    body: ["rhythm": wrong, "at": "02:30", "zone": "UTC", "startsOn": "2027-01-01"])
                #expect(refused.status == 422, "\(wrong.text): \(refused.json.text)")
            }
            let proposals = try await scene.call("listReminderProposals", as: scene.ada).json.array ?? []
            #expect(proposals.count == 7 && proposals[0]["name"]?.string == "Cambio de agua")
        }
    }
}
