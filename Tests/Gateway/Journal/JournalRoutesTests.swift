import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Entries of the journal: written once however often they are sent, by whoever shares the tank, and shown to nobody else.
@Suite(.timeLimit(.minutes(10))) struct JournalRoutesTests {
    @Test func anEntryThatIsSentTwiceCountsOnce() async throws {
        try await JournalScene.with { scene in
            let path = scene.path(1)
            let first = try await scene.put(path, scene.anna, JournalScene.fed("flakes"))
            #expect(first.status == 201, "\(first.text)")
            #expect(first[header: "ETag"] == "\"v1\"")
            #expect(first.json?["by"]?["isMe"] == true)
            #expect(first.json?["photos"] == [])
            let again = try await scene.put(path, scene.anna, JournalScene.fed("flakes"))
            #expect(again.status == 200 && again.text == first.text, "\(again.text)")
            #expect(try await scene.gateway.ask("SELECT count(*) || ' ' || max(version) FROM journal_entry") == "1 1")

            let other = try await scene.put(path, scene.anna, JournalScene.fed("pellets"))
            #expect(other.status == 412 && other[header: "ETag"] == "\"v1\"", "a change names the version")
            let changed = try await scene.put(path, scene.anna, JournalScene.fed("pellets"), ifMatch: "\"v1\"")
            #expect(changed.status == 200 && changed[header: "ETag"] == "\"v2\"", "\(changed.text)")
            // The answer to the change was lost: it is asked once more.
            let repeated = try await scene.put(path, scene.anna, JournalScene.fed("pellets"), ifMatch: "\"v1\"")
            #expect(repeated.status == 200 && repeated[header: "ETag"] == "\"v2\"")
            #expect(try await scene.put(path, scene.anna, JournalScene.fed("else"), ifMatch: "\"v1\"").status == 412)
            #expect(try await scene.put(scene.path(2), scene.anna, JournalScene.fed(), ifMatch: "*").status == 404)
            #expect(try await scene.delete(path, scene.anna).status == 204)
            #expect(try await scene.delete(path, scene.anna).status == 404)
        }
    }

    @Test func requestsThatCrossMakeOneEntry() async throws {
        try await JournalScene.with { scene in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await scene.put(scene.path(1), scene.anna, JournalScene.fed()).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [200, 200, 200, 200, 200, 200, 200, 201])
        }
    }

    @Test func whoSharesATankWritesAndTheOwnerTidiesUp() async throws {
        try await JournalScene.with { scene in
            #expect(try await scene.put(scene.path(1), scene.anna, JournalScene.fed()).status == 201)
            #expect(try await scene.put(scene.path(2), scene.ben, JournalScene.fed()).status == 201)
            let seen = try await scene.get("/api/v1/devices/pond-1/journal", scene.ben)
            #expect(
                seen.json?["items"]?[0]?["by"]?["name"] == "ben" && seen.json?["items"]?[1]?["by"]?["name"] == "anna")

            for reply in [
                try await scene.put(scene.path(1), scene.ben, JournalScene.fed("mine"), ifMatch: "*"),
                try await scene.delete(scene.path(1), scene.ben),
                try await scene.put(scene.photo(9, of: 1), scene.ben, file: Pictures.jpeg),
            ] { #expect(reply.status == 403 && reply.code == "owner-only", "\(reply.text)") }
            let changed = try await scene.put(scene.path(2), scene.anna, JournalScene.fed("twice"), ifMatch: "\"v1\"")
            #expect(changed.status == 200 && changed.json?["by"]?["name"] == "ben", "who wrote it stays")
            #expect(try await scene.delete(scene.path(2), scene.anna).status == 204)
        }
    }

    /// A stranger finds nothing, whatever they know; neither does who watched before, nor the next owner.
    @Test func nobodyElseFindsAnything() async throws {
        try await JournalScene.with { scene in
            #expect(try await scene.put(scene.path(1), scene.anna, JournalScene.fed()).status == 201)
            #expect(
                try await scene.put(scene.path(1, of: "pond-2"), scene.eve, JournalScene.fed()).status == 404,
                "hers, by the same id")
            #expect(try await scene.put(scene.path(2), scene.eve, JournalScene.fed()).status == 404)
            #expect(try await scene.delete(scene.path(1, of: "pond-2"), scene.eve).status == 404)
            #expect(try await scene.page("/api/v1/journal", scene.eve).ids == [])
            #expect(try await scene.page("/api/v1/journal?device=pond-1", scene.eve).ids == [])

            #expect(try await scene.page("/api/v1/journal", scene.ben).ids == [1])
            try await scene.unlink("pond-1", from: scene.ben)
            #expect(try await scene.page("/api/v1/journal", scene.ben).ids == [])
            #expect(try await scene.put(scene.path(3), scene.ben, JournalScene.fed()).status == 404)

            try await scene.unlink("pond-1", from: scene.anna)
            try await scene.gateway.link("pond-1", to: scene.eve)
            #expect(try await scene.page("/api/v1/devices/pond-1/journal", scene.eve).ids == [], "another tank")
            #expect(try await scene.delete(scene.path(1), scene.eve).status == 404)
            #expect(try await scene.page("/api/v1/journal", scene.anna).ids == [1], "what was hers")
            #expect(
                try await scene.put(scene.path(1), scene.anna, JournalScene.fed("late"), ifMatch: "*").status == 404)
        }
    }

    @Test func pagesGoOnWhereTheLastOneEnded() async throws {
        try await JournalScene.with { scene in
            try await scene.gateway.link("pond-3", to: scene.anna)
            for number in 1...7 {
                let device = number.isMultiple(of: 2) ? "pond-3" : "pond-1"
                // Some at the same time, which the ids tell apart.
                let json = JournalScene.fed(at: "2026-05-01T12:0\(number / 2):00Z")
                #expect(try await scene.put(scene.path(number, of: device), scene.anna, json).status == 201)
            }
            let note: JSON = ["kind": "note", "at": "2026-04-01T12:00:00Z", "text": "Clear."]
            #expect(try await scene.put(scene.path(8), scene.anna, note).status == 201)
            var (ids, next) = try await scene.page("/api/v1/journal?limit=3", scene.anna)
            while let cursor = next {
                let page = try await scene.page("/api/v1/journal?limit=3&before=\(cursor)", scene.anna)
                ids += page.ids
                next = page.next
            }
            #expect(ids == [7, 6, 5, 4, 3, 2, 1, 8])
            #expect(try await scene.page("/api/v1/devices/pond-3/journal", scene.anna).ids == [6, 4, 2])
            #expect(try await scene.page("/api/v1/journal?kinds=note,worked", scene.anna).ids == [8])
            #expect(try await scene.page("/api/v1/journal?device=pond-1&kinds=fed", scene.anna).ids == [7, 5, 3, 1])
            #expect(try await scene.get("/api/v1/journal?before=x", scene.anna).status == 422)
        }
    }

    /// A spreadsheet takes no cell for a formula.
    @Test func theTableIsSafeToOpen() async throws {
        try await JournalScene.with { scene in
            let dosed: JSON = [
                "kind": "dosed", "at": "2026-05-01T12:00:00Z", "subject": "=HYPERLINK(\"http://x\")", "amount": 2.5,
                "unit": "millilitre",
                "text": "@a, \"b\"\nc",
            ]
            #expect(try await scene.put(scene.path(1), scene.anna, dosed).status == 201)
            let reply = try await scene.get("/api/v1/devices/pond-1/journal.csv", scene.anna)
            #expect(
                reply.status == 200
                    && reply[header: "Content-Disposition"] == "attachment; filename=\"pond-1-journal.csv\"")
            #expect(
                reply.text == """
                    device,time,kind,amount,unit,subject,count,text,by,photos,details\r
                    pond-1,2026-05-01T12:00:00Z,dosed,2.5,millilitre,"'=HYPERLINK(""http://x"")",,"'@a, ""b""\nc",anna,,\r

                    """, "\(reply.text)")
            #expect(try await scene.get("/api/v1/devices/pond-1/journal.csv", scene.eve).status == 404)
        }
    }

    @Test func aTokenThatMayOnlyReadWritesNothing() async throws {
        try await JournalScene.with { scene in
            let token = try await scene.gateway.personalToken(scene.anna, scope: "read")
            let reply = try await scene.gateway.request(.PUT, scene.path(1), token: token, json: JournalScene.fed())
            #expect(reply.status == 403 && reply.code == "insufficient-scope")
        }
    }

    /// The bound is each person's, so that whoever shares a tank does not use up the owner's.
    @Test func aDayHasSoManyEntries() async throws {
        try await JournalScene.with { scene in
            try await scene.gateway.database.sql("UPDATE growth_bound SET a_day = 2 WHERE held = 'journal_entry'")
            for number in 1...2 {
                #expect(try await scene.put(scene.path(number), scene.ben, JournalScene.fed()).status == 201)
            }
            #expect(try await scene.put(scene.path(3), scene.ben, JournalScene.fed()).status == 429)
            #expect(
                try await scene.put(scene.path(2), scene.ben, JournalScene.fed()).status == 200, "what is there already"
            )
            #expect(try await scene.put(scene.path(4), scene.anna, JournalScene.fed()).status == 201)
        }
    }

    /// What a watcher did stays in the owner's tank, without their name; an owner's tank goes with them.
    @Test func whatOfAClosedAccountStays() async throws {
        try await JournalScene.with { scene in
            #expect(try await scene.put(scene.path(1), scene.anna, JournalScene.fed()).status == 201)
            #expect(try await scene.put(scene.path(2), scene.ben, JournalScene.fed()).status == 201)
            #expect(try await scene.put(scene.photo(9, of: 2), scene.ben, file: Pictures.jpeg).status == 201)
            try await scene.gateway.database.sql("SELECT close_account(\(scene.ben.account))")
            let seen = try await scene.get("/api/v1/journal", scene.anna)
            #expect(
                seen.json?["items"]?[0]?["by"] == .null && seen.json?["items"]?[0]?["photos"]?.array?.count == 1,
                "\(seen.text)")
            try await scene.gateway.database.sql("SELECT close_account(\(scene.anna.account))")
            let left =
                "SELECT (SELECT count(*) FROM journal_entry) + (SELECT count(*) FROM journal_photo) + (SELECT count(*) FROM care_version)"
            #expect(try await scene.gateway.ask(left) == "0")
        }
    }
}
