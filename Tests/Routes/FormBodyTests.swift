import HTTPTypes
import Testing

@testable import Routes

/// Routes for clients that send forms, and want another answer than JSON.
@Suite struct FormBodyTests {
    private static let digits = Input.optionalField(
        "Digits", .text(0...2, pattern: "^[0-9]*$", example: "1"), "The key.")

    private static let press = Route<Aquarium.Caller>(
        .post, "/keys", id: "pressKey", tag: "Fish", access: .anyone, "Press a key",
        inputs: [digits], answers: .text("text/xml", "What was pressed.") { (text: String) in "<said>\(text)</said>" },
        handle: { caller, inputs in
            caller.ran()
            return .value(inputs[digits] ?? "-")
        }
    ).takingForm()

    private static func answer(
        _ body: String, type: String? = "application/x-www-form-urlencoded"
    ) async throws -> String {
        var headers: HTTPFields = [:]
        headers[.contentType] = type
        let request = RawRequest(headers: headers, body: Array(body.utf8))
        do {
            let answer = try await press.respond(to: request, Aquarium.Caller())
            #expect(answer.headers[.contentType] == "text/xml")
            guard case .bytes(let bytes) = answer.body else { return "" }
            return String(decoding: bytes, as: UTF8.self)
        } catch let problem as Problem {
            return ([problem.type.code] + problem.faults.map { "\($0.name) \($0.fault.code)" }).joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("Digits=1", "<said>1</said>"), ("Digits=", "<said></said>"), ("", "<said>-</said>"),
        ("CallSid=CA7&Digits=%31+&x=%", "invalid-input Digits pattern"), ("x=%&Digits=%32&y", "<said>2</said>"),
        ("Digits=1&Digits=2", "invalid-input Digits repeated"), ("Digits=%", "invalid-input Digits encoding"),
        ("Digits=123", "invalid-input Digits too-long"), (#"{"Digits":"1"}"#, "<said>-</said>"),
    ])
    func aFormIsReadByItsFields(body: String, expected: String) async throws {
        #expect(try await Self.answer(body) == expected)
    }

    @Test(arguments: ["application/json", "text/plain", nil])
    func anotherBodyIsRefused(type: String?) async throws {
        #expect(try await Self.answer("Digits=1", type: type) == "unsupported-media-type")
    }

    @Test func itsExampleIsAForm() async throws {
        let example = Self.press.exampleRequest
        #expect(example.headers[.contentType] == "application/x-www-form-urlencoded")
        #expect(String(decoding: example.body, as: UTF8.self) == "Digits=1")
        let curl = Self.press.curl(base: "/api")
        #expect(curl.contains("-H 'Content-Type: application/x-www-form-urlencoded' -d 'Digits=1'"), "\(curl)")
        let operation = Self.press.operation(links: [])
        let content = operation["requestBody"]?["content"]?["application/x-www-form-urlencoded"]
        #expect(content?["schema"]?["additionalProperties"] == true)
        #expect(operation["responses"]?["200"]?["content"]?["text/xml"]?["schema"]?["type"] == "string")
    }
}
