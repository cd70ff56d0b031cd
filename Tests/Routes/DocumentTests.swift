import Testing
import Words

@testable import Routes

@Suite struct DocumentTests {
    private let document = Aquarium.api.document()

    @Test func isSound() {
        #expect(DocumentCheck(document).faults == [])
    }

    @Test func theCheckFindsWhatIsWrong() throws {
        var text = document.text
        func faults(_ old: String, _ new: String) throws -> [String] {
            text = document.text
            let range = try #require(text.firstRange(of: old), "\(old)")
            text.replaceSubrange(range, with: new)
            return DocumentCheck(try JSON(reading: Array(text.utf8))).faults
        }
        #expect(try !faults("#/components/schemas/Fish", "#/components/schemas/Fsh").isEmpty)
        #expect(
            try !faults("\"operationId\":\"showFish\",\"summary\"", "\"operationId\":\"listFish\",\"summary\"").isEmpty)
        #expect(try !faults("{\"name\":\"fish\",\"in\":\"path\"", "{\"name\":\"fsh\",\"in\":\"path\"").isEmpty)
        #expect(try !faults("\"security\":[{\"bearer\":[]}]", "\"security\":[{\"bear\":[]}]").isEmpty)
        #expect(
            try !faults("\"operationId\":\"moveFish\",\"parameters\"", "\"operationId\":\"x\",\"parameters\"").isEmpty)
    }

    @Test func anOperationSaysWhatTheRouteDoes() throws {
        let operation = try #require(document["paths"]?["/fish"]?["post"])
        #expect(operation["operationId"] == "createFish")
        let schema = try #require(operation["requestBody"]?["content"]?["application/json"]?["schema"])
        #expect(schema["required"] == ["name", "age"])
        #expect(schema["additionalProperties"] == false)
        #expect(schema["properties"]?["name"]?["maxLength"] == 8)
        #expect(schema["properties"]?["password"]?["type"] == ["string", "null"])
        let statuses = operation["responses"]?.members?.map(\.name)
        #expect(statuses == ["201", "400", "401", "403", "409", "413", "415", "422", "429", "431", "500", "503"])
        #expect(operation["responses"]?["201"]?["headers"]?["Location"]?["required"] == true)
        #expect(operation["responses"]?["201"]?["links"]?["showFish"]?["parameters"] == ["fish": "$response.body#/id"])
        #expect(document["paths"]?["/bubbles"]?["get"]?["security"] == [])
        #expect(
            document["paths"]?["/bubbles"]?["get"]?["responses"]?["200"]?["content"]?["text/event-stream"] != nil)
        let list = document["paths"]?["/fish"]?["get"]?["parameters"]?.array?.first { $0["name"] == "sides" }
        #expect(list?["explode"] == false)
    }

    @Test func aChoiceThatMayBeNullAllowsNull() {
        let nullable = Schema.choice(["a"]).nullable
        #expect(nullable.json == ["anyOf": [["type": "string", "enum": ["a"]], ["type": "null"]]])
        #expect(Schema.integer.nullable.json["type"] == ["integer", "null"])
    }

    @Test(arguments: Language.allCases) func thePageNeedsNothingElse(_ language: Language) {
        let page = Aquarium.api.page(in: language)
        for forbidden in ["<script", "http://", "https://", "src=", "@import", "url(", "style=", "onclick"] {
            #expect(!page.contains(forbidden), "\(forbidden)")
        }
        #expect(page.contains("<html lang=\"\(language.rawValue)\">"))
        #expect(page.contains("<style>\(PageStyle.text)</style>"))
        #expect(page.contains("Aquarium &lt;&amp;&gt;") && !page.contains("<&>"))
        let ids = attributes("id", page)
        #expect(Set(ids).count == ids.count)
        for target in attributes("href", page) where target.hasPrefix("#") {
            #expect(ids.contains(String(target.dropFirst())), "\(target)")
        }
        for route in Aquarium.api.routes { #expect(ids.contains(route.id)) }
    }

    private func attributes(_ name: String, _ page: String) -> [String] {
        page.split(separator: " \(name)=\"").dropFirst().compactMap { $0.split(separator: "\"").first.map(String.init) }
    }

    @Test func theExampleIsACommand() {
        #expect(
            Aquarium.move.curl(base: "/api/v1")
                == #"curl -X PATCH -H "Authorization: Bearer $TOKEN" -H 'If-Match: "v3"' "#
                + #"-H 'Content-Type: application/json' -d '{"place":"left"}' "$ORIGIN"'/api/v1/fish/fish-1'"#)
    }

    @Test func aProblemHasAPage() {
        #expect(ProblemType.notFound.page(in: Language(locale: "ja")).contains("見つかりません"))
    }
}
