import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// A project with a device, somebody in each role, a stranger, and somebody who was in it.
struct ProjectScene: Sendable {
    typealias Person = GatewayUnderTest.Person

    let gateway: GatewayUnderTest
    let id: String
    let owner: Person
    let administrator: Person
    let keeper: Person
    let viewer: Person
    let former: Person
    let stranger: Person

    static let base = "/api/v1"
    var path: String { "\(Self.base)/projects/\(id)" }
    var device: String { "\(Self.base)/devices/pond-1" }
    /// The header by which whoever may act for the project does.
    var acting: HTTPHeaders { ["Aqua-Project": id] }

    static func with(_ body: @escaping @Sendable (ProjectScene) async throws -> Void) async throws {
        try await GatewayUnderTest.with { gateway in
            var people: [Person] = []
            for name in ["owner", "administrator", "keeper", "viewer", "former", "stranger"] {
                people.append(try await gateway.person("\(name)@example.com"))
            }
            let made = try await gateway.request(.POST, "\(base)/projects", people[0], json: ["name": "Koi Farm"])
            #expect(made.status == 201 && made.json?["role"]?.string == "owner", "\(made.text)")
            let scene = ProjectScene(
                gateway: gateway, id: try #require(made.json?["id"]?.string), owner: people[0],
                administrator: people[1], keeper: people[2], viewer: people[3], former: people[4], stranger: people[5])
            let code = try await gateway.addDevice("pond-1")
            let linked = try await gateway.request(
                .POST, "\(base)/devices", scene.owner, json: ["claimCode": .string(code), "name": "Pond"],
                headers: scene.acting)
            #expect(linked.status == 201 && linked.json?["role"]?.string == "owner", "\(linked.text)")
            for (person, role) in [
                (scene.administrator, "administrator"), (scene.keeper, "keeper"), (scene.viewer, "viewer"),
                (scene.former, "keeper"),
            ] {
                #expect(try await scene.join(scene.invite(role), person).status == 201)
            }
            #expect(try await scene.remove(scene.former, by: scene.owner).status == 204)
            try await body(scene)
        }
    }

    func invite(_ role: String, by person: Person? = nil) async throws -> String {
        let reply = try await gateway.request(
            .POST, "\(path)/invitations", person ?? owner, json: ["role": .string(role)])
        #expect(reply.status == 201, "\(reply.text)")
        return try #require(reply.json?["token"]?.string)
    }

    func join(_ token: String, _ person: Person) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(.POST, "\(Self.base)/projects/join", person, json: ["token": .string(token)])
    }

    func member(_ person: Person) async throws -> String {
        try await gateway.ask(
            "SELECT member_id FROM project_member WHERE project_id = \(id) AND account_id = \(person.account)")
    }

    func remove(_ person: Person, by other: Person) async throws -> GatewayUnderTest.Reply {
        try await gateway.request(.DELETE, "\(path)/members/\(try await member(person))", other)
    }
}
