import NIOHTTP1
import Routes
import TestSupport
import Testing

@testable import Gateway

/// Protocols through the API: those that are built in, and a person's or a project's own, in versions.
@Suite(.timeLimit(.minutes(5))) struct FieldProtocolRoutesTests {
    private static let base = "/api/v1/field-protocols"

    private static func own(_ name: String, minimum: Int64 = 0) -> JSON {
        [
            "name": .string(name), "stations": 3,
            "fields": [
                [
                    "id": "gauge", "kind": "number", "label": "Gauge", "unit": "m", "minimum": .integer(minimum),
                    "maximum": 5,
                ],
                ["id": "ph", "kind": "number", "label": "pH", "parameter": "ph", "each": "station"],
                [
                    "id": "bank", "kind": "choice", "label": "Bank",
                    "choices": [["id": "left", "label": "Left"], ["id": "right", "label": "Right"]],
                ],
            ],
        ]
    }

    @Test func `those that are built in are told in the language of the request, once`() async throws {
        try await JournalScene.with { scene in
            let path = "\(Self.base)?device=pond-1"
            let listed = try await scene.get(path, scene.anna)
            let river = listed.json?["protocols"]?[0]
            #expect(river?["id"] == "river-quick" && river?["name"] == "River, quick" && river?["builtIn"] == true)
            let tag = try #require(listed[header: "ETag"])
            let known: HTTPHeaders = ["If-None-Match": tag]
            #expect(try await scene.gateway.request(.GET, path, scene.anna, headers: known).status == 304)
            let german: HTTPHeaders = ["If-None-Match": tag, "Accept-Language": "de"]
            let other = try await scene.gateway.request(.GET, path, scene.anna, headers: german)
            #expect(other.status == 200 && other.json?["protocols"]?[0]?["name"] == "Fluss, kurz")
            #expect(try await scene.get("\(Self.base)?device=pond-2", scene.anna).status == 404)
            #expect(try await scene.get("\(Self.base)/river-quick?version=2", scene.anna).status == 404)
        }
    }

    @Test func `an own protocol has versions, which samples of its devices name`() async throws {
        try await JournalScene.with { scene in
            let path = "\(Self.base)/our-pond"
            let made = try await scene.put(path, scene.anna, Self.own("Our pond"))
            #expect(made.status == 201 && made[header: "ETag"] == "\"v1\"", "\(made.text)")
            let again = try await scene.put(path, scene.anna, Self.own("Our pond"))
            #expect(again.status == 200 && again.body == made.body)
            #expect(try await scene.put(path, scene.anna, Self.own("Other")).status == 412)
            let changed = try await scene.put(path, scene.anna, Self.own("Our pond", minimum: 1), ifMatch: "\"v1\"")
            #expect(changed.status == 200 && changed.json?["version"] == 2, "\(changed.text)")
            let former = try await scene.get(path + "?version=1&device=pond-1", scene.ben)
            #expect(former.json?["fields"]?[0]?["minimum"] == .number(0) && former.json?["builtIn"] == false)
            #expect(try await scene.get(path, scene.ben).status == 404, "it is not their own")
            #expect(try await scene.get(path + "?device=pond-2", scene.eve).status == 404)

            func send(_ version: Int64, _ gauge: Double) async throws -> GatewayUnderTest.Reply {
                let sample: JSON = [
                    "device": "pond-1", "protocol": "our-pond", "protocolVersion": .integer(version), "state": "done",
                    "begunAt": "2026-05-01T10:00:00Z",
                    "values": [
                        ["field": "gauge", "number": .number(gauge)], ["field": "ph", "station": "1", "number": 7.4],
                    ],
                ]
                return try await scene.put(
                    "/api/v1/field-samples/\(JournalScene.id(Int(version)))", scene.ben, sample)
            }
            #expect(try await send(1, 0.5).status == 201)
            #expect(try await send(2, 0.5).status == 422)
            #expect(try await scene.gateway.ask("SELECT string_agg(parameter::text, ' ') FROM hand_value") == "1")
        }
    }

    @Test(arguments: [
        #"{"name": "x", "fields": []}"#,
        #"{"name": "x", "fields": [{"id": "a", "kind": "flag", "label": "A"}, {"id": "a", "kind": "flag", "label": "A"}]}"#,
        #"{"name": "x", "fields": [{"id": "a", "kind": "flag", "label": "A", "each": "station"}]}"#,
        #"{"name": "x", "fields": [{"id": "a", "kind": "choice", "label": "A"}]}"#,
        #"{"name": "x", "fields": [{"id": "a", "kind": "count", "label": "A"}]}"#,
        #"{"name": "x", "fields": [{"id": "a", "kind": "number", "label": "A", "parameter": "ph", "unit": "C"}]}"#,
        #"{"name": "x", "fields": [{"id": "a", "kind": "text", "label": "A", "parameter": "ph"}]}"#,
        #"{"name": "x", "fields": [{"id": "a", "kind": "number", "label": "A", "minimum": 2, "maximum": 1}]}"#,
        #"{"name": "x", "fields": [{"id": "a", "kind": "number", "label": "A", "meanOf": ["b"]}]}"#,
    ])
    func `a protocol that does not hold together is refused`(body: String) async throws {
        try await JournalScene.with { scene in
            let json = try JSON(reading: Array(body.utf8))
            let refused = try await scene.put("\(Self.base)/our-pond", scene.anna, json)
            #expect(refused.status == 422, "\(refused.text)")
        }
    }

    @Test func `what is built in is nobody's, and an account has thirty`() async throws {
        try await JournalScene.with { scene in
            let built = try await scene.put("\(Self.base)/river-quick", scene.anna, Self.own("x"))
            #expect(built.status == 409 && built.code == "protocol-is-built-in")
            try await scene.gateway.database.sql(
                """
                INSERT INTO field_protocol (account_id, protocol_id, version, content)
                SELECT \(scene.anna.account), 'pond-' || n, 1, '{}' FROM generate_series(1, 30) n
                """)
            let full = try await scene.put("\(Self.base)/our-pond", scene.anna, Self.own("x"))
            #expect(full.status == 409 && full.code == "protocols-full")
            let listed = try await scene.get(Self.base, scene.anna)
            #expect(listed.status == 200, "what cannot be read is left out")
        }
    }
}
