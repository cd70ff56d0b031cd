/// A JSON Schema (2020-12, as OpenAPI 3.1 has it) and the named schemas that it refers to.
package struct Schema: Hashable, Sendable {
    /// The keywords in order.
    package let keywords: [JSON.Member]
    /// Named schemas below `#/components/schemas`.
    package let components: [String: Schema]
    /// An example value for the document's readers.
    package let example: JSON

    package init(_ keywords: [JSON.Member], components: [String: Schema] = [:], example: JSON) {
        self.keywords = keywords
        self.components = components
        self.example = example
    }

    package init(_ keywords: KeyValuePairs<String, JSON>, components: [String: Schema] = [:], example: JSON) {
        self.init(keywords.map { JSON.Member($0.key, $0.value) }, components: components, example: example)
    }

    package var json: JSON { .object(keywords) }

    /// A schema with a name of its own, stated once in the document.
    func named(_ name: String) -> Schema {
        var components = components
        components[name] = Schema(keywords, example: example)
        return Schema(
            [JSON.Member("$ref", .string("#/components/schemas/" + name))], components: components, example: example)
    }

    /// The schema or `null`.
    package var nullable: Schema {
        if let first = keywords.first, first.name == "type", case .string(let type) = first.value,
            !keywords.contains(where: { $0.name == "enum" })
        {
            return Schema(
                [JSON.Member("type", [.string(type), "null"])] + keywords.dropFirst(), components: components,
                example: example)
        }
        return Schema(["anyOf": [json, ["type": "null"]]], components: components, example: example)
    }

    func with(example: JSON) -> Schema {
        Schema(keywords, components: components, example: example)
    }

    /// The schema with its example.
    var illustrated: JSON { .object(keywords + [.init("examples", [example])]) }

    static func list(of element: Schema, count: ClosedRange<Int>?) -> Schema {
        var keywords: [JSON.Member] = [.init("type", "array"), .init("items", element.json)]
        if let count {
            if count.lowerBound > 0 { keywords.append(.init("minItems", .integer(Int64(count.lowerBound)))) }
            keywords.append(.init("maxItems", .integer(Int64(count.upperBound))))
        }
        return Schema(
            keywords, components: element.components,
            example: .array(Array(repeating: element.example, count: max(1, count?.lowerBound ?? 1))))
    }

    static func choice(_ values: [String]) -> Schema {
        Schema(
            ["type": "string", "enum": .array(values.map { .string($0) })],
            example: .string(values.first ?? ""))
    }

    static let boolean = Schema(["type": "boolean"], example: true)
    static let integer = Schema(["type": "integer", "format": "int64"], example: 1)
    static let number = Schema(["type": "number"], example: 7.5)
    static let text = Schema(["type": "string"], example: "text")
    static let object = Schema(["type": "object"], example: [:])
    static let timestamp = Schema(["type": "string", "format": "date-time"], example: "2026-05-01T12:00:00Z")
    static let uuid = Schema(
        ["type": "string", "format": "uuid"], example: "0198f3a2-5c1e-7b90-8d7e-3f4a5b6c7d8e")

    /// The pattern of any text: no NUL.
    static let anyTextPattern = "^[^\\u0000]*$"
}

extension [String: Schema] {
    /// Both sets of named schemas. One name for two different schemas is a mistake in the declarations.
    func joined(_ other: [String: Schema]) -> [String: Schema] {
        merging(other) { mine, theirs in
            precondition(mine.keywords == theirs.keywords, "Two different schemas have one name.")
            return mine
        }
    }
}
