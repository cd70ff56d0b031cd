extension JSON {
    /// A document of OpenAPI 3.1, as this module writes it, for readers of 3.0: what may be null, and examples of schemas, are written in another way
    /// there.
    package var asOpenAPI30: JSON {
        guard case .object(let members) = asSchema30 else { return self }
        return .object(members.map { $0.name == "openapi" ? Member("openapi", "3.0.3") : $0 })
    }

    /// A part of such a document.
    fileprivate var asSchema30: JSON {
        switch self {
        case .array(let elements): .array(elements.map(\.asSchema30))
        case .object(let members): .object(members.flatMap(\.earlier))
        default: self
        }
    }
}

extension JSON.Member {
    private static let null: JSON = ["type": "null"]
    private static let nullable = JSON.Member("nullable", true)

    /// The members that say the same in 3.0. Examples are data and stay as they are.
    fileprivate var earlier: [JSON.Member] {
        switch (name, value) {
        case ("example", _): [self]
        case ("examples", .array(let examples)): examples.first.map { [JSON.Member("example", $0)] } ?? []
        case ("type", .array(let types)) where types.contains("null"):
            types.filter { $0 != "null" }.map { JSON.Member("type", $0) } + [Self.nullable]
        case ("anyOf", .array(let parts)) where parts.contains(Self.null):
            Self.nullable(of: parts.filter { $0 != Self.null })
        default: [JSON.Member(name, value.asSchema30)]
        }
    }

    /// One of some schemas, or null: a schema alone says both itself, since null is allowed there only beside a type.
    private static func nullable(of schemas: [JSON]) -> [JSON.Member] {
        guard schemas.count == 1, schemas[0]["type"] != nil, let members = schemas[0].asSchema30.members else {
            return [JSON.Member(schemas.count == 1 ? "allOf" : "anyOf", JSON.array(schemas).asSchema30), nullable]
        }
        return members.map { member in
            guard member.name == "enum", case .array(let choices) = member.value else { return member }
            return JSON.Member("enum", .array(choices + [.null]))
        } + [nullable]
    }
}
