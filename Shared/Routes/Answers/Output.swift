package import FoundationEssentials
package import Instants

/// The schema and the writer of a route's answer in one, so that the document cannot contradict it.
package struct Output<Value: Sendable>: Sendable {
    package typealias Writer = @Sendable (Value, inout JSONText) -> Void

    package let schema: Schema
    package let write: Writer

    package init(schema: Schema, write: @escaping Writer) {
        self.schema = schema
        self.write = write
    }

    /// The same output for a type that contains the value.
    package func map<Other>(_ convert: @escaping @Sendable (Other) -> Value) -> Output<Other> {
        Output<Other>(schema: schema) { write(convert($0), &$1) }
    }

    package func example(_ example: JSON) -> Output {
        Output(schema: schema.with(example: example), write: write)
    }
}

/// One member of an answer's object. Always present; null if there is no value.
package struct OutputMember<Value: Sendable>: Sendable {
    package let name: String
    package let text: String
    package let schema: Schema
    let write: Output<Value>.Writer

    package static func member<Part>(
        _ name: String, _ output: Output<Part>, _ text: String, example: JSON? = nil,
        _ part: @escaping @Sendable (Value) -> Part
    ) -> OutputMember {
        OutputMember(
            name: name, text: text, schema: example.map { output.schema.with(example: $0) } ?? output.schema
        ) { output.write(part($0), &$1) }
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
        return Output(schema: schema.named(name), write: Output.writer(members))
    }

    /// Writes an object's members in their order.
    static func writer(_ members: [OutputMember<Value>]) -> Writer {
        let parts = members.enumerated().map { index, member in
            var name = JSONText()
            name.append(member.name)
            return (lead: (index == 0 ? [] : Array(",".utf8)) + name.bytes + Array(":".utf8), write: member.write)
        }
        return { value, text in
            text.append(written: "{")
            for part in parts {
                text.append(written: part.lead)
                part.write(value, &text)
            }
            text.append(written: "}")
        }
    }

    package static func list<Element>(of element: Output<Element>) -> Output where Value == [Element] {
        Output(schema: .list(of: element.schema, count: nil)) { elements, text in
            text.appendList(elements) { element.write($1, &$0) }
        }
    }

    package static func optional<Wrapped>(of wrapped: Output<Wrapped>) -> Output where Value == Wrapped? {
        Output(schema: wrapped.schema.nullable) { value, text in
            if let value { wrapped.write(value, &text) } else { text.appendNull() }
        }
    }
}

extension Output where Value == String {
    package static var text: Output { Output(schema: .text) { $1.append($0) } }
}

extension Output where Value == Int {
    package static var integer: Output { Output(schema: .integer) { $1.append(Int64($0)) } }
}

extension Output where Value == Double {
    package static var decimal: Output { Output(schema: .number) { $1.append($0) } }
}

extension Output where Value == Bool {
    package static var boolean: Output { Output(schema: .boolean) { $1.append($0) } }
}

extension Output where Value == Timestamp {
    package static var timestamp: Output<Timestamp> { Output(schema: .timestamp) { $1.append($0) } }
}

extension Output where Value == UUID {
    package static var uuid: Output<UUID> { Output(schema: .uuid) { $1.append($0.uuidString.lowercased()) } }
}

extension Output where Value == JSON {
    /// Any JSON, as it is.
    package static var json: Output { Output(schema: Schema([:], example: [:])) { $1.append($0) } }
}

extension Output where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    package static func choice(_: Value.Type) -> Output {
        Output(schema: .choice(Value.allCases.map(\.rawValue))) { $1.append($0.rawValue) }
    }
}
