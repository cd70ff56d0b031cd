import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Samples of the field through the API: Anna owns pond-1, Ben watches it, Eve is a stranger.
@Suite(.timeLimit(.minutes(10))) struct FieldSampleRoutesTests {
    private static let base = "/api/v1/field-samples"
    private static func path(_ number: Int) -> String { "\(base)/\(JournalScene.id(number))" }

    /// - Parameter more: Members that are added, or stand in the place of others.
    private static func sample(_ values: [JSON] = [number(12.5)], _ more: [JSON.Member] = []) -> JSON {
        let members: [JSON.Member] = [
            .init("device", "pond-1"), .init("protocol", "river-full"), .init("protocolVersion", 1),
            .init("begunAt", "2026-05-01T10:00:00Z"), .init("state", "done"), .init("zone", "Europe/Berlin"),
            .init("utcOffset", 120), .init("surveyors", ["Ana", "Ben"]), .init("values", .array(values)),
        ]
        return .object(members.filter { one in !more.contains { $0.name == one.name } } + more)
    }

    private static func number(_ number: Double, of field: String = "temperature") -> JSON {
        ["field": .string(field), "number": .number(number)]
    }

    private static let tests = """
        SELECT string_agg(concat_ws(' ', v.parameter, v.value, v.choice, t.of_sample), ', ' ORDER BY v.parameter)
        FROM hand_test t JOIN hand_value v USING (slot, test_id)
        """

    @Test func `a sample that is sent twice counts once, and another content is a further version`() async throws {
        try await JournalScene.with { scene in
            let made = try await scene.put(Self.path(1), scene.ben, Self.sample())
            #expect(made.status == 201 && made[header: "ETag"] == "\"v1\"", "\(made.text)")
            #expect(made.json?["author"]?["isMe"] == true && made.json?["values"]?[0]?["number"] == 12.5)
            let again = try await scene.put(Self.path(1), scene.ben, Self.sample())
            #expect(again.status == 200 && again.body == made.body)
            #expect(try await scene.gateway.ask("SELECT count(*) FROM hand_test") == "1")

            let other = Self.sample([Self.number(13), Self.number(7.4, of: "ph")])
            let refused = try await scene.put(Self.path(1), scene.ben, other)
            #expect(refused.status == 412 && refused[header: "ETag"] == "\"v1\"")
            #expect(refused.json?["current"] == made.json, "the present version is shown beside what was refused")
            let changed = try await scene.put(Self.path(1), scene.ben, other, ifMatch: "\"v1\"")
            #expect(changed.status == 200 && changed[header: "ETag"] == "\"v2\"", "\(changed.text)")
            #expect(try await scene.gateway.ask(Self.tests) == "0 13 t, 1 7.4 t")
            #expect(try await scene.put(Self.path(1), scene.ben, Self.sample(), ifMatch: "\"v1\"").status == 412)
            #expect(try await scene.put(Self.path(1), scene.ben, other, ifMatch: "\"v1\"").status == 200, "sent again")

            let versions = try await scene.get(Self.path(1) + "/versions", scene.anna)
            #expect(versions.json?.array?.compactMap { $0["version"]?.integer } == [2, 1])
            let former = try await scene.get(Self.path(1) + "?version=1", scene.anna)
            #expect(former.json?["values"]?[0]?["number"] == 12.5 && former[header: "ETag"] == "\"v1\"")
            #expect(try await scene.get(Self.path(1) + "?version=3", scene.anna).status == 404)
        }
    }

    @Test func `what an answer says can be sent back`() async throws {
        try await JournalScene.with { scene in
            let values: [JSON] = [
                Self.number(12.5), ["field": "ph", "notMeasured": "no meter"], ["field": "nitrite", "below": 0.02],
                ["field": "level", "choice": "low"], ["field": "sources", "text": "a pipe"],
            ]
            let more: [JSON.Member] = [
                .init("endedAt", "2026-05-01T10:30:00Z"), .init("habitat", "Alders."), .init("comment", "Windy."),
                .init("weather", ["now": "clouded", "airTemperature": 18, "wind": 2]),
                .init("position", ["latitude": 52.5, "longitude": 13.4, "accuracy": 5, "source": "gps"]),
                .init("track", [[[0, 52.5, 13.4, 5], [60, 52.501, 13.4, .null]]]),
            ]
            let made = try await scene.put(Self.path(1), scene.anna, Self.sample(values, more))
            #expect(made.status == 201, "\(made.text)")
            #expect(made.json?["track"] == [[[0, 52.5, 13.4, 5], [60, 52.501, 13.4, .null]]])
            let sent = Set([
                "device", "protocol", "protocolVersion", "begunAt", "endedAt", "zone", "utcOffset", "state",
                "surveyors", "weather", "habitat", "comment", "position", "values", "track",
            ])
            let back = JSON.object(try #require(made.json?.members).filter { sent.contains($0.name) })
            #expect(back.members?.count == sent.count)
            let again = try await scene.put(Self.path(1), scene.anna, back)
            #expect(again.status == 200 && again.body == made.body, "\(again.text)")
        }
    }

    @Test func `values count by hand once the sample is done, and are not changed otherwise`() async throws {
        try await JournalScene.with { scene in
            let begun = Self.sample([Self.number(12.5)], [.init("state", "begun")])
            #expect(try await scene.put(Self.path(1), scene.anna, begun).status == 201)
            #expect(try await scene.gateway.ask("SELECT count(*) FROM hand_test") == "0")
            let done = try await scene.put(Self.path(1), scene.anna, Self.sample(), ifMatch: "\"v1\"")
            #expect(done.status == 200)
            let tests = "/api/v1/devices/pond-1/tests"
            let listed = try await scene.get(tests, scene.anna)
            #expect(
                listed.json?["items"]?[0]?["ofSample"] == true && listed.json?["items"]?[0]?["id"] == done.json?["id"])

            let test: JSON = ["at": "2026-05-01T10:00:00Z", "values": [["parameter": "ph", "value": 7]]]
            let refused = try await scene.put("\(tests)/\(JournalScene.id(1))", scene.anna, test, ifMatch: "*")
            #expect(refused.status == 409 && refused.code == "test-of-sample")
            #expect(try await scene.delete("\(tests)/\(JournalScene.id(1))", scene.anna).code == "test-of-sample")
            #expect(try await scene.gateway.ask(Self.tests) == "0 12.5 t")
        }
    }

    @Test func `who watches changes nothing of others, and a stranger finds nothing`() async throws {
        try await JournalScene.with { scene in
            #expect(try await scene.put(Self.path(1), scene.anna, Self.sample()).status == 201)
            let other = Self.sample([Self.number(20)])
            let seen = try await scene.get(Self.path(1), scene.ben)
            #expect(seen.json?["receivers"]?.array?.count == 1, "the owner")
            #expect(try await scene.put(Self.path(1), scene.ben, other, ifMatch: "*").code == "owner-only")
            let match: HTTPHeaders = ["If-Match": "*"]
            #expect(
                try await scene.gateway.request(.DELETE, Self.path(1), scene.ben, headers: match).code == "owner-only")
            let review: JSON = ["review": "approved"]
            #expect(
                try await scene.put(Self.path(1) + "/review", scene.ben, review, ifMatch: "*").code == "owner-only")
            #expect(try await scene.put(Self.path(1), scene.eve, other).status == 404)
            let hers = Self.sample([Self.number(20)], [.init("device", "pond-2")])
            #expect(try await scene.put(Self.path(1), scene.eve, hers).status == 404, "the id is somebody else's")
            #expect(try await scene.put(Self.path(2), scene.eve, hers).status == 201)
            #expect(try await scene.get(Self.path(1), scene.eve).status == 404)
            #expect(try await scene.get(Self.path(1) + "/versions", scene.eve).status == 404)
            #expect(try await scene.get(Self.base, scene.eve).json?["items"]?.array?.count == 1)
            #expect(try await scene.put(Self.path(2), scene.anna, other, ifMatch: "*").status == 404)
        }
    }

    @Test func `a sample that is withdrawn stays as one that says so, and may come back`() async throws {
        try await JournalScene.with { scene in
            let words: [JSON.Member] = [.init("comment", "Secret spring.")]
            #expect(try await scene.put(Self.path(1), scene.ben, Self.sample([Self.number(12)], words)).status == 201)
            #expect(try await scene.delete(Self.path(1), scene.ben).status == 428, "of which version?")
            let match: HTTPHeaders = ["If-Match": "\"v1\""]
            let gone = try await scene.gateway.request(.DELETE, Self.path(1), scene.ben, headers: match)
            #expect(gone.status == 200 && gone.json?["state"] == "withdrawn" && gone.json?["values"] == [])
            #expect(gone.json?["comment"] == .null && gone[header: "ETag"] == "\"v2\"")
            let again = try await scene.gateway.request(.DELETE, Self.path(1), scene.ben, headers: match)
            #expect(again.status == 200 && again.body == gone.body)
            #expect(try await scene.gateway.ask("SELECT count(*) FROM hand_test") == "0")
            let listed = try await scene.get(Self.base + "?device=pond-1", scene.anna)
            #expect(listed.json?["items"]?[0]?["state"] == "withdrawn", "nothing leaves the list")
            #expect(try await scene.put(Self.path(1), scene.ben, Self.sample()).status == 412)
            #expect(try await scene.put(Self.path(1), scene.ben, Self.sample(), ifMatch: "\"v2\"").status == 200)
            #expect(try await scene.gateway.ask(Self.tests) == "0 12.5 t")
        }
    }

    @Test func `a review is of one version`() async throws {
        try await JournalScene.with { scene in
            #expect(try await scene.put(Self.path(1), scene.ben, Self.sample()).status == 201)
            let path = Self.path(1) + "/review"
            let review: JSON = ["review": "hasIssues", "note": "Which meter?"]
            #expect(try await scene.put(path, scene.anna, review, ifMatch: "\"v2\"").status == 412)
            let reviewed = try await scene.put(path, scene.anna, review, ifMatch: "\"v1\"")
            #expect(reviewed.json?["review"]?["review"] == "hasIssues" && reviewed[header: "ETag"] == "\"v1\"")
            let log = "SELECT string_agg(action, ' ' ORDER BY entry_id) FROM audit_entry WHERE action LIKE 'sample.%'"
            #expect(try await scene.gateway.ask(log) == "sample.review")
            let changed = try await scene.put(Self.path(1), scene.ben, Self.sample([Self.number(9)]), ifMatch: "\"v1\"")
            #expect(changed.json?["review"] == .null)
        }
    }

    @Test(
        arguments: [
            ([number(61)], [], "/values/0/number", "too-large"),
            ([["field": "x", "number": 1]], [], "/values/0/field", "not-a-field"),
            ([["field": "temperature", "text": "warm"]], [], "/values/0/text", "not-of-the-field"),
            ([["field": "temperature"]], [], "/values/0", "not-a-sample-value"),
            ([["field": "temperature", "number": 1, "flag": true]], [], "/values/0", "not-a-sample-value"),
            ([], [], "/values/temperature", "missing"),
            ([number(12), ["field": "nitrite", "below": -0.02]], [], "/values/1/below", "too-small"),
            ([number(12), ["field": "nitrite", "above": -1]], [], "/values/1/above", "too-small"),
            ([number(12)], [.init("protocol", "no-such")], "/protocol", "not-a-protocol"),
            ([number(12)], [.init("protocolVersion", 2)], "/protocol", "not-a-protocol"),
            ([number(12)], [.init("endedAt", "2026-04-01T10:00:00Z")], "/endedAt", "not-a-time-of-a-sample"),
            ([number(12)], [.init("begunAt", "1989-12-31T10:00:00Z")], "/begunAt", "not-a-time-of-a-sample"),
            (
                [number(12)], [.init("track", [[[60, 52.5, 13.4, .null], [0, 52.5, 13.4, .null]]])], "/track",
                "not-a-track"
            ),
        ] as [([JSON], [JSON.Member], String, String)])
    func `what cannot be is refused at its place`(
        values: [JSON], more: [JSON.Member], pointer: String, code: String
    ) async throws {
        try await JournalScene.with { scene in
            let refused = try await scene.put(Self.path(1), scene.anna, Self.sample(values, more))
            #expect(refused.status == 422, "\(refused.text)")
            let fault = refused.json?["errors"]?[0]
            #expect(fault?["code"]?.string == code, "\(refused.text)")
            #expect(fault?["pointer"]?.string?.hasPrefix(pointer) == true, "\(refused.text)")
            #expect(try await scene.gateway.ask("SELECT count(*) FROM field_sample") == "0")
        }
    }

    @Test func `a clock that runs ahead is kept, flagged, and counts as now`() async throws {
        try await JournalScene.with { scene in
            let later = try await scene.gateway.ask(
                "SELECT to_char(now() AT TIME ZONE 'UTC' + interval '1 year', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
            let ahead: [JSON.Member] = [
                .init("begunAt", .string(later)), .init("sentAt", .string(later)),
            ]
            let made = try await scene.put(Self.path(1), scene.anna, Self.sample([Self.number(12)], ahead))
            #expect(made.status == 201 && made.json?["isFlagged"] == true, "\(made.text)")
            #expect((made.json?["clockOffset"]?.number ?? 0) > 86_400)
            #expect(try await scene.gateway.ask("SELECT at <= now() FROM hand_test") == "t")
        }
    }

    @Test func `the list goes on behind a cursor, the last change first`() async throws {
        try await JournalScene.with { scene in
            for number in 1...3 {
                #expect(try await scene.put(Self.path(number), scene.anna, Self.sample()).status == 201)
            }
            #expect(
                try await scene.put(Self.path(1), scene.anna, Self.sample([Self.number(9)]), ifMatch: "\"v1\"").status
                    == 200)
            let first = try await scene.page(Self.base + "?limit=2", scene.ben)
            #expect(first.ids == [1, 3])
            let rest = try await scene.page(Self.base + "?limit=2&after=\(try #require(first.next))", scene.ben)
            #expect(rest.ids == [2] && rest.next == nil)
        }
    }

    @Test func `a sample has no more versions, and a person no more samples a day, than may be`() async throws {
        try await JournalScene.with { scene in
            #expect(try await scene.put(Self.path(1), scene.anna, Self.sample()).status == 201)
            _ = try await scene.gateway.database.sql(
                "UPDATE growth_bound SET a_day = 1 WHERE held = 'field_sample'; UPDATE field_sample SET version = 100")
            let full = try await scene.put(Self.path(1), scene.anna, Self.sample([Self.number(9)]), ifMatch: "*")
            #expect(full.status == 409 && full.code == "sample-full")
            #expect(try await scene.put(Self.path(2), scene.anna, Self.sample()).status == 429)
            #expect(try await scene.put(Self.path(1), scene.anna, Self.sample()).status == 200)
        }
    }

    @Test func `photos are kept as those of the journal are, twenty of a sample`() async throws {
        try await JournalScene.with { scene in
            #expect(try await scene.put(Self.path(1), scene.ben, Self.sample()).status == 201)
            func photo(_ number: Int) -> String { Self.path(1) + "/photos/\(JournalScene.id(number))" }
            let added = try await scene.put(photo(50) + "?takenAt=2026-05-01T10:05:00Z", scene.ben, file: Pictures.jpeg)
            #expect(added.status == 201 && added.json?["takenAt"] == "2026-05-01T10:05:00Z", "\(added.text)")
            #expect(try await scene.put(photo(50), scene.ben, file: Pictures.jpeg).status == 200)
            #expect(try await scene.put(photo(50), scene.ben, file: Pictures.png).status == 412)
            let shown = try await scene.get(photo(50), scene.anna)
            #expect(shown.body == (try CleanImage(Pictures.jpeg).bytes))
            #expect(try await scene.get(photo(50), scene.eve).status == 404)
            let sample = try await scene.get(Self.path(1), scene.anna)
            #expect(sample.json?["photos"]?[0] == added.json && sample[header: "ETag"] == "\"v1\"")
            for number in 51...69 {
                #expect(try await scene.put(photo(number), scene.ben, file: Pictures.jpeg).status == 201)
            }
            #expect(try await scene.put(photo(70), scene.ben, file: Pictures.jpeg).code == "photos-full")
            #expect(try await scene.delete(photo(50), scene.anna).status == 204, "the owner may")
            #expect(try await scene.put(photo(70), scene.anna, file: Pictures.jpeg).status == 201)
            #expect(try await scene.delete(photo(70), scene.eve).status == 404)
        }
    }

    @Test func `samples are tables`() async throws {
        try await JournalScene.with { scene in
            let values: [JSON] = [
                Self.number(12.5), ["field": "nitrite", "below": 0.02], ["field": "ph", "notMeasured": "=1+1"],
            ]
            let track: [JSON.Member] = [.init("track", [[[0, 52.5, -13.4, 5]], [[60, 52.6, -13.4, .null]]])]
            #expect(try await scene.put(Self.path(1), scene.anna, Self.sample(values, track)).status == 201)
            func lines(_ kind: String) async throws -> [Substring] {
                let table = try await scene.get("\(Self.base).csv?kind=\(kind)&device=pond-1", scene.ben)
                #expect(table.status == 200 && table[header: "Content-Type"]?.hasPrefix("text/csv") == true)
                return table.text.split(separator: "\r\n")
            }
            let surveys = try await lines("surveys")
            #expect(surveys.count == 2 && surveys[1].contains(",pond-1,1,done,river-full,1,2026-05-01T10:00:00Z,"))
            #expect(try await lines("samples").count == 2)
            let found = try await lines("values")
            #expect(found.count == 4 && found[1].contains(",temperature,,,12.5,,C,,,temperature,"))
            #expect(found[2].contains(",nitrite,,,0.02,<,ppm,") && found[3].hasSuffix(",'=1+1"), "no formula")
            #expect(try await lines("tracks").map { $0.hasSuffix(",2026-05-01T10:01:00Z,52.6,-13.4,") }.last == true)
            let foreign = try await scene.get("\(Self.base).csv?kind=values", scene.eve)
            #expect(foreign.text.split(separator: "\r\n").count == 1)
        }
    }

    /// What a watcher took stays with the owner, and is theirs to take along and to have forgotten.
    @Test func `whoever leaves takes their samples along, and their name is forgotten with their account`() async throws
    {
        try await JournalScene.with { scene in
            let words: [JSON.Member] = [.init("comment", "By the alder.")]
            #expect(try await scene.put(Self.path(1), scene.ben, Self.sample([Self.number(12)], words)).status == 201)
            #expect(try await scene.put(Self.path(2), scene.ben, Self.sample()).status == 201)
            for version in 1...2 {
                let other = Self.sample([Self.number(Double(version))])
                let changed = try await scene.put(Self.path(2), scene.anna, other, ifMatch: "\"v\(version)\"")
                #expect(changed.status == 200, "\(changed.text)")
            }
            try await scene.gateway.database.sql(
                "UPDATE account SET display_name = 'Ben' WHERE account_id = \(scene.ben.account)")
            try await scene.unlink("pond-1", from: scene.ben)
            #expect(try await scene.get(Self.path(1), scene.ben).status == 404)
            let left = try await scene.get("/api/v1/former-tanks", scene.ben)
            #expect(left.json?["items"]?[0]?["source"] == "sample" && left.text.contains("By the alder."))
            let path = "/api/v1/former-tanks/sample/\(JournalScene.id(1))"
            #expect(try await scene.delete(path, scene.ben).status == 204)
            let stays = try await scene.get(Self.path(1), scene.anna)
            #expect(stays.json?["comment"] == .null && stays.json?["values"]?[0]?["number"] == .number(12))

            try await scene.gateway.database.sql("SELECT close_account(\(scene.ben.account))")
            let nameless = try await scene.get(Self.path(1), scene.anna)
            #expect(nameless.json?["author"] == .null && nameless.json?["surveyors"] == ["Ana"])
            let named = "SELECT count(*) FROM field_sample_version WHERE content -> 'surveyors' ? 'Ben'"
            #expect(try await scene.gateway.ask(named) == "0", "nor in what others made of their samples")
        }
    }
}
