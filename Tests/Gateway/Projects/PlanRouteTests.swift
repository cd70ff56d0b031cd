import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Plans: a person's own and a project's, who sees and who changes them, their pictures and bounds, and what leaves them.
@Suite(.timeLimit(.minutes(5))) struct PlanRouteTests {
    typealias Reply = GatewayUnderTest.Reply
    typealias Person = GatewayUnderTest.Person

    private static let base = "/api/v1/plans"

    private static func make(
        _ gateway: GatewayUnderTest, _ person: Person, _ name: String = "Hall", project: String? = nil
    ) async throws -> Reply {
        let wish: JSON = project.map { ["name": .string(name), "project": .string($0)] } ?? ["name": .string(name)]
        return try await gateway.request(.POST, base, person, json: wish)
    }

    /// The path of a plan that was made.
    private static func path(_ reply: Reply) throws -> String {
        #expect(reply.status == 201, "\(reply.text)")
        return "\(base)/\(try #require(reply.json?["id"]?.string))"
    }

    /// - Parameter places: Devices with their places.
    private static func place(
        _ gateway: GatewayUnderTest, _ path: String, _ person: Person, _ places: [(String, Int, Int)],
        ifMatch: String = "*"
    ) async throws -> Reply {
        let list = places.map { (device, x, y) -> JSON in
            ["device": .string(device), "x": .integer(Int64(x)), "y": .integer(Int64(y))]
        }
        return try await gateway.request(
            .PUT, path + "/places", person, json: ["places": .array(list)], headers: ["If-Match": ifMatch])
    }

    @Test func `a person's own plan has their own tanks, in versions`() async throws {
        try await GatewayUnderTest.with { gateway in
            let (anna, ben) = (
                try await gateway.person("anna@example.com"), try await gateway.person("ben@example.com")
            )
            for (device, person) in [("pond-1", anna), ("pond-2", anna), ("pond-3", ben)] {
                try await gateway.link(device, to: person)
            }
            let made = try await Self.make(gateway, anna)
            let path = try Self.path(made)
            #expect(made.json?["picture"] == .null && made.json?["places"] == [] && made.json?["project"] == .null)
            #expect(made[header: "Location"] == path && made[header: "ETag"] == "\"v1\"")
            let placed = try await Self.place(
                gateway, path, anna, [("pond-2", 1000, 0), ("pond-1", 250, 500)], ifMatch: "\"v1\"")
            #expect(
                placed.json?["places"] == [
                    ["device": "pond-1", "x": 250, "y": 500], ["device": "pond-2", "x": 1000, "y": 0],
                ], "\(placed.text)")
            #expect(placed[header: "ETag"] == "\"v2\"")
            let old = try await Self.place(gateway, path, anna, [], ifMatch: "\"v1\"")
            #expect(old.status == 412)
            let without = try await gateway.request(.PUT, path + "/places", anna, json: ["places": []])
            #expect(without.status == 428)
            for wrong in [[("pond-3", 1, 1)], [("pond-9", 1, 1)], [("pond-1", 1, 1), ("pond-1", 2, 2)]] {
                let refused = try await Self.place(gateway, path, anna, wrong)
                #expect(refused.status == 422 && refused.code == "invalid-input", "\(wrong): \(refused.text)")
            }
            let outside = try await Self.place(gateway, path, anna, [("pond-1", 1001, 0)])
            #expect(outside.status == 422, "\(outside.text)")
            let shown = try await gateway.request(.GET, path, anna)
            #expect(shown.text == placed.text, "what is refused changes nothing")
            let renamed = try await gateway.request(
                .PATCH, path, anna, json: ["name": "Barn"], headers: ["If-Match": "\"v2\""])
            #expect(renamed.json?["name"]?.string == "Barn" && renamed.json?["version"] == 3, "\(renamed.text)")
            #expect(try await gateway.request(.GET, path, ben).status == 404)
            #expect(try await gateway.request(.GET, Self.base, ben).text == "[]")
            #expect(try await gateway.request(.DELETE, path, ben).status == 404)
            #expect(try await gateway.request(.DELETE, path, anna).status == 204)
            #expect(try await gateway.ask("SELECT count(*) FROM plan_place") == "0")
            let log = "SELECT string_agg(action, ' ' ORDER BY entry_id) FROM audit_entry WHERE action LIKE 'plan.%'"
            #expect(try await gateway.ask(log) == "plan.add plan.change plan.change plan.remove")
        }
    }

    /// The key is the person's, whoever the plan is of.
    @Test func `a plan that is asked for twice is begun once`() async throws {
        try await ProjectScene.with { scene in
            for wish in [["name": "Hall"], ["name": "Farm", "project": .string(scene.id)]] as [JSON] {
                let key = "key-\(wish["name"]?.string ?? "")"
                var replies: [Reply] = []
                for _ in 1...2 {
                    replies.append(
                        try await scene.gateway.request(
                            .POST, Self.base, scene.owner, json: wish, headers: ["Idempotency-Key": key]))
                }
                #expect(replies.map(\.status) == [201, 201], "\(replies.map(\.text))")
                #expect(replies[0].text == replies[1].text)
            }
            #expect(try await scene.gateway.ask("SELECT count(*) FROM site_plan") == "2")
        }
    }

    @Test func `a project's plan is seen by all who take part, and changed by its owners and administrators`()
        async throws
    {
        try await ProjectScene.with { scene in
            let path = try Self.path(
                try await Self.make(scene.gateway, scene.administrator, "Farm", project: scene.id))
            let placed = try await Self.place(scene.gateway, path, scene.owner, [("pond-1", 10, 20)])
            #expect(placed.status == 200 && placed.json?["project"]?.string == scene.id, "\(placed.text)")
            for (person, may) in [
                (scene.owner, true), (scene.administrator, true), (scene.keeper, false), (scene.viewer, false),
            ] {
                let shown = try await scene.gateway.request(.GET, path, person)
                #expect(shown.json?["mayChange"] == .bool(may) && shown.json?["places"]?.array?.count == 1)
                let listed = try await scene.gateway.request(.GET, Self.base, person)
                #expect(listed.json?.array?.count == 1, "\(listed.text)")
            }
            for person in [scene.keeper, scene.viewer] {
                let refused = [
                    try await Self.place(scene.gateway, path, person, []),
                    try await scene.gateway.request(
                        .PATCH, path, person, json: ["name": "Mine"], headers: ["If-Match": "*"]),
                    try await scene.gateway.request(.DELETE, path, person),
                    try await Self.make(scene.gateway, person, project: scene.id),
                ]
                for reply in refused { #expect(reply.code == "administrators-only", "\(reply.text)") }
            }
            for person in [scene.former, scene.stranger] {
                #expect(try await scene.gateway.request(.GET, path, person).status == 404)
                #expect(try await scene.gateway.request(.GET, Self.base, person).text == "[]")
                #expect(try await Self.place(scene.gateway, path, person, []).status == 404)
                #expect(try await Self.make(scene.gateway, person, project: scene.id).status == 404)
            }
            #expect(try await scene.gateway.ask("SELECT name FROM site_plan") == "Farm")
            // A device that the project gives up leaves its plan, and nobody else's.
            let unlinked = try await scene.gateway.request(.DELETE, scene.device, scene.owner, headers: scene.acting)
            #expect(unlinked.status / 100 == 2, "\(unlinked.text)")
            #expect(try await scene.gateway.request(.GET, path, scene.viewer).json?["places"] == [])
            #expect(try await scene.gateway.ask("SELECT count(*) FROM plan_place") == "0")
        }
    }

    /// A device that moves into a project leaves its former owner's plan, and the plans of a project go with it.
    @Test func `a tank stands on no plan of somebody who has it no more`() async throws {
        try await ProjectScene.with { scene in
            let gateway = scene.gateway
            try await gateway.link("pond-2", to: scene.owner)
            let own = try Self.path(try await Self.make(gateway, scene.owner))
            #expect(try await Self.place(gateway, own, scene.owner, [("pond-2", 1, 1)]).status == 200)
            let moved = try await gateway.request(
                .POST, "\(scene.path)/devices", scene.owner, json: ["device": "pond-2"])
            #expect(moved.status == 204, "\(moved.text)")
            #expect(try await gateway.request(.GET, own, scene.owner).json?["places"] == [])
            let farm = try Self.path(try await Self.make(gateway, scene.owner, project: scene.id))
            #expect(
                try await Self.place(gateway, farm, scene.owner, [("pond-1", 1, 1), ("pond-2", 2, 2)]).status == 200)
            let dissolved = try await gateway.request(.DELETE, scene.path, scene.owner)
            #expect(dissolved.status == 204, "\(dissolved.text)")
            #expect(try await gateway.ask("SELECT count(*) FROM site_plan") == "1")
            #expect(try await gateway.ask("SELECT count(*) FROM plan_place") == "0")
        }
    }

    @Test func `a picture is cleaned, bounded, shown as a stranger's, and taken away`() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            let path = try Self.path(try await Self.make(gateway, anna))
            func put(_ file: [UInt8], _ type: String = "image/jpeg", ifMatch: String = "*") async throws -> Reply {
                try await gateway.request(
                    .PUT, path + "/picture", anna, body: file, headers: ["Content-Type": type, "If-Match": ifMatch])
            }
            #expect(try await gateway.request(.GET, path + "/picture", anna).status == 404)
            let added = try await put(Pictures.jpeg, ifMatch: "\"v1\"")
            #expect(added.json?["picture"]?["width"] == 16 && added.json?["version"] == 2, "\(added.text)")
            let shown = try await gateway.request(.GET, path + "/picture", anna)
            #expect(try shown.body == CleanImage(Pictures.jpeg).bytes)
            #expect(shown[header: "Content-Type"] == "image/jpeg")
            #expect(shown[header: "X-Content-Type-Options"] == "nosniff")
            #expect(shown[header: "Content-Security-Policy"] == "sandbox; default-src 'none'; frame-ancestors 'none'")
            #expect(shown[header: "Cache-Control"] == "private, no-cache")
            #expect(shown[header: "ETag"] == added.json?["picture"]?["tag"]?.string.map { "\"\($0)\"" })
            let tries: [(file: [UInt8], type: String, status: Int, code: String)] = [
                (Pictures.jpeg, "image/svg+xml", 415, "image-type"), (Pictures.gif, "image/jpeg", 415, "image-type"),
                (Pictures.animatedPNG, "image/png", 422, "image-animated"),
                ([UInt8](repeating: 0xFF, count: 300 * 1024 + 1), "image/jpeg", 413, "body-too-large"),
            ]
            for (file, type, status, code) in tries {
                let reply = try await put(file, type)
                #expect(reply.status == status && reply.code == code, "\(code): \(reply.text)")
            }
            #expect(try await put(Pictures.png, "image/png", ifMatch: "\"v1\"").status == 412)
            let other = try await put(Pictures.png, "image/png")
            #expect(other.json?["picture"]?["tag"] != added.json?["picture"]?["tag"], "\(other.text)")
            let taken = try await gateway.request(
                .DELETE, path + "/picture", anna, headers: ["If-Match": "\"v3\""])
            #expect(taken.json?["picture"] == .null && taken.json?["version"] == 4, "\(taken.text)")
            #expect(try await gateway.ask("SELECT count(*) FROM plan_picture") == "0")
        }
    }

    @Test func `there are ten plans, and one that goes makes room`() async throws {
        try await GatewayUnderTest.with { gateway in
            let anna = try await gateway.person("anna@example.com")
            var paths: [String] = []
            for number in 1...SitePlan.most {
                paths.append(try Self.path(try await Self.make(gateway, anna, "Hall \(number)")))
            }
            let more = try await Self.make(gateway, anna)
            #expect(more.status == 409 && more.code == "too-many-plans", "\(more.text)")
            #expect(try await gateway.request(.DELETE, paths[3], anna).status == 204)
            #expect(try await Self.make(gateway, anna).status == 201)
            let many = (0...SitePlan.mostPlaces).map { ("pond-\($0)", 1, 1) }
            #expect(try await Self.place(gateway, paths[0], anna, many).status == 422)
        }
    }
}
