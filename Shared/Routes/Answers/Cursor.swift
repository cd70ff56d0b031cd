/// The sort key of a page's last item: the next page begins behind it.
package protocol CursorKey: Hashable, Sendable {
    /// The parts of the key, most significant first.
    var cursorParts: [JSON] { get }
    /// Reads parts that a client sent.
    /// - Returns: `nil` for parts that are no such key.
    init?(cursorParts: [JSON])
}

/// A sort key as clients carry it from one page to the next: opaque, and bound to the list that it came from.
///
/// A cursor is neither secret nor signed: it is a position in a list that is the caller's own.
package enum Cursor {
    package static let longest = 512

    /// - Parameter list: The route's id, with the filter if there is one: the cursor is valid for that list only.
    package static func text(_ key: some CursorKey, of list: String) -> String {
        Base64URL.text(JSON.array([.string(list)] + key.cursorParts).bytes)
    }

    package static func read<Key: CursorKey>(_ text: String, of list: String) throws(Fault) -> Key {
        guard text.utf8.count <= longest, let bytes = Base64URL.bytes(text),
            let json = try? JSON(reading: bytes), case .array(let parts) = json,
            parts.first == .string(list), let key = Key(cursorParts: Array(parts.dropFirst()))
        else { throw .cursor }
        return key
    }
}

extension Format where Value: CursorKey {
    /// The format of a page's `next`.
    package static func cursor(of list: String) -> Format {
        Format(
            schema: Schema(
                [
                    "type": "string", "minLength": 1, "maxLength": .integer(Int64(Cursor.longest)),
                    "pattern": "^[A-Za-z0-9_-]+$",
                ], example: .string(Base64URL.text(JSON.array([.string(list), 42]).bytes)))
        ) { text throws(Fault) in try Cursor.read(text, of: list) }
    }
}

extension Input {
    /// The query parameter `cursor`; without it the list starts at its beginning.
    package static func cursor<Key: CursorKey>(of list: String, _: Key.Type) -> Input where Value == Key? {
        .optionalQuery("cursor", .cursor(of: list), "The member next of the page before.")
    }
}

extension Input where Value == Int {
    /// The query parameter `limit`.
    package static func limit(_ range: ClosedRange<Int> = 1...200, default value: Int = 50) -> Input {
        .query("limit", .integer(range), default: value, "How many items a page has at most.")
    }
}

/// One page of a list.
package struct Page<Item: Sendable>: Sendable {
    package let items: [Item]
    /// The cursor of the next page; `nil` at the end.
    package let next: String?

    package init(items: [Item], next: String?) {
        self.items = items
        self.next = next
    }

    /// - Parameter rows: Up to one more than `limit`; the additional row shows that the list goes on.
    package init(_ rows: [Item], limit: Int, of list: String, key: (Item) -> some CursorKey) {
        items = Array(rows.prefix(limit))
        next = rows.count > limit ? items.last.map { Cursor.text(key($0), of: list) } : nil
    }

    package func map<Other>(_ convert: (Item) throws -> Other) rethrows -> Page<Other> {
        Page<Other>(items: try items.map(convert), next: next)
    }
}

extension Output {
    package static func page<Item>(of item: Output<Item>) -> Output where Value == Page<Item> {
        let list = Output<[Item]>.list(of: item)
        let cursor = Schema.text.nullable.with(example: .null)
        let schema = Schema(
            [
                "type": "object",
                "properties": [
                    "items": list.schema.json,
                    "next": .object(
                        cursor.keywords + [
                            .init("description", "The cursor of the next page; null at the end.")
                        ]),
                ], "required": ["items", "next"], "additionalProperties": false,
            ], components: item.schema.components, example: ["items": list.schema.example, "next": nil])
        let members: [OutputMember<Page<Item>>] = [
            .member("items", list, "") { $0.items }, .member("next", .optional(of: .text), "") { $0.next },
        ]
        return Output(schema: schema, write: Output.writer(members))
    }
}

extension Int64: CursorKey {
    package var cursorParts: [JSON] { [.integer(self)] }

    package init?(cursorParts parts: [JSON]) {
        guard parts.count == 1, case .integer(let value) = parts[0] else { return nil }
        self = value
    }
}

extension String: CursorKey {
    package var cursorParts: [JSON] { [.string(self)] }

    package init?(cursorParts parts: [JSON]) {
        guard parts.count == 1, case .string(let text) = parts[0], !text.utf8.contains(0) else { return nil }
        self = text
    }
}
