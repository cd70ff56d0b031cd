package import FoundationEssentials
package import Instants

/// What a route answers with: schema and encoder in one, so that the document cannot say something else.
package struct Output<Value: Sendable>: Sendable {
    package let schema: Schema
    package let encode: @Sendable (Value) -> JSON

    package init(schema: Schema, encode: @escaping @Sendable (Value) -> JSON) {
        self.schema = schema
        self.encode = encode
    }

    /// The same output of a value that holds it.
    package func map<Other>(_ convert: @escaping @Sendable (Other) -> Value) -> Output<Other> {
        Output<Other>(schema: schema) { encode(convert($0)) }
    }

    package func example(_ example: JSON) -> Output {
        Output(schema: schema.with(example: example), encode: encode)
    }
}

/// One member of an object that a route answers with. Always present; what is not there is null.
package struct OutputMember<Value: Sendable>: Sendable {
    package let name: String
    package let text: String
    package let schema: Schema
    let encode: @Sendable (Value) -> JSON

    package static func member<Part>(
        _ name: String, _ output: Output<Part>, _ text: String, example: JSON? = nil,
        _ part: @escaping @Sendable (Value) -> Part
    ) -> OutputMember {
        OutputMember(
            name: name, text: text, schema: example.map { output.schema.with(example: $0) } ?? output.schema
        ) { output.encode(part($0)) }
    }
}

extension Output {
    /// An object with a name of its own in the document.
    package static func object(_ name: String, _ text: String, _ members: [OutputMember<Value>]) -> Output {
        precondition(Set(members.map(\.name)).count == members.count, "\(name) has two members of one name.")
        let properties = members.map { member in
            JSON.Member(
                member.name,
                .object(
                    member.schema.keywords + [
                        .init("description", .string(member.text)), .init("examples", [member.schema.example]),
                    ]))
        }
        let schema = Schema(
            [
                "type": "object", "description": .string(text), "properties": .object(properties),
                "required": .array(members.map { .string($0.name) }), "additionalProperties": false,
            ],
            components: members.reduce([:]) { $0.joined($1.schema.components) },
            example: .object(members.map { JSON.Member($0.name, $0.schema.example) }))
        return Output(schema: schema.named(name)) { value in
            .object(members.map { JSON.Member($0.name, $0.encode(value)) })
        }
    }

    package static func list<Element>(of element: Output<Element>) -> Output where Value == [Element] {
        Output(schema: .list(of: element.schema, count: nil)) { .array($0.map(element.encode)) }
    }

    package static func optional<Wrapped>(of wrapped: Output<Wrapped>) -> Output where Value == Wrapped? {
        Output(schema: wrapped.schema.nullable) { $0.map(wrapped.encode) ?? .null }
    }
}

extension Output where Value == String {
    package static var text: Output { Output(schema: .text) { .string($0) } }
}

extension Output where Value == Int {
    package static var integer: Output { Output(schema: .integer) { .integer(Int64($0)) } }
}

extension Output where Value == Double {
    package static var decimal: Output { Output(schema: .number) { .number($0) } }
}

extension Output where Value == Bool {
    package static var boolean: Output { Output(schema: .boolean) { .bool($0) } }
}

extension Output where Value == Timestamp {
    package static var timestamp: Output<Timestamp> { Output(schema: .timestamp) { .string($0.iso8601) } }
}

extension Output where Value == UUID {
    package static var uuid: Output<UUID> { Output(schema: .uuid) { .string($0.uuidString.lowercased()) } }
}

extension Output where Value == JSON {
    /// Any JSON, as it is.
    package static var json: Output { Output(schema: Schema([:], example: [:])) { $0 } }
}

extension Output where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    package static func choice(_: Value.Type) -> Output {
        Output(schema: .choice(Value.allCases.map(\.rawValue))) { .string($0.rawValue) }
    }
}
