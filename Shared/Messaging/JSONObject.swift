import FoundationEssentials

/// A JSON object as channels write it: its members in the order of their names, without those that are nil.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private let members: [(name: Name, value: any Encodable)]

    package init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        self.members = members.compactMap { name, value in value.map { (Name(stringValue: name), $0) } }
    }

    private init(_ members: [(name: Name, value: any Encodable)]) { self.members = members }

    package static func + (left: JSONObject, right: JSONObject) -> JSONObject {
        JSONObject(left.members + right.members)
    }

    /// All that is no object, by its path: `device.name`.
    package var leaves: [(path: String, value: any Encodable)] {
        members.flatMap { name, value in
            guard let object = value as? JSONObject else { return [(path: name.stringValue, value: value)] }
            return object.leaves.map { (path: "\(name.stringValue).\($0.path)", value: $0.value) }
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: name) }
    }

    /// UTF-8 text without white space.
    package func bytes() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try Array(encoder.encode(self))
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
