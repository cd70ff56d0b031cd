import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// The journal as one list: entries, tests by hand, work on the water and reminders done, whoever of the tank did them.
@Suite(.timeLimit(.minutes(10))) struct JoinedJournalTests {
    private static let device = "/api/v1/devices/pond-1"
    private static let reminder = JournalScene.id(20)

    /// An entry of Anna's (1), a test of Ben's (2), work of Anna's (3) and a reminder that Ben did (4), left out (5), and did before (6).
    private static func fill(_ scene: JournalScene) async throws {
        #expect(
            try await scene.put(scene.path(1), scene.anna, JournalScene.fed(at: "2026-05-01T12:00:00Z")).status == 201)
        let test: JSON = [
            "at": "2026-05-01T13:00:00Z", "kit": "api-freshwater", "note": "Before feeding.",
            "values": [["parameter": "ammonia", "choice": "0.5"]],
        ]
        #expect(try await scene.put("\(device)/tests/\(JournalScene.id(2))", scene.ben, test).status == 201)
        try await scene.gateway.database.sql(
            """
            INSERT INTO water_work (work_id, slot, tank_id, device_id, kind, begins_at, until, account_id, asked)
            SELECT '\(JournalScene.id(3))', slot, tank_id, device_id, 'cleaning', '2026-05-01 14:00Z', '2026-05-01 14:30Z', account_id, ''
            FROM ownership WHERE account_id = \(scene.anna.account);
            INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                looked_at, planned_at, account_id)
            SELECT slot, tank_id, device_id, '\(reminder)', 'Clean the filter', 'cleanFilter', 'day', 1, '08:00', 'UTC', '2026-01-01',
                now(), now(), now(), account_id
            FROM ownership WHERE account_id = \(scene.anna.account);
            INSERT INTO reminder_act (slot, tank_id, reminder_id, act_id, on_at, what, acted_at, account_id)
            SELECT slot, tank_id, reminder_id, a.id::uuid, a.at, a.what, a.at AT TIME ZONE 'UTC', \(scene.ben.account)
            FROM reminder, (VALUES
                ('\(JournalScene.id(4))', timestamp '2026-05-01 15:00', 'done'),
                ('\(JournalScene.id(5))', timestamp '2026-05-02 15:00', 'skipped'),
                ('\(JournalScene.id(6))', timestamp '2026-04-30 15:00', 'done')) AS a (id, at, what);
            """)
    }

    @Test func allThatWasDoneIsOneListWithWhatOnlyItHas() async throws {
        try await JournalScene.with { scene in
            try await Self.fill(scene)
            for person in [scene.anna, scene.ben] {
                let reply = try await scene.get("/api/v1/journal", person)
                let items = reply.json?["items"]?.array ?? []
                #expect(
                    items.map { $0["kind"]?.string } == ["done", "worked", "tested", "fed", "done"], "\(reply.text)")
                #expect(items.map { $0["by"]?["name"]?.string } == ["ben", "anna", "ben", "anna", "ben"])
                #expect(items.allSatisfy { $0["device"] == "pond-1" && $0["photos"] == [] })
                #expect(
                    items.first?["details"] == [
                        "reminder": .string(Self.reminder), "name": "Clean the filter", "activity": "cleanFilter",
                    ])
                #expect(
                    items[1]["details"] == [
                        "kind": "cleaning", "from": "2026-05-01T14:00:00Z", "until": "2026-05-01T14:30:00Z",
                        "endedAt": "2026-05-01T14:30:00Z",
                    ])
                #expect(items[2]["text"] == "Before feeding." && items[2]["details"]?["kit"] == "api-freshwater")
                let value = items[2]["details"]?["values"]?[0]
                #expect(value?["parameter"] == "ammonia" && value?["choice"] == "0.5" && value?["unit"] == "ppm")
                #expect(value?["lower"]?.text == "0.375" && value?["upper"]?.text == "0.75")
                #expect(items[3]["details"] == .null)
            }
            #expect(try await scene.page("/api/v1/journal", scene.eve).ids == [])
        }
    }

    @Test func pagesAndFiltersHoldForAll() async throws {
        try await JournalScene.with { scene in
            try await Self.fill(scene)
            var (ids, next) = try await scene.page("/api/v1/journal?limit=2", scene.ben)
            while let cursor = next {
                let page = try await scene.page("/api/v1/journal?limit=2&before=\(cursor)", scene.ben)
                ids += page.ids
                next = page.next
            }
            #expect(ids == [4, 3, 2, 1, 6])
            #expect(try await scene.page("\(Self.device)/journal?kinds=done", scene.anna).ids == [4, 6])
            #expect(try await scene.page("\(Self.device)/journal?kinds=tested,worked", scene.anna).ids == [3, 2])
            #expect(try await scene.page("/api/v1/journal?kinds=fed", scene.anna).ids == [1])
            let table = try await scene.get("\(Self.device)/journal.csv", scene.anna)
            let lines = table.text.split(separator: "\r\n")
            #expect(lines.count == 6, "\(table.text)")
            #expect(
                lines[2].hasPrefix("pond-1,2026-05-01T14:00:00Z,worked,,,,,,anna,,\"{\"\"kind\"\":\"\"cleaning\"\""),
                "\(lines[2])")
        }
    }

    /// Work that was told by mistake was no work.
    @Test func withdrawnWorkIsNotListed() async throws {
        try await JournalScene.with { scene in
            try await Self.fill(scene)
            try await scene.gateway.database.sql(
                "UPDATE water_work SET withdrawn_at = '2026-05-01 14:05Z', version = version + 1")
            for person in [scene.anna, scene.ben] {
                #expect(try await scene.page("/api/v1/journal", person).ids == [4, 2, 1, 6])
                #expect(try await scene.page("\(Self.device)/journal?kinds=worked", person).ids == [])
            }
            let table = try await scene.get("\(Self.device)/journal.csv", scene.anna)
            #expect(!table.text.contains("worked"), "\(table.text)")
        }
    }

    /// What is written elsewhere is changed and removed there.
    @Test func entriesAloneAreChangedHere() async throws {
        try await JournalScene.with { scene in
            try await Self.fill(scene)
            for number in 2...4 {
                #expect(try await scene.delete(scene.path(number), scene.anna).status == 404)
                let changed = try await scene.put(scene.path(number), scene.anna, JournalScene.fed(), ifMatch: "*")
                #expect(changed.status == 404, "\(changed.text)")
            }
            #expect(
                try await scene.delete("\(Self.device)/tests/\(JournalScene.id(2))", scene.anna).status == 204)
            #expect(try await scene.page("/api/v1/journal?kinds=tested", scene.anna).ids == [])
        }
    }

    /// The journal of a tank is told anew with each of them; what an engine judges of a test is no change of it.
    @Test func eachIsTold() async throws {
        try await JournalScene.with { scene in
            try await Self.fill(scene)
            func version() async throws -> Int {
                Int(try await scene.gateway.ask("SELECT sum(version) FROM care_version WHERE part = 'journal'")) ?? 0
            }
            var last = try await version()
            for sql in [
                "UPDATE hand_test SET version = version + 1", "UPDATE water_work SET version = version + 1",
                "UPDATE reminder_act SET what = 'skipped' WHERE act_id = '\(JournalScene.id(6))'",
                "DELETE FROM reminder_act WHERE act_id = '\(JournalScene.id(4))'", "DELETE FROM water_work",
                "DELETE FROM hand_test",
            ] {
                try await scene.gateway.database.sql(sql)
                let told = try await version()
                #expect(told > last, "\(sql)")
                last = told
            }
            let test: JSON = ["at": "2026-05-01T13:00:00Z", "values": [["parameter": "ph", "value": 7.4]]]
            #expect(
                try await scene.put("\(Self.device)/tests/\(JournalScene.id(7))", scene.anna, test).status == 201)
            last = try await version()
            try await scene.gateway.database.sql("UPDATE hand_test SET judged_at = now()")
            #expect(try await version() == last)
        }
    }

    /// The next test of a tank is that of its first reminder to test, of those that go on.
    @Test func aReminderSaysWhenTheNextTestIsDue() async throws {
        try await JournalScene.with { scene in
            try await Self.fill(scene)
            func due(_ person: JournalScene.Person) async throws -> JSON? {
                try await scene.get("\(Self.device)/tests/latest", person).json?["nextDueAt"]
            }
            try await scene.gateway.database.sql("UPDATE reminder SET next_at = '2999-01-01Z'")
            #expect(try await due(scene.anna) == .null, "another activity")
            try await scene.gateway.database.sql(
                """
                UPDATE reminder SET activity = 'test';
                INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                    looked_at, planned_at, next_at)
                SELECT slot, tank_id, device_id, '\(JournalScene.id(21))', name, activity, every, step, at_time, zone, starts_on, since,
                    looked_at, planned_at, '2998-01-01Z'
                FROM reminder
                """)
            for person in [scene.anna, scene.ben] { #expect(try await due(person) == "2998-01-01T00:00:00Z") }
            try await scene.gateway.database.sql(
                "UPDATE reminder SET ended_at = now(), next_at = NULL WHERE reminder_id = '\(JournalScene.id(21))'")
            #expect(try await due(scene.anna) == "2999-01-01T00:00:00Z")
        }
    }
}
