import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Zones: a person's own and a project's, who sees and who changes them, their outlines and bounds.
@Suite(.timeLimit(.minutes(5))) struct ZoneRouteTests {
    typealias Reply = GatewayUnderTest.Reply
    typealias Person = GatewayUnderTest.Person

    private static let base = "/api/v1/zones"
    private static let river: [(Double, Double)] = [(48.2, 16.3), (48.3, 16.3), (48.3, 16.4)]

    private static func content(
        _ name: String, _ places: [(Double, Double)] = river, isFavourite: Bool? = nil, project: String? = nil
    ) -> JSON {
        let corners = places.map { JSON.object([.init("latitude", .number($0.0)), .init("longitude", .number($0.1))]) }
        var members: [JSON.Member] = [.init("name", .string(name)), .init("outline", .array(corners))]
        if let isFavourite { members.append(.init("favourite", .bool(isFavourite))) }
        if let project { members.append(.init("project", .string(project))) }
        return .object(members)
    }

    /// The path of a zone that was made.
    private static func path(_ reply: Reply) throws -> String {
        #expect(reply.status == 201, "\(reply.text)")
        return "\(base)/\(try #require(reply.json?["id"]?.string))"
    }

    @Test func `a zone is drawn, changed in versions, and removed`() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (
                try await gateway.person("anna@example.com"), try await gateway.person("ben@example.com")
            )
            let made = try await gateway.request(.POST, Self.base, anna, json: Self.content("Upper river"))
            let path = try Self.path(made)
            #expect(made[header: "Location"] == path && made[header: "ETag"] == "\"v1\"")
            #expect(made.json?["favourite"] == false && made.json?["project"] == .null)
            #expect(made.json?["outline"]?.array?.count == 3)
            #expect(made.json?["outline"]?.array?.first?["latitude"]?.number == 48.2, "\(made.text)")
            let next = Self.content("River", Self.river + [(48.25, 16.36)], isFavourite: true)
            let without = try await gateway.request(.PUT, path, anna, json: next)
            #expect(without.status == 428)
            let changed = try await gateway.request(.PUT, path, anna, json: next, headers: ["If-Match": "\"v1\""])
            #expect(changed.status == 200 && changed[header: "ETag"] == "\"v2\"", "\(changed.text)")
            #expect(changed.json?["name"]?.string == "River" && changed.json?["favourite"] == true)
            let old = try await gateway.request(
                .PUT, path, anna, json: Self.content("Old"), headers: ["If-Match": "\"v1\""])
            #expect(old.status == 412)
            #expect(try await gateway.request(.GET, path, anna).text == changed.text, "what is refused changes nothing")
            #expect(try await gateway.request(.GET, Self.base, anna).json?.array?.count == 1)
            #expect(try await gateway.request(.GET, path, ben).status == 404)
            #expect(try await gateway.request(.GET, Self.base, ben).text == "[]")
            let foreign = try await gateway.request(.PUT, path, ben, json: next, headers: ["If-Match": "*"])
            #expect(foreign.status == 404)
            #expect(try await gateway.request(.DELETE, path, ben).status == 404)
            #expect(try await gateway.request(.DELETE, path, anna).status == 204)
            #expect(try await gateway.request(.DELETE, path, anna).status == 404)
            let log = "SELECT string_agg(action, ' ' ORDER BY entry_id) FROM audit_entry WHERE action LIKE 'zone.%'"
            #expect(try await gateway.ask(log) == "zone.add zone.change zone.remove")
        }
    }

    @Test func `what is no outline is refused, and says why`() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let wrong: [([(Double, Double)], String)] = [
                ([(0, 0), (1, 1)], "too-few"), ((0...200).map { (Double($0) / 10, 0) }, "too-many"),
                ([(0, 0), (1, 1), (0, 1), (1, 0)], "outline-crosses"), ([(0, 0), (1, 1), (0, 0)], "repeated"),
                ([(0, -179), (1, 179), (2, 0)], "outline-too-wide"), ([(91, 0), (1, 1), (0, 1)], "too-large"),
            ]
            for (places, code) in wrong {
                let refused = try await gateway.request(.POST, Self.base, anna, json: Self.content("River", places))
                #expect(refused.status == 422 && refused.text.contains(code), "\(code): \(refused.text)")
            }
            let member = JSON.object([
                .init("name", "River"), .init("outline", .array([["latitude": 1], ["latitude": 2], ["latitude": 3]])),
            ])
            let refused = try await gateway.request(.POST, Self.base, anna, json: member)
            #expect(refused.status == 422 && refused.text.contains("not-a-corner"), "\(refused.text)")
            #expect(try await gateway.ask("SELECT count(*) FROM zone") == "0")
        }
    }

    /// The key is the person's, whoever the zone is of.
    @Test func `a zone that is asked for twice is drawn once`() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            var replies: [Reply] = []
            for _ in 1...2 {
                replies.append(
                    try await gateway.request(
                        .POST, Self.base, anna, json: Self.content("River"), headers: ["Idempotency-Key": "key-1"]))
            }
            #expect(replies.map(\.status) == [201, 201] && replies[0].text == replies[1].text)
            #expect(try await gateway.ask("SELECT count(*) FROM zone") == "1")
        }
    }

    @Test func `a project's zone is seen by all who take part, and changed by its owners and administrators`()
        async throws
    {
        try await ProjectScene.with { scene in
            let gateway = scene.gateway
            let wish = Self.content("Delta", project: scene.id)
            let path = try Self.path(try await gateway.request(.POST, Self.base, scene.administrator, json: wish))
            for (person, may) in [
                (scene.owner, true), (scene.administrator, true), (scene.keeper, false), (scene.viewer, false),
            ] {
                let shown = try await gateway.request(.GET, path, person)
                #expect(shown.json?["mayChange"] == .bool(may) && shown.json?["project"]?.string == scene.id)
                #expect(try await gateway.request(.GET, Self.base, person).json?.array?.count == 1)
            }
            let next = Self.content("Mine")
            for person in [scene.keeper, scene.viewer] {
                let refused = [
                    try await gateway.request(.PUT, path, person, json: next, headers: ["If-Match": "*"]),
                    try await gateway.request(.DELETE, path, person),
                    try await gateway.request(.POST, Self.base, person, json: wish),
                ]
                for reply in refused { #expect(reply.code == "administrators-only", "\(reply.text)") }
            }
            for person in [scene.former, scene.stranger] {
                #expect(try await gateway.request(.GET, path, person).status == 404)
                #expect(try await gateway.request(.GET, Self.base, person).text == "[]")
                #expect(
                    try await gateway.request(.PUT, path, person, json: next, headers: ["If-Match": "*"]).status == 404)
                #expect(try await gateway.request(.POST, Self.base, person, json: wish).status == 404)
            }
            let changed = try await gateway.request(.PUT, path, scene.owner, json: next, headers: ["If-Match": "*"])
            #expect(changed.status == 200 && changed.json?["name"]?.string == "Mine", "\(changed.text)")
            #expect(try await gateway.request(.DELETE, scene.path, scene.owner).status == 204)
            #expect(try await gateway.ask("SELECT count(*) FROM zone") == "0", "a project takes its zones along")
        }
    }

    @Test func `there are a hundred zones, and one that goes makes room`() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            try await gateway.database.sql(
                """
                INSERT INTO zone (account_id, place, name, outline)
                SELECT \(anna.account), n, 'River ' || n, '{48000000,16000000,48100000,16000000,48000000,16100000}'
                FROM generate_series(1, \(Zone.most)) n
                """)
            let more = try await gateway.request(.POST, Self.base, anna, json: Self.content("More"))
            #expect(more.status == 409 && more.code == "too-many-zones", "\(more.text)")
            try await gateway.database.sql("DELETE FROM zone WHERE place = 40")
            #expect(try await gateway.request(.POST, Self.base, anna, json: Self.content("More")).status == 201)
        }
    }
}
