import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct ProjectRoutesTests {
    @Test func membersSeeTheProjectsDevicesAsTheirOwnPart() async throws {
        try await ProjectScene.with { scene in
            let shown = try await scene.gateway.request(.GET, scene.device, scene.keeper)
            #expect(shown.json?["role"]?.string == "watcher" && shown.json?["name"]?.string == "Pond")
            #expect(shown.json?["project"]?["id"]?.string == scene.id)
            #expect(shown.json?["project"]?["role"]?.string == "keeper")
            for gone in [scene.former, scene.stranger] {
                #expect(try await scene.gateway.request(.GET, scene.device, gone).status == 404)
                #expect(try await scene.gateway.request(.GET, scene.path, gone).status == 404)
                #expect(try await scene.gateway.request(.GET, "\(scene.path)/members", gone).status == 404)
            }
            let project = try await scene.gateway.request(.GET, scene.path, scene.viewer)
            #expect(project.json?["devices"] == 1 && project.json?["members"] == 4, "\(project.text)")
            let members = try await scene.gateway.request(.GET, "\(scene.path)/members", scene.viewer)
            #expect(
                members.json?.array?.compactMap { $0["role"]?.string } == [
                    "owner", "administrator", "keeper", "viewer",
                ])
            #expect(members.json?.array?.filter { $0["isMe"] == .bool(true) }.count == 1)
            let left = try await scene.gateway.request(.DELETE, scene.device, scene.keeper)
            #expect(left.status == 409 && left.code == "device-of-project", "\(left.text)")
        }
    }

    @Test func whoBecomesAViewerNeitherAddsNorRemovesPhotosOfTheirOwn() async throws {
        try await ProjectScene.with { scene in
            let entry = "\(scene.device)/journal/\(JournalScene.id(1))"
            let sample = "\(ProjectScene.base)/field-samples/\(JournalScene.id(2))"
            func put(_ path: String, _ json: JSON) async throws -> Int {
                try await scene.gateway.request(.PUT, path, scene.keeper, json: json).status
            }
            func photo(_ method: HTTPMethod, _ path: String) async throws -> Int {
                try await scene.gateway.request(
                    method, path, scene.keeper, body: method == .PUT ? Pictures.jpeg : nil,
                    headers: method == .PUT ? ["Content-Type": "image/jpeg"] : [:]
                ).status
            }
            #expect(try await put(entry, JournalScene.fed()) == 201)
            let taken: JSON = [
                "device": "pond-1", "protocol": "river-full", "protocolVersion": 1, "begunAt": "2026-05-01T10:00:00Z",
                "state": "done", "values": [["field": "temperature", "number": 12.5]],
            ]
            #expect(try await put(sample, taken) == 201)
            let photos = [entry, sample].map { "\($0)/photos/" }
            for (number, path) in photos.enumerated() {
                #expect(try await photo(.PUT, path + JournalScene.id(3 + number)) == 201)
            }
            let changed = try await scene.gateway.request(
                .PATCH, "\(scene.path)/members/\(try await scene.member(scene.keeper))", scene.owner,
                json: ["role": "viewer"])
            #expect(changed.status == 204, "\(changed.text)")
            for (number, path) in photos.enumerated() {
                #expect(try await photo(.PUT, path + JournalScene.id(5 + number)) == 403)
                #expect(try await photo(.DELETE, path + JournalScene.id(3 + number)) == 403)
            }
            #expect(try await scene.gateway.ask("SELECT count(*) FROM journal_photo") == "2")
        }
    }

    @Test func onlyOwnersAndAdministratorsActAsTheProject() async throws {
        try await ProjectScene.with { scene in
            func devices(
                _ person: GatewayUnderTest.Person?, token: String? = nil
            ) async throws -> GatewayUnderTest.Reply {
                try await scene.gateway.request(
                    .GET, "\(ProjectScene.base)/devices", person, token: token, headers: scene.acting)
            }
            for person in [scene.owner, scene.administrator] {
                let reply = try await devices(person)
                #expect(reply.json?["items"]?[0]?["role"]?.string == "owner", "\(reply.text)")
                #expect(reply.json?["items"]?[0]?["project"]?["id"]?.string == scene.id)
            }
            for person in [scene.keeper, scene.viewer] {
                #expect(try await devices(person).code == "administrators-only")
            }
            for person in [scene.former, scene.stranger] { #expect(try await devices(person).status == 404) }
            let token = try await scene.gateway.personalToken(scene.owner, scope: "write")
            #expect(try await devices(nil, token: token).code == "insufficient-scope")
            let wrong = try await scene.gateway.request(
                .GET, "\(ProjectScene.base)/devices", scene.owner, headers: ["Aqua-Project": "x"])
            #expect(wrong.status == 404)
            // What is about a person is nobody's for a project.
            for path in ["settings", "endpoints", "sessions", "account", "projects", "quiet-hours"] {
                let reply = try await scene.gateway.request(
                    .GET, "\(ProjectScene.base)/\(path)", scene.owner, headers: scene.acting)
                #expect([400, 404].contains(reply.status) && reply.code != nil, "\(path): \(reply.text)")
            }
        }
    }

    /// Every route says whether it serves projects; the list is what a person reads who decides.
    @Test func routesAboutPeopleServeNoProject() {
        let serving = GatewayAPI.make().routes.filter { route in route.inputs.contains { $0.name == "Aqua-Project" } }
        let tags = Set(serving.map(\.tag))
        #expect(serving.allSatisfy { $0.access != .anyone })
        #expect(
            tags.isDisjoint(with: [
                SessionRoutes.tag, SettingsRoutes.tag, EndpointRoutes.tag.name, AlertRoutes.tag.name, "Live",
                ProjectRoutes.tag,
            ]),
            "\(tags)")
        #expect(serving.contains { $0.id == "linkDevice" } && serving.contains { $0.id == "changeParameter" })
        for id in ["closeAccount", "changePassword", "showAccount", "putJournalEntry", "putWork", "followProject"] {
            #expect(!serving.contains { $0.id == id }, "\(id)")
        }
    }

    @Test func aProjectsTokenActsForTheProjectAlone() async throws {
        try await ProjectScene.with { scene in
            let made = try await scene.gateway.request(
                .POST, "\(ProjectScene.base)/tokens", scene.administrator, json: ["name": "Screen", "scope": "write"],
                headers: scene.acting)
            let token = try #require(made.json?["token"]?.string, "\(made.text)")
            let devices = try await scene.gateway.request(.GET, "\(ProjectScene.base)/devices", token: token)
            #expect(devices.json?["items"]?[0]?["role"]?.string == "owner")
            for path in ["settings", "projects", "alerts"] {
                let reply = try await scene.gateway.request(.GET, "\(ProjectScene.base)/\(path)", token: token)
                #expect(reply.status == 400 && reply.code == "not-for-projects", "\(path): \(reply.text)")
            }
            let fresh = try await scene.gateway.request(.DELETE, scene.device, token: token)
            #expect(fresh.code == "insufficient-scope", "it takes no device away")
        }
    }

    @Test func whatOutlivesACredentialTakesThePasswordForAProjectToo() async throws {
        try await ProjectScene.with { scene in
            try await scene.gateway.age()
            let refused = try await scene.gateway.request(
                .DELETE, scene.device, scene.administrator, headers: scene.acting)
            #expect(refused.code == "password-needed", "\(refused.text)")
            #expect(try await scene.gateway.prove(scene.administrator).status == 204)
            let denied = try await scene.gateway.request(
                .DELETE, scene.device, scene.administrator, headers: scene.acting)
            #expect(denied.code == "owners-only", "an administrator takes no device along: \(denied.text)")
            #expect(try await scene.gateway.prove(scene.owner).status == 204)
            let done = try await scene.gateway.request(.DELETE, scene.device, scene.owner, headers: scene.acting)
            #expect(done.status == 200 && done.json?["claimCode"]?.string != nil, "\(done.text)")
            #expect(try await scene.gateway.request(.GET, scene.device, scene.keeper).status == 404)
        }
    }

    @Test func limitsForManyAreFollowed() async throws {
        try await ProjectScene.with { scene in
            let code = try await scene.gateway.addDevice("pond-2")
            _ = try await scene.gateway.request(
                .POST, "\(ProjectScene.base)/devices", scene.owner,
                json: ["claimCode": .string(code), "name": "Small"],
                headers: scene.acting)
            let limits = "\(scene.path)/parameters/ph"
            let set = try await scene.gateway.request(
                .PUT, limits, scene.administrator, json: ["minimum": 6.8, "maximum": 8])
            #expect(set.status == 200 && set.json?["devices"] == 2 && set.json?["changed"] == 2, "\(set.text)")
            let again = try await scene.gateway.request(
                .PUT, limits, scene.administrator, json: ["devices": ["pond-2"], "maximum": 8])
            #expect(again.json?["devices"] == 1 && again.json?["changed"] == 0, "\(again.text)")
            let own = "\(scene.device)/parameters/ph"
            let shown = try await scene.gateway.request(.GET, own, scene.keeper)
            #expect(shown.json?["maximum"] == .number(8) && shown.json?["follows"] == .bool(true), "\(shown.text)")
            let changed = try await scene.gateway.request(
                .PATCH, own, scene.keeper, json: ["maximum": 7.9], headers: ["If-Match": "*"])
            #expect(changed.status == 200 && changed.json?["follows"] == .bool(false), "\(changed.text)")
            let colour = try await scene.gateway.request(
                .PATCH, own, scene.administrator, json: ["colour": "teal"], headers: ["If-Match": "*"])
            #expect(colour.json?["follows"] == .bool(true), "a matter of taste")
            _ = try await scene.gateway.request(.PUT, limits, scene.owner, json: ["maximum": 8.2])
            #expect(try await scene.gateway.request(.GET, own, scene.keeper).json?["maximum"] == .number(7.9))
            #expect(try await scene.gateway.request(.GET, own, scene.viewer).json?["maximum"] == .number(8.2))
            #expect(try await scene.gateway.request(.PUT, "\(own)/following", scene.keeper).status == 204)
            #expect(try await scene.gateway.request(.GET, own, scene.keeper).json?["maximum"] == .number(8.2))
            for (person, code) in [(scene.keeper, "administrators-only"), (scene.stranger, "not-found")] {
                #expect(try await scene.gateway.request(.PUT, limits, person, json: ["maximum": 8]).code == code)
            }
            let foreign = try await scene.gateway.request(
                .PUT, limits, scene.owner, json: ["devices": ["pond-1", "pond-9"], "maximum": 8])
            #expect(foreign.status == 422, "\(foreign.text)")
        }
    }

    @Test func invitationsAreShownAndWorkOnce() async throws {
        try await ProjectScene.with { scene in
            let token = try await scene.invite("keeper", by: scene.administrator)
            let look = try await scene.gateway.request(
                .POST, "\(ProjectScene.base)/projects/invitations/look", json: ["token": .string(token)])
            #expect(
                look.json?["name"]?.string == "Koi Farm" && look.json?["by"]?.string == "administrator", "\(look.text)")
            #expect(
                look.json?["role"]?.string == "keeper" && look.json?["devices"] == 1
                    && look.json?["state"]?.string == "open")
            let refused = try await scene.gateway.request(
                .POST, "\(scene.path)/invitations", scene.administrator, json: ["role": "administrator"])
            #expect(refused.code == "owners-only")
            for person in [scene.keeper, scene.viewer] {
                #expect(
                    try await scene.gateway.request(.GET, "\(scene.path)/invitations", person).code
                        == "administrators-only")
            }
            #expect(try await scene.join(token, scene.keeper).code == "already-member")
            #expect(try await scene.join(token, scene.stranger).status == 201)
            #expect(try await scene.join(token, scene.former).code == "invitation-used")
            let listed = try await scene.gateway.request(.GET, "\(scene.path)/invitations", scene.administrator)
            #expect(listed.json?[0]?["state"]?.string == "used" && !listed.text.contains(token))
            #expect(!"\(scene.gateway.log.lines)".contains(token))
        }
    }

    @Test func whoMayChangeWhom() async throws {
        try await ProjectScene.with { scene in
            func change(
                _ person: GatewayUnderTest.Person, to role: String, by other: GatewayUnderTest.Person
            ) async throws -> String? {
                let reply = try await scene.gateway.request(
                    .PATCH, "\(scene.path)/members/\(try await scene.member(person))", other,
                    json: ["role": .string(role)])
                return reply.status == 204 ? nil : reply.code
            }
            #expect(try await change(scene.viewer, to: "keeper", by: scene.keeper) == "owners-only")
            #expect(try await change(scene.viewer, to: "keeper", by: scene.administrator) == nil)
            #expect(try await change(scene.keeper, to: "administrator", by: scene.administrator) == "owners-only")
            #expect(try await change(scene.administrator, to: "owner", by: scene.administrator) == "owners-only")
            #expect(try await scene.remove(scene.owner, by: scene.administrator).code == "owners-only")
            #expect(try await scene.remove(scene.owner, by: scene.owner).code == "last-owner")
            #expect(try await scene.remove(scene.keeper, by: scene.stranger).status == 404)
            #expect(try await scene.remove(scene.keeper, by: scene.keeper).status == 204, "who wants to leave does")
            #expect(try await change(scene.administrator, to: "owner", by: scene.owner) == nil)
            #expect(try await scene.remove(scene.owner, by: scene.owner).status == 204)
            let dissolved = try await scene.gateway.request(.DELETE, scene.path, scene.administrator)
            #expect(dissolved.status == 204, "\(dissolved.text)")
            #expect(try await scene.gateway.request(.GET, scene.device, scene.viewer).status == 404)
        }
    }
}
