import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// What a former watcher left in a tank: shown to them alone, and theirs to remove. Anna owns pond-1, Ben watched it, Eve is a stranger.
@Suite(.timeLimit(.minutes(10))) struct FormerTankRoutesTests {
    private static let path = "/api/v1/former-tanks"

    /// Ben and Anna each leave an entry, a photo and a calibration with a note; then Ben watches no more.
    private static func withLeft(_ body: @Sendable @escaping (JournalScene) async throws -> Void) async throws {
        try await JournalScene.with { scene in
            for (number, person) in [(1, scene.anna), (2, scene.ben)] {
                #expect(try await scene.put(scene.path(number), person, JournalScene.fed("by \(number)")).status == 201)
                #expect(
                    try await scene.put(scene.photo(10 + number, of: number), person, file: Pictures.webP).status == 201
                )
                let check: JSON = [
                    "kind": "check", "at": "2026-05-01T12:00:00Z", "points": [["standard": 7, "before": 7.1]],
                    "note": .string("checked by \(number)"),
                ]
                let log = "/api/v1/devices/pond-1/parameters/ph/calibrations/\(JournalScene.id(20 + number))"
                #expect(try await scene.put(log, person, check).status == 201)
            }
            #expect(try await scene.get(path, scene.ben).json?["items"]?.array?.isEmpty == true, "he shares it still")
            try await scene.unlink("pond-1", from: scene.ben)
            try await body(scene)
        }
    }

    private static func left(_ scene: JournalScene, _ person: JournalScene.Person) async throws -> [String] {
        let items = try await scene.get(path, person).json?["items"]?.array ?? []
        return items.map { "\($0["source"]?.string ?? "") \($0["words"]?.string ?? "-")" }.sorted()
    }

    private static func one(_ source: String, _ number: Int) -> String {
        "\(path)/\(source)/\(JournalScene.id(number))"
    }

    @Test func theirOwnIsShownAndRemoved() async throws {
        try await Self.withLeft { scene in
            #expect(try await Self.left(scene, scene.ben) == ["calibration checked by 2", "entry by 2", "photo -"])
            let first = try await scene.get(Self.path + "?limit=2", scene.ben)
            let next = try #require(first.json?["next"]?.string)
            #expect(first.json?["items"]?.array?.count == 2)
            let rest = try await scene.get(Self.path + "?limit=2&before=\(next)", scene.ben)
            #expect(rest.json?["items"]?.array?.count == 1 && rest.json?["next"] == .null)

            let shown = try await scene.get(Self.one("photo", 12) + "/picture", scene.ben)
            #expect(shown.status == 200 && shown[header: "Content-Type"] == "image/webp")
            #expect(shown[header: "Content-Security-Policy"] == "sandbox; default-src 'none'; frame-ancestors 'none'")
            #expect(try await scene.get(Self.one("entry", 2) + "/picture", scene.ben).status == 404)

            #expect(try await scene.delete(Self.one("photo", 12), scene.ben).status == 204)
            #expect(try await scene.delete(Self.one("photo", 12), scene.ben).status == 404)
            #expect(try await scene.delete(Self.one("calibration", 22), scene.ben).status == 204)
            #expect(
                try await scene.gateway.ask("SELECT string_agg(note, ' ') FROM calibration") == "checked by 1",
                "the words alone: the tank's people go on by the rest")
            #expect(try await scene.gateway.ask("SELECT count(*) FROM calibration") == "2")
            #expect(try await scene.delete(Self.one("entry", 2), scene.ben).status == 204)
            #expect(try await Self.left(scene, scene.ben) == [])
            #expect(try await scene.gateway.ask("SELECT string_agg(text, ' ') FROM journal_entry") == "by 1")
        }
    }

    /// Of a test, a list and a reminder the words go, and all else stays.
    @Test(arguments: [
        ("test", "hand_test", "test_id", "note"), ("item", "inventory_item", "item_id", "note"),
        ("reminder", "reminder", "reminder_id", "notes"),
    ])
    func whatTheTankGoesOnByStays(source: String, table: String, id: String, words: String) async throws {
        try await Self.withLeft { scene in
            try await scene.gateway.database.sql(
                """
                CREATE TEMP TABLE tank AS SELECT slot, tank_id, device_id, account_id FROM ownership WHERE account_id = \(scene.ben.account);
                INSERT INTO hand_test (slot, device_id, tank_id, test_id, account_id, at, note)
                SELECT slot, device_id, tank_id, gen_random_uuid(), account_id, now(), 'mine' FROM tank;
                INSERT INTO inventory_item (slot, tank_id, item_id, account_id, list, name, count, note)
                SELECT slot, tank_id, gen_random_uuid(), account_id, 'livestock', 'Neon', 1, 'mine' FROM tank;
                INSERT INTO reminder (slot, tank_id, device_id, reminder_id, name, activity, every, step, at_time, zone, starts_on, since,
                    looked_at, planned_at, account_id, notes)
                SELECT slot, tank_id, device_id, gen_random_uuid(), 'Feed', 'feed', 'day', 1, '08:00', 'UTC', '2026-01-01', now(), now(),
                    now(), account_id, 'mine' FROM tank;
                """)
            #expect(try await Self.left(scene, scene.ben).contains("\(source) mine"))
            let one = "\(Self.path)/\(source)/" + (try await scene.gateway.ask("SELECT \(id) FROM \(table)"))
            #expect(try await scene.delete(one, scene.eve).status == 404)
            #expect(try await scene.delete(one, scene.ben).status == 204)
            #expect(try await scene.delete(one, scene.ben).status == 404)
            #expect(
                try await scene.gateway.ask("SELECT count(*), string_agg(nullif(\(words), ''), '') FROM \(table)")
                    == "1|")
        }
    }

    @Test func nothingOfOthersIsThere() async throws {
        try await Self.withLeft { scene in
            for (person, number) in [(scene.ben, 1), (scene.anna, 1), (scene.anna, 2), (scene.eve, 1), (scene.eve, 2)] {
                for (source, id) in [("entry", number), ("photo", 10 + number), ("calibration", 20 + number)] {
                    let one = Self.one(source, id)
                    #expect(try await scene.delete(one, person).status == 404, "\(person.email) \(one)")
                    #expect(try await scene.get(one + "/picture", person).status == 404, "\(person.email) \(one)")
                }
            }
            #expect(try await Self.left(scene, scene.anna) == [])
            #expect(try await Self.left(scene, scene.eve) == [])
            let kept = try await scene.gateway.ask(
                """
                SELECT (SELECT count(*) FROM journal_entry), (SELECT count(*) FROM journal_photo), (SELECT count(note) FROM calibration)
                """)
            #expect(kept == "2|2|2")
        }
    }

    /// Who shares the tank again changes it by its own routes.
    @Test func whatIsInSightAgainIsNotFormer() async throws {
        try await Self.withLeft { scene in
            try await scene.gateway.database.sql(
                """
                INSERT INTO ownership (slot, device_id, account_id, role, name)
                SELECT slot, device_id, account_id, role, name FROM ownership WHERE unlinked_at IS NOT NULL
                """)
            #expect(try await Self.left(scene, scene.ben) == [])
            #expect(try await scene.delete(Self.one("entry", 2), scene.ben).status == 404)
            #expect(try await scene.delete(scene.path(2), scene.ben).status == 204)
        }
    }
}
