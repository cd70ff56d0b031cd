/// A member that an object in a body may have, with the format of its value.
package struct ObjectMember<Value: Sendable>: AnyObjectMember {
    package let name: String
    fileprivate let format: Format<Value>

    package init(_ name: String, _ format: Format<Value>) {
        self.name = name
        self.format = format
    }

    package var schema: Schema { format.schema }
}

package protocol AnyObjectMember: Sendable {
    var name: String { get }
    var schema: Schema { get }
}

/// The members of an object as they came: each once, and none that is not declared.
package struct ObjectMembers: Sendable {
    fileprivate let members: [JSON.Member]

    /// - Returns: `nil` where the member did not come.
    /// - Throws: The fault of its value, inside the member.
    package subscript<Value>(_ member: ObjectMember<Value>) -> Value? {
        get throws(Fault) {
            guard let found = members.first(where: { $0.name == member.name }) else { return nil }
            do throws(Fault) {
                return try member.format.readJSON(found.value)
            } catch {
                throw error.inside(member.name)
            }
        }
    }
}

extension Format {
    /// An object in a body.
    /// - Parameters:
    ///   - keywords: Of the schema, beside type, properties, required and additionalProperties.
    ///   - fault: What it is refused with where it is none, or has members that it may not have.
    ///   - make: The value of the members; `nil` where they do not go together.
    package static func object(
        _ members: [any AnyObjectMember], required: [String] = [], keywords: [JSON.Member] = [], example: JSON,
        or fault: Fault, make: @escaping @Sendable (ObjectMembers) throws(Fault) -> Value?
    ) -> Format {
        var schema: [JSON.Member] = [
            .init("type", "object"),
            .init("properties", .object(members.map { JSON.Member($0.name, $0.schema.json) })),
        ]
        if !required.isEmpty { schema.append(.init("required", .array(required.map { .string($0) }))) }
        schema += keywords + [.init("additionalProperties", false)]
        let names = Set(members.map(\.name))
        return Format(
            schema: Schema(schema, example: example),
            readText: { _ throws(Fault) in throw fault },
            readJSON: { json throws(Fault) in
                guard case .object(let found) = json else { throw fault }
                var seen: Set<String> = []
                for member in found {
                    guard names.contains(member.name), seen.insert(member.name).inserted else {
                        throw fault.inside(member.name)
                    }
                }
                guard let value = try make(ObjectMembers(members: found)) else { throw fault }
                return value
            })
    }

    /// The same format, or null.
    package var nullable: Format<Value?> {
        Format<Value?>(
            schema: schema.nullable, readText: { text throws(Fault) in try readText(text) },
            readJSON: { json throws(Fault) in json == .null ? nil : try readJSON(json) })
    }
}
