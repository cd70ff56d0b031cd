import Routes
import TestSupport
import Testing

@testable import Gateway

/// Livestock and equipment of a tank: lists that all who share it keep.
@Suite(.timeLimit(.minutes(10))) struct InventoryRoutesTests {
    private static func item(_ list: String, _ number: Int, of device: String = "pond-1") -> String {
        "/api/v1/devices/\(device)/\(list)/\(JournalScene.id(number))"
    }

    private static let neons: JSON = ["species": "Neon", "count": 12, "since": "2026-02-28"]

    @Test func bothListsAreKept() async throws {
        try await JournalScene.with { scene in
            let fish = Self.item("livestock", 1)
            let added = try await scene.put(fish, scene.anna, Self.neons)
            #expect(added.status == 201, "\(added.text)")
            #expect(try await scene.put(fish, scene.anna, Self.neons).status == 200)
            let fewer: JSON = ["species": "Neon", "count": 11, "since": "2026-02-28"]
            #expect(try await scene.put(fish, scene.ben, fewer).status == 412)
            #expect(
                try await scene.put(fish, scene.ben, fewer, ifMatch: "\"v1\"").status == 200,
                "whoever shares the tank counts")
            let filter: JSON = [
                "name": "Eheim", "kind": "filter", "since": "2024-02-29", "until": "2026-01-01", "note": "Loud.",
            ]
            #expect(try await scene.put(Self.item("equipment", 2), scene.ben, filter).status == 201)
            let shown = try await scene.get("/api/v1/devices/pond-1/inventory", scene.anna).json
            #expect(shown?["livestock"]?[0]?["count"] == 11 && shown?["livestock"]?.array?.count == 1)
            #expect(shown?["equipment"]?[0]?["kind"] == "filter" && shown?["equipment"]?[0]?["until"] == "2026-01-01")

            #expect(try await scene.delete(fish, scene.ben).code == "owner-only")
            #expect(try await scene.delete(fish, scene.anna).status == 204)
            #expect(try await scene.delete(Self.item("equipment", 2), scene.ben).status == 204)
        }
    }

    @Test func whatIsInOneListIsNotInTheOther() async throws {
        try await JournalScene.with { scene in
            let fish = try await scene.put(Self.item("livestock", 1), scene.anna, Self.neons)
            #expect(fish.status == 201, "\(fish.text)")
            let filter: JSON = ["name": "Eheim", "kind": "filter"]
            #expect(try await scene.put(Self.item("equipment", 1), scene.anna, filter).status == 404)
            #expect(try await scene.delete(Self.item("equipment", 1), scene.anna).status == 404)
            #expect(try await scene.put(Self.item("livestock", 1, of: "pond-2"), scene.eve, Self.neons).status == 404)
            #expect(try await scene.get("/api/v1/devices/pond-1/inventory", scene.eve).status == 404)
        }
    }

    @Test func daysAreDays() async throws {
        try await JournalScene.with { scene in
            for (since, until, code) in [
                ("2026-02-29", nil, "pattern"), ("1899-12-31", nil, "too-small"), ("2026-2-1", nil, "too-short"),
                ("2026-02-02", "2026-02-01", "too-small"),
            ] as [(String, String?, String)] {
                let json: JSON = [
                    "species": "Neon", "count": 1, "since": .string(since), "until": until.map(JSON.string) ?? .null,
                ]
                let reply = try await scene.put(Self.item("livestock", 1), scene.anna, json)
                #expect(
                    reply.status == 422 && reply.json?["errors"]?[0]?["code"]?.string == code, "\(since): \(reply.text)"
                )
            }
        }
    }

    @Test func aListHasABound() async throws {
        try await JournalScene.with { scene in
            try await scene.gateway.database.sql("UPDATE growth_bound SET in_all = 2 WHERE held = 'inventory_item'")
            for number in 1...2 {
                #expect(try await scene.put(Self.item("livestock", number), scene.anna, Self.neons).status == 201)
            }
            let full = try await scene.put(Self.item("livestock", 3), scene.ben, Self.neons)
            #expect(full.status == 409 && full.code == "no-room", "waiting makes no room: \(full.text)")
        }
    }
}
