import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Shifts of a project by its routes: who sees, sets and swaps them.
@Suite struct ShiftRoutesTests {
    private static func shift(_ members: [String], name: String = "Night", more: [String: JSON] = [:]) -> JSON {
        .object(
            [
                .init("name", .string(name)), .init("days", ["monday", "saturday"]), .init("from", "22:00"),
                .init("until", "06:00"),
                .init("members", .array(members.map { .string($0) })),
            ] + more.map { JSON.Member($0.key, $0.value) })
    }

    private static func set(
        _ scene: ProjectScene, _ shifts: [JSON], by person: ProjectScene.Person, tag: String = "\"v0\"",
        zone: String? = nil
    ) async throws -> GatewayUnderTest.Reply {
        var members: [JSON.Member] = [.init("shifts", .array(shifts))]
        if let zone { members.append(.init("timeZone", .string(zone))) }
        return try await scene.gateway.request(
            .PUT, "\(scene.path)/shifts", person, json: .object(members), headers: ["If-Match": tag])
    }

    @Test func shiftsAreSetAsAWhole() async throws {
        try await ProjectScene.with { scene in
            let path = "\(scene.path)/shifts"
            let empty = try await scene.gateway.request(.GET, path, scene.viewer)
            #expect(
                empty.status == 200 && empty.json?["shifts"]?.array?.isEmpty == true
                    && empty.json?["gaps"]?.array?.isEmpty == true, "\(empty.text)")
            #expect(try await scene.gateway.request(.GET, path, scene.stranger).status == 404)
            #expect(try await scene.gateway.request(.GET, path, scene.former).status == 404)
            let keeper = try await scene.member(scene.keeper)
            let made = try await Self.set(scene, [Self.shift([keeper])], by: scene.administrator, zone: "Europe/Vienna")
            #expect(made.status == 200 && made.json?["timeZone"]?.string == "Europe/Vienna", "\(made.text)")
            #expect(
                made.json?["shifts"]?[0]?["members"] == [.string(keeper)]
                    && made.json?["shifts"]?[0]?["from"]?.string == "22:00")
            #expect(made.json?["turns"]?.array?.isEmpty == false && made.json?["gaps"]?.array?.isEmpty == false)
            let id = try #require(made.json?["shifts"]?[0]?["id"]?.string)
            let again = try await Self.set(
                scene, [Self.shift([keeper], more: ["id": .string(id)])], by: scene.owner, tag: "\"v9\"")
            #expect(again.status == 200 && again.json?["version"] == 1, "the same changes nothing: \(again.text)")
            #expect(try await Self.set(scene, [], by: scene.owner).status == 412)
            #expect(try await Self.set(scene, [], by: scene.keeper, tag: "\"v1\"").code == "administrators-only")
            #expect(try await Self.set(scene, [], by: scene.stranger).status == 404)
            let stranger = try await Self.set(scene, [Self.shift(["999999"])], by: scene.owner, tag: "\"v1\"")
            #expect(stranger.status == 422 && stranger.text.contains("not-a-member"), "\(stranger.text)")
            let twice = try await Self.set(
                scene, [JSON](repeating: Self.shift([keeper], more: ["id": .string(id)]), count: 2), by: scene.owner,
                tag: "\"v1\"")
            #expect(twice.status == 422, "\(twice.text)")
            let zone = try await Self.set(scene, [], by: scene.owner, tag: "\"v1\"", zone: "Mars/Olympus")
            #expect(zone.status == 422, "\(zone.text)")
            let many = try await Self.set(
                scene, [JSON](repeating: Self.shift([keeper]), count: 31), by: scene.owner, tag: "\"v1\"")
            #expect(many.status == 422, "\(many.text)")
            let missing = try await scene.gateway.request(.PUT, path, scene.owner, json: ["shifts": []])
            #expect(missing.status == 428)
        }
    }

    @Test func turnsAreSwappedAndAMemberMayBeToldAlways() async throws {
        try await ProjectScene.with { scene in
            let (keeper, viewer) = (try await scene.member(scene.keeper), try await scene.member(scene.viewer))
            let made = try await Self.set(scene, [Self.shift([keeper])], by: scene.owner)
            let id = try #require(made.json?["shifts"]?[0]?["id"]?.string, "\(made.text)")
            let turn = try #require(made.json?["turns"]?.array?.last)
            let day = try #require(turn["day"])
            let swap: JSON = ["shift": .string(id), "day": day, "from": .string(keeper), "member": .string(viewer)]
            let cover = "\(scene.path)/shifts/cover"
            #expect(try await scene.gateway.request(.PUT, cover, scene.stranger, json: swap).status == 404)
            #expect(try await scene.gateway.request(.PUT, cover, scene.viewer, json: swap).status == 204)
            let shown = try await scene.gateway.request(.GET, "\(scene.path)/shifts", scene.keeper)
            #expect(shown.json?["covers"]?[0]?["member"]?.string == viewer, "\(shown.text)")
            #expect(shown.json?["turns"]?.array?.last?["members"] == [.string(viewer)])
            let far: JSON = [
                "shift": .string(id), "day": "2199-01-05", "from": .string(keeper), "member": .string(viewer),
            ]
            let refused = try await scene.gateway.request(.PUT, cover, scene.keeper, json: far)
            #expect(refused.status == 422 && refused.text.contains("no-turn"), "\(refused.text)")
            let me = "\(scene.path)/shifts/me"
            #expect(
                try await scene.gateway.request(.PUT, me, scene.viewer, json: ["always": .bool(true)]).status == 204)
            #expect(
                try await scene.gateway.request(.GET, "\(scene.path)/shifts", scene.viewer).json?["always"]
                    == .bool(true))
            #expect(
                try await scene.gateway.request(.GET, "\(scene.path)/shifts", scene.keeper).json?["always"]
                    == .bool(false))
            #expect(
                try await scene.gateway.request(.PUT, me, scene.former, json: ["always": .bool(true)]).status == 404)
        }
    }
}
