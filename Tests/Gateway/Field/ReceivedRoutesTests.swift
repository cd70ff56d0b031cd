import Foundation
import HTTPTypes
import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// A stranger to the project owns weir-1, of which the project receives samples.
@Suite(.timeLimit(.minutes(10))) struct ReceivedRoutesTests {
    private static let base = "/api/v1"
    private static let sending = "\(base)/devices/weir-1/sample-receivers"
    private static func path(_ number: Int) -> String { "\(base)/field-samples/\(JournalScene.id(number))" }

    private static func sample(_ device: String = "weir-1", _ more: [JSON.Member] = []) -> JSON {
        .object(
            [
                .init("device", .string(device)), .init("protocol", "river-quick"), .init("protocolVersion", 1),
                .init("begunAt", "2026-05-01T10:00:00Z"), .init("state", "done"), .init("surveyors", ["Ana"]),
                .init("values", [["field": "temperature", "number": 12.5], ["field": "level", "choice": "low"]]),
            ] + more)
    }

    private static func scene(_ body: @escaping @Sendable (ProjectScene) async throws -> Void) async throws {
        try await ProjectScene.with { scene in
            try await scene.gateway.link("weir-1", to: scene.stranger)
            try await body(scene)
        }
    }

    /// The stranger's owner takes a link for senders up.
    private static func agree(_ scene: ProjectScene) async throws -> String {
        let token = try await scene.invite("sender", by: scene.administrator)
        let made = try await scene.gateway.request(
            .POST, sending, scene.stranger, json: ["token": .string(token)])
        #expect(made.status == 201 && made.json?["project"] == "Koi Farm", "\(made.text)")
        return try #require(made.json?["id"]?.string)
    }

    private static func token(_ scene: ProjectScene, _ scope: String) async throws -> String {
        let made = try await scene.gateway.request(
            .POST, "\(base)/tokens", scene.administrator, json: ["name": "Board", "scope": .string(scope)],
            headers: scene.acting)
        return try #require(made.json?["token"]?.string, "\(made.text)")
    }

    @Test func `a project reads what was sent since a cursor, and each version is named once`() async throws {
        try await Self.scene { scene in
            let gateway = scene.gateway
            #expect(try await gateway.request(.PUT, Self.path(1), scene.stranger, json: Self.sample()).status == 201)
            _ = try await Self.agree(scene)
            let key = try await Self.token(scene, "samples.read")
            let received = "\(Self.base)/field-samples/received"
            let nothing = try await gateway.request(.GET, received, token: key)
            #expect(nothing.json?["items"]?.array == [] && nothing.json?["hasMore"] == false, "what came before stays")

            let made = try await gateway.request(.PUT, Self.path(2), scene.stranger, json: Self.sample())
            #expect(made.status == 201)
            let shown = try await gateway.request(.GET, Self.path(2), scene.stranger)
            #expect(shown.json?["receivers"] == ["Koi Farm"])
            let words: [JSON.Member] = [.init("comment", "Once more.")]
            #expect(
                try await gateway.request(
                    .PUT, Self.path(2), scene.stranger, json: Self.sample("weir-1", words),
                    headers: ["If-Match": "\"v1\""]
                ).status == 200)
            let first = try await gateway.request(.GET, received + "?limit=1", token: key)
            #expect(first.json?["hasMore"] == true && first.json?["items"]?[0]?["version"] == 1, "\(first.text)")
            #expect(first.json?["items"]?[0]?["sample"]?["values"]?[0]?["number"] == 12.5)
            let cursor = try #require(first.json?["cursor"]?.string)
            let next = try await gateway.request(.GET, "\(received)?since=\(cursor)", token: key)
            #expect(next.json?["items"]?.array?.count == 1 && next.json?["items"]?[0]?["version"] == 2)
            #expect(next.json?["items"]?[0]?["sample"]?["comment"] == "Once more.")
            let last = try #require(next.json?["cursor"]?.string)
            #expect(
                try await gateway.request(.GET, "\(received)?since=\(last)", token: key).json?["cursor"]
                    == .string(last))

            let withdrawn = try await gateway.request(
                .DELETE, Self.path(2), scene.stranger, headers: ["If-Match": "\"v2\""])
            #expect(withdrawn.status == 200)
            let gone = try await gateway.request(.GET, "\(received)?since=\(last)", token: key)
            #expect(
                gone.json?["items"]?[0]?["state"] == "withdrawn" && gone.json?["items"]?[0]?["sample"] == .null,
                "\(gone.text)")
            let anew = try await gateway.request(.GET, received, token: key)
            #expect(anew.json?["items"]?.array?.count == 1, "former versions are gone with it")
        }
    }

    @Test func `the newest first, each sample stands once, and one is shown whole`() async throws {
        try await Self.scene { scene in
            let gateway = scene.gateway
            _ = try await Self.agree(scene)
            let key = try await Self.token(scene, "samples.read")
            let track = JSON.Member("track", [[[0, 48.2, 16.4, 5], [60, 48.201, 16.4, .null]]])
            for number in 1...3 {
                let made = try await gateway.request(
                    .PUT, Self.path(number), scene.stranger, json: Self.sample("weir-1", [track]))
                #expect(made.status == 201, "\(made.text)")
            }
            let again = try await gateway.request(
                .PUT, Self.path(1), scene.stranger, json: Self.sample(), headers: ["If-Match": "\"v1\""])
            #expect(again.status == 200, "\(again.text)")
            let gone = try await gateway.request(
                .DELETE, Self.path(2), scene.stranger, headers: ["If-Match": "\"v1\""])
            #expect(gone.status == 200)

            let received = "\(Self.base)/field-samples/received"
            let first = try await gateway.request(.GET, "\(received)?order=newest&limit=2", token: key)
            let second = try await gateway.request(
                .GET, "\(received)?order=newest&before=\(first.json?["cursor"]?.string ?? "")", token: key)
            let items = [first, second].flatMap { $0.json?["items"]?.array ?? [] }
            #expect(
                items.map { "\($0["version"]?.integer ?? 0) \($0["state"]?.string ?? "")" }
                    == ["2 withdrawn", "2 done", "1 done"], "\(first.text)\n\(second.text)")
            #expect(first.json?["hasMore"] == true && second.json?["hasMore"] == false)
            #expect(items[2]["sample"]?["track"]?.array?.isEmpty == true, "\(second.text)")

            let whole = try await gateway.request(.GET, "\(received)/\(JournalScene.id(3))", token: key)
            #expect(whole.json?["sample"]?["track"]?.array?.count == 1, "\(whole.text)")
            let members = ["state", "version", "sender", "device"]
            #expect(members.allSatisfy { whole.json?[$0] == items[2][$0] })
            // Nobody else's, though the stranger wrote it; and nothing that never came.
            #expect(try await gateway.request(.GET, "\(received)/\(JournalScene.id(3))", scene.stranger).status == 404)
            #expect(try await gateway.request(.GET, "\(received)/\(JournalScene.id(9))", token: key).status == 404)

            let cursor = first.json?["cursor"]?.string ?? ""
            for query in ["order=newest&since=\(cursor)", "before=\(cursor)", "limit=21"] {
                let refused = try await gateway.request(.GET, "\(received)?\(query)", token: key)
                #expect(refused.status == 422 && refused.text.contains("not-with-order"), "\(query): \(refused.text)")
            }
        }
    }

    @Test func `what a token of samples may do is samples, and a loader reads nothing that others sent`() async throws {
        try await Self.scene { scene in
            let gateway = scene.gateway
            _ = try await Self.agree(scene)
            let (reading, writing) = (
                try await Self.token(scene, "samples.read"), try await Self.token(scene, "samples.write")
            )
            let received = "\(Self.base)/field-samples/received"
            for path in [received, "\(received).csv", "\(Self.base)/field-samples/senders"] {
                #expect(try await gateway.request(.GET, path, token: reading).status == 200, "\(path)")
                let refused = try await gateway.request(.GET, path, token: writing)
                #expect(refused.status == 403 && refused.code == "insufficient-scope", "\(path)")
            }
            for token in [reading, writing] {
                #expect(try await gateway.request(.GET, "\(Self.base)/field-samples", token: token).status == 200)
                for path in ["devices", "readings/latest", "devices/pond-1", "journal"] {
                    let refused = try await gateway.request(.GET, "\(Self.base)/\(path)", token: token)
                    #expect(refused.code == "insufficient-scope", "\(path): \(refused.text)")
                }
                let other = try await gateway.request(
                    .PATCH, scene.device, token: token, json: ["name": "Mine"], headers: ["If-Match": "*"])
                #expect(other.code == "insufficient-scope")
            }
            let refused = try await gateway.request(.PUT, Self.path(1), token: reading, json: Self.sample("pond-1"))
            #expect(refused.code == "insufficient-scope")
            let loaded = try await gateway.request(.PUT, Self.path(1), token: writing, json: Self.sample("pond-1"))
            #expect(loaded.status == 201, "\(loaded.text)")
            let others = try await gateway.request(.PUT, Self.path(2), token: writing, json: Self.sample())
            #expect(others.status == 404, "the project receives of that device, and has it not")
        }
    }

    @Test func `whoever sees a place sees who receives, and its owner and the project end it`() async throws {
        try await Self.scene { scene in
            let gateway = scene.gateway
            let id = try await Self.agree(scene)
            let shown = try await gateway.request(.GET, Self.sending, scene.stranger)
            #expect(shown.json?.array?.count == 1 && shown.json?[0]?["id"]?.string == id, "\(shown.text)")
            #expect(try await gateway.request(.GET, Self.sending, scene.keeper).status == 404)
            let senders = "\(Self.base)/field-samples/senders"
            let mine = try await gateway.request(.GET, senders, scene.administrator, headers: scene.acting)
            #expect(mine.json?[0]?["device"] == "weir-1", "\(mine.text)")
            for person in [scene.keeper, scene.viewer] {
                let refused = try await gateway.request(.GET, senders, person, headers: scene.acting)
                #expect(refused.code == "administrators-only")
            }
            let end = "\(Self.base)/sample-receivers/\(id)"
            #expect(try await gateway.request(.DELETE, end, scene.keeper).status == 404)
            #expect(try await gateway.request(.DELETE, end, scene.administrator, headers: scene.acting).status == 204)
            #expect(try await gateway.request(.DELETE, end, scene.stranger).status == 404)
        }
    }

    @Test func `a project is named once it receives, and a link is taken up once`() async throws {
        try await Self.scene { scene in
            let gateway = scene.gateway
            try await gateway.link("weir-2", to: scene.stranger)
            let second = "\(Self.base)/devices/weir-2/sample-receivers"
            let named: JSON = ["project": .string(scene.id)]
            #expect(try await gateway.request(.POST, second, scene.stranger, json: named).status == 404)
            let token = try await scene.invite("sender")
            let link: JSON = ["token": .string(token)]
            #expect(try await gateway.request(.POST, Self.sending, scene.stranger, json: link).status == 201)
            #expect(try await gateway.request(.POST, Self.sending, scene.stranger, json: link).status == 200)
            #expect(try await gateway.request(.POST, second, scene.stranger, json: link).code == "invitation-used")
            #expect(try await gateway.request(.POST, second, scene.stranger, json: named).status == 201)
            let both: JSON = ["token": .string(token), "project": .string(scene.id)]
            #expect(try await gateway.request(.POST, second, scene.stranger, json: both).status == 422)
            let member = try await scene.invite("keeper")
            let wrong = try await gateway.request(
                .POST, second, scene.stranger, json: ["token": .string(member)])
            #expect(wrong.code == "invitation-unknown", "a link for members sends nothing")
            let own = try await gateway.request(
                .POST, "\(scene.device)/sample-receivers", scene.owner,
                json: ["token": .string(try await scene.invite("sender"))], headers: scene.acting)
            #expect(own.code == "own-samples", "\(own.text)")
        }
    }

    @Test func `results are refused with their lines and elements until each is complete`() async throws {
        try await Self.scene { scene in
            let gateway = scene.gateway
            _ = try await Self.agree(scene)
            let place: JSON = ["latitude": 48.2, "longitude": -122.4, "source": "gps"]
            #expect(try await gateway.request(.PUT, Self.path(1), scene.stranger, json: Self.sample()).status == 201)
            let tables = [
                (try await gateway.request(.GET, "\(Self.base)/field-samples.csv?kind=wqx", scene.stranger)),
                (try await gateway.request(
                    .GET, "\(Self.base)/field-samples/received.csv?kind=wqx", scene.administrator,
                    headers: scene.acting)),
            ]
            for refused in tables {
                #expect(refused.status == 422 && refused.code == "wqx-incomplete", "\(refused.text)")
                #expect(
                    refused.json?["lines"]?[0]?["line"] == 1 && refused.json?["lines"]?[0]?["field"] == "temperature")
                #expect(refused.json?["lines"]?[0]?["element"] == "Activity Latitude")
            }
            #expect(
                try await gateway.request(
                    .PUT, Self.path(1), scene.stranger, json: Self.sample("weir-1", [.init("position", place)]),
                    headers: ["If-Match": "\"v1\""]
                ).status == 200)
            let table = try await gateway.request(
                .GET, "\(Self.base)/field-samples/received.csv?kind=wqx", scene.administrator, headers: scene.acting)
            let lines = table.text.split(separator: "\r\n")
            #expect(
                lines.count == 2 && lines[1].contains("\"Temperature, water\"") && lines[1].contains(",-122.4,"),
                "\(table.text)")
            #expect(lines[1].contains("level: low"))

            // A sample without a position holds up the results of its own place alone.
            try await gateway.link("-weir", to: scene.stranger)
            let second = try await gateway.request(
                .POST, "\(Self.base)/devices/-weir/sample-receivers", scene.stranger,
                json: ["project": .string(scene.id)])
            #expect(second.status == 201, "\(second.text)")
            let zone = JSON.Member("zone", "+2-1")
            let made = try await gateway.request(
                .PUT, Self.path(2), scene.stranger, json: Self.sample("-weir", [zone]))
            #expect(made.status == 201, "\(made.text)")
            let received = "\(Self.base)/field-samples/received.csv"
            let refusals = ["", "&device=-weir"]
            for rest in refusals {
                let refused = try await gateway.request(
                    .GET, "\(received)?kind=wqx\(rest)", scene.administrator, headers: scene.acting)
                #expect(refused.code == "wqx-incomplete", "\(refused.text)")
            }
            let one = try await gateway.request(
                .GET, "\(received)?kind=wqx&device=weir-1", scene.administrator, headers: scene.acting)
            #expect(one.text == table.text)
            let surveys = try await gateway.request(
                .GET, "\(received)?device=-weir", scene.administrator, headers: scene.acting)
            #expect(surveys.text.split(separator: "\r\n").count == 2, "\(surveys.text)")
            #expect(surveys.text.contains(",'-weir,") && surveys.text.contains(",'+2-1,"), "no formulas")
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: Paths.python), "no Python with the library"))
    func `a library of others that knows the elements of WQX takes the results`() async throws {
        try await Self.scene { scene in
            let gateway = scene.gateway
            let sample: JSON = [
                "device": "weir-1", "protocol": "volunteer", "protocolVersion": 1, "begunAt": "2026-05-01T10:00:00Z",
                "state": "done", "position": ["latitude": 48.2, "longitude": -122.4, "source": "map"],
                "values": [
                    ["field": "temperature", "number": 12.5], ["field": "nitrate_class", "choice": "3"],
                    ["field": "phosphate_class", "choice": "7"], ["field": "ph", "below": 4],
                    ["field": "sources", "text": "a pipe"],
                ],
            ]
            let made = try await gateway.request(.PUT, Self.path(1), scene.stranger, json: sample)
            #expect(made.status == 201, "\(made.text)")
            let table = try await gateway.request(.GET, "\(Self.base)/field-samples.csv?kind=wqx", scene.stranger)
            let script = Paths.repository.appending(path: "Tests/Gateway/Field/wqx.py").path(percentEncoded: false)
            let found = try await ProcessUnderTest.run(Paths.python, [script], input: table.text)
            #expect(found == "4 results, 0 violations", "\(table.text)")
        }
    }
}
