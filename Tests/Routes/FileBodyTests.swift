import HTTPTypes
import Testing

@testable import Routes

/// Routes that take a file: their handler gets it as it is, of the media types that they name.
@Suite struct FileBodyTests {
    private static let route = Route<Void>(
        .put, "/pictures/{picture}", id: "putPicture", tag: "Pictures", access: .write, "Put a picture",
        inputs: [Input.path("picture", .text(1...8), "Its name."), Input<EntityTagCondition?>.ifMatchOfChange],
        answers: .nothing
    ) { _, _ in .nothing }
    .taking(FileBody(["image/png", "image/webp"], most: 300_000, refusal: .conflict))

    private func answer(_ type: String?, _ body: [UInt8] = [1]) async throws -> String {
        var headers: HTTPFields = [:]
        headers[.contentType] = type
        do {
            let request = RawRequest(path: ["picture": "a"], headers: headers, body: body)
            return "\(try await Self.route.respond(to: request, ()).status.code)"
        } catch let problem as Problem {
            return problem.type.code
        }
    }

    @Test func onlyTheNamedTypesAreTaken() async throws {
        for type in ["image/png", "image/webp", "IMAGE/PNG"] { #expect(try await answer(type) == "204", "\(type)") }
        for type in [nil, "image/jpeg", "application/json", "image/png+x", "image/*"] {
            #expect(try await answer(type) == "conflict", "\(type ?? "none")")
        }
        #expect(try await answer(nil, []) == "204", "the handler says what it makes of nothing")
    }

    @Test func theDocumentSaysIt() {
        #expect(Self.route.largestBody == 300_000)
        let content = Self.route.operation(links: [])["requestBody"]?["content"]
        #expect(content?["image/png"]?["schema"]?["format"] == "binary" && content?["image/webp"] != nil)
        #expect(content?["application/json"] == nil)
        let codes = Self.route.allProblems.map(\.code)
        #expect(codes.contains("conflict") && codes.contains("body-too-large") && codes.contains("precondition-failed"))
        #expect(!codes.contains("precondition-required"), "the version is named by a change alone")
        #expect(!codes.contains("malformed-body") && !codes.contains("unsupported-media-type"))
        #expect(Self.route.curl(base: "").contains("--data-binary @FILE"))
    }
}
