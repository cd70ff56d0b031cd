import NIOHTTP1
import Routes
import Secrets
import TestSupport
import Testing

@testable import Gateway

/// Photos: added once, cleaned, bounded, and shown to those who share the tank, by headers that let no browser run them.
@Suite(.timeLimit(.minutes(10))) struct PhotoRoutesTests {
    private static func withEntry(_ body: @Sendable @escaping (JournalScene) async throws -> Void) async throws {
        try await JournalScene.with { scene in
            #expect(try await scene.put(scene.path(1), scene.anna, JournalScene.fed()).status == 201)
            try await body(scene)
        }
    }

    @Test func aPhotoIsCleanedAndShown() async throws {
        try await Self.withEntry { scene in
            let path = scene.photo(9, of: 1)
            let added = try await scene.put(path, scene.anna, file: Pictures.jpeg)
            #expect(
                added.status == 201 && added.json?["type"] == "image/jpeg" && added.json?["width"] == 16,
                "\(added.text)")
            let again = try await scene.put(path, scene.anna, file: Pictures.jpeg)
            #expect(again.status == 200 && again.text == added.text)
            #expect(try await scene.put(path, scene.anna, file: Pictures.png).status == 412, "a photo never changes")

            let clean = try CleanImage(Pictures.jpeg).bytes
            let shown = try await scene.get(path, scene.ben)
            #expect(shown.status == 200 && shown.body == clean)
            #expect(shown[header: "Content-Type"] == "image/jpeg")
            #expect(shown[header: "Content-Disposition"] == "inline; filename=\"\(JournalScene.id(9)).jpg\"")
            #expect(shown[header: "X-Content-Type-Options"] == "nosniff")
            #expect(shown[header: "Content-Security-Policy"] == "sandbox; default-src 'none'; frame-ancestors 'none'")
            #expect(shown[header: "Cache-Control"] == "private, max-age=31536000, immutable")
            #expect(shown[header: "Cross-Origin-Resource-Policy"] == "same-origin")
            #expect(shown[header: "ETag"] == added[header: "ETag"])
            let listed = try await scene.get("/api/v1/journal", scene.anna)
            let photo = try #require(added.json)
            #expect(listed.json?["items"]?[0]?["photos"] == [photo])
            #expect(listed.json?["items"]?[0]?["version"] == 1, "a photo is no change of its entry")

            #expect(try await scene.delete(path, scene.anna).status == 204)
            #expect(try await scene.get(path, scene.anna).status == 404)
        }
    }

    @Test func theSmallPictureComesAfterwards() async throws {
        try await Self.withEntry { scene in
            let path = scene.photo(9, of: 1)
            #expect(try await scene.put(path + "/small", scene.anna, file: Pictures.webP).status == 404, "of no photo")
            #expect(try await scene.put(path, scene.anna, file: Pictures.jpeg).status == 201)
            let inPlace = try await scene.get(path + "?size=small", scene.anna)
            #expect(
                inPlace[header: "Content-Type"] == "image/jpeg"
                    && inPlace[header: "Cache-Control"] == "private, no-cache")
            for _ in 1...2 {
                #expect(try await scene.put(path + "/small", scene.anna, file: Pictures.webP).status == 200)
            }
            #expect(try await scene.put(path + "/small", scene.anna, file: Pictures.png).status == 412)
            let small = try await scene.get(path + "?size=small", scene.anna)
            let clean = try CleanImage(Pictures.webP).bytes
            #expect(small.body == clean && small[header: "Content-Type"] == "image/webp")
            #expect(small[header: "ETag"] != inPlace[header: "ETag"])
            let large = try await scene.put(
                path + "/small", scene.anna, file: [UInt8](repeating: 0xFF, count: 40 * 1024 + 1))
            #expect(large.status == 413)
        }
    }

    /// The small picture counts when it comes, not with the next photo: here in the function itself, with room for less.
    @Test func theSmallPictureHasToHaveRoom() async throws {
        try await Self.withEntry { scene in
            let path = scene.photo(9, of: 1)
            #expect(try await scene.put(path, scene.anna, file: Pictures.jpeg).status == 201)
            let needed = try CleanImage(Pictures.jpeg).bytes.count + CleanImage(Pictures.webP).bytes.count
            func setRoom(_ bytes: String, instead of: String) async throws {
                try await scene.gateway.database.sql(
                    """
                    DO $$ BEGIN
                        EXECUTE replace(
                            pg_get_functiondef('has_room_for_photos(bigint,integer)'::regprocedure), '<= \(of);', '<= \(bytes);');
                    END $$
                    """)
            }
            try await setRoom("\(needed - 1)", instead: "256 * 1024 * 1024")
            let refused = try await scene.put(path + "/small", scene.anna, file: Pictures.webP)
            #expect(refused.status == 409 && refused.code == "photos-full", "\(refused.text)")
            try await setRoom("\(needed)", instead: "\(needed - 1)")
            for _ in 1...2 {
                #expect(try await scene.put(path + "/small", scene.anna, file: Pictures.webP).status == 200)
            }
            #expect(try await scene.put(scene.photo(10, of: 1), scene.anna, file: Pictures.png).code == "photos-full")
        }
    }

    @Test func otherFilesAreRefusedWithWhatToDo() async throws {
        try await Self.withEntry { scene in
            let path = scene.photo(9, of: 1)
            let tries: [(file: [UInt8], type: String, status: Int, code: String)] = [
                (Pictures.jpeg, "image/svg+xml", 415, "image-type"),
                (Pictures.jpeg, "application/json", 415, "image-type"),
                (Pictures.gif, "image/jpeg", 415, "image-type"), (Array("<svg/>".utf8), "image/png", 415, "image-type"),
                (Pictures.animatedPNG, "image/png", 422, "image-animated"),
                (Array(Pictures.png.dropLast()), "image/png", 422, "image-broken"),
                ([UInt8](repeating: 0xFF, count: 300 * 1024 + 1), "image/jpeg", 413, "body-too-large"),
            ]
            for (file, type, status, code) in tries {
                let reply = try await scene.put(path, scene.anna, file: file, type: type)
                #expect(reply.status == status && reply.code == code, "\(type) \(code): \(reply.text)")
                if code.hasPrefix("image") { #expect(reply.json?["detail"]?.string?.isEmpty == false) }
            }
            #expect(try await scene.gateway.ask("SELECT count(*) FROM journal_photo") == "0")
        }
    }

    /// Photos beyond the usual size of a body are read for people alone.
    @Test func nobodyElseHasALargeBodyRead() async throws {
        try await Self.withEntry { scene in
            let path = scene.photo(9, of: 1)
            let large = [UInt8](repeating: 0xFF, count: 200 * 1024)
            let nobody = try await scene.gateway.request(
                .PUT, path, token: PersonalToken.generate().text, body: large,
                headers: ["Content-Type": "image/jpeg"])
            #expect(nobody.status == 401, "\(nobody.text)")
            #expect(try await scene.put(path, scene.anna, file: large).code == "image-type", "read, and refused")
            #expect(
                try await scene.put("/api/v1/devices/pond-1/livestock/\(JournalScene.id(1))", scene.anna, file: large)
                    .status == 413)
        }
    }

    @Test func anothersPhotoIsNotThere() async throws {
        try await Self.withEntry { scene in
            #expect(try await scene.put(scene.photo(9, of: 1), scene.anna, file: Pictures.jpeg).status == 201)
            #expect(try await scene.put(scene.path(2, of: "pond-2"), scene.eve, JournalScene.fed()).status == 201)
            #expect(try await scene.put(scene.path(3), scene.ben, JournalScene.fed()).status == 201)
            for (path, person) in [
                (scene.photo(9, of: 1), scene.eve), (scene.photo(9, of: 2, on: "pond-2"), scene.eve),
                (scene.photo(9, of: 1, on: "pond-2"), scene.eve), (scene.photo(9, of: 3), scene.ben),
            ] {
                #expect(try await scene.get(path, person).status == 404, "\(path)")
                #expect(try await scene.put(path, person, file: Pictures.jpeg).status == 404, "\(path)")
                #expect(try await scene.put(path + "/small", person, file: Pictures.webP).status == 404, "\(path)")
                #expect(try await scene.delete(path, person).status == 404, "\(path)")
            }
            try await scene.unlink("pond-1", from: scene.ben)
            #expect(try await scene.get(scene.photo(9, of: 1), scene.ben).status == 404)
        }
    }

    @Test func anEntryHasRoomForSix() async throws {
        try await Self.withEntry { scene in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await scene.put(scene.photo(10 + number, of: 1), scene.anna, file: Pictures.png).status
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 201 }.count <= 6)
            // Four bodies of a person are read at once; who came too many asks again.
            for number in 0..<8 {
                _ = try await scene.put(scene.photo(10 + number, of: 1), scene.anna, file: Pictures.png)
            }
            #expect(
                try await scene.gateway.ask("SELECT string_agg(place::text, ' ' ORDER BY place) FROM journal_photo")
                    == "1 2 3 4 5 6")
            let full = try await scene.put(scene.photo(30, of: 1), scene.anna, file: Pictures.png)
            #expect(full.status == 409 && full.code == "photos-full", "\(full.text)")
            let third = try await scene.gateway.ask("SELECT photo_id FROM journal_photo WHERE place = 3")
            #expect(try await scene.delete(scene.path(1) + "/photos/" + third, scene.anna).status == 204)
            #expect(try await scene.put(scene.photo(30, of: 1), scene.anna, file: Pictures.png).status == 201)
            #expect(try await scene.delete(scene.path(1), scene.anna).status == 204)
            #expect(try await scene.gateway.ask("SELECT count(*) FROM journal_photo") == "0")
        }
    }
}
