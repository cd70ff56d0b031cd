import HTTPTypes
import Testing

@testable import Routes

/// The document for readers of OpenAPI 3.0, and the routes of standards.
@Suite struct OpenAPI30Tests {
    @Test func `what may be null and examples are written as 3.0 has them`() {
        let schema: JSON = [
            "openapi": "3.1.0",
            "a": ["type": ["string", "null"], "maxLength": 3, "examples": ["x", "y"]],
            "b": ["anyOf": [["type": "string", "enum": ["x"]], ["type": "null"]], "description": "b"],
            "r": ["anyOf": [["$ref": "#/x"], ["type": "null"]]],
            "c": ["anyOf": [["type": "string"], ["type": "integer"]]],
            "d": ["example": ["type": ["string", "null"]]], "e": ["examples": ["first": ["value": 1]]],
            "properties": ["value": ["type": ["number", "null"]]],
        ]
        #expect(
            schema.asOpenAPI30 == [
                "openapi": "3.0.3",
                "a": ["type": "string", "nullable": true, "maxLength": 3, "example": "x"],
                "b": ["type": "string", "enum": ["x", nil], "nullable": true, "description": "b"],
                "r": ["allOf": [["$ref": "#/x"]], "nullable": true],
                "c": ["anyOf": [["type": "string"], ["type": "integer"]]],
                "d": ["example": ["type": ["string", "null"]]], "e": ["examples": ["first": ["value": 1]]],
                "properties": ["value": ["type": "number", "nullable": true]],
            ])
    }

    @Test func `nothing of 3.1 is left of a whole document`() {
        func check(_ json: JSON, _ path: String) {
            switch json {
            case .array(let elements): for element in elements { check(element, path) }
            case .object(let members):
                for member in members where member.name != "example" {
                    if member.name == "type", case .array = member.value { Issue.record("\(path): types") }
                    if member.name == "examples", case .array = member.value { Issue.record("\(path): examples") }
                    if member.value == "null" { Issue.record("\(path): null") }
                    check(member.value, "\(path)/\(member.name)")
                }
            default: break
            }
        }
        check(Aquarium.api.document().asOpenAPI30, "")
    }

    @Test func `a route of a standard refuses faults with the standard's problem`() throws {
        let strict = Aquarium.list.refusingFaults(as: Aquarium.asleep)
        let wrong = RawRequest(query: "since=yesterday&stranger=1")
        let problem = try #require(throws: Problem.self) { try strict.readInputs(of: wrong) }
        #expect(problem.type == Aquarium.asleep && problem.faults.count == 2)
        #expect(strict.allProblems.contains(Aquarium.asleep) && !strict.allProblems.contains(.invalidInput))
        let usual = try #require(throws: Problem.self) { try Aquarium.list.readInputs(of: wrong) }
        #expect(usual.type == .invalidInput)
    }

    @Test func `a route that takes a token as a password says so`() {
        let route = Aquarium.list.takingTokenAsPassword()
        let api = API<Aquarium.Caller>(
            title: "A", version: "1", base: "/a", tags: Aquarium.api.tags, routes: [route])
        let document = api.document()
        #expect(document["paths"]?["/fish"]?["get"]?["security"] == [["bearer": []], ["password": []]])
        #expect(document["components"]?["securitySchemes"]?["password"]?["scheme"] == "basic")
        #expect(Aquarium.api.document()["components"]?["securitySchemes"]?["password"] == nil)
    }

    @Test func `an answer in several media types names them all`() {
        let route = Route<Aquarium.Caller>(
            .get, "/pond", id: "pond", tag: "Fish", access: .anyone, "Show it",
            answers: .written(
                as: "application/geo+json", Schema(["type": "object"], example: [:]), or: ["text/html"], "It.")
        ) { _, _ in .value(Array("{}".utf8)) }
        let content = route.operation(links: [])["responses"]?["200"]?["content"]
        #expect(content?.members?.map(\.name) == ["application/geo+json", "text/html"])
        #expect(content?["application/geo+json"]?["schema"]?["type"] == "object")
    }
}
