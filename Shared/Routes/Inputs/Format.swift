package import Instants

/// The format of one value: read from text (path, query, header) and from JSON (body), with its schema and an example.
package struct Format<Value: Sendable>: Sendable {
    package let schema: Schema
    package let readText: @Sendable (String) throws(Fault) -> Value
    package let readJSON: @Sendable (JSON) throws(Fault) -> Value

    package init(
        schema: Schema,
        readText: @escaping @Sendable (String) throws(Fault) -> Value,
        readJSON: @escaping @Sendable (JSON) throws(Fault) -> Value
    ) {
        self.schema = schema
        self.readText = readText
        self.readJSON = readJSON
    }

    /// A format that is text in both places.
    package init(schema: Schema, reading read: @escaping @Sendable (String) throws(Fault) -> Value) {
        self.init(schema: schema, readText: read) { json throws(Fault) in
            guard case .string(let text) = json else { throw .notText }
            return try read(text)
        }
    }

    /// The format of a caller's own type that is read from text, such as an id. `read` never gets a NUL.
    package static func reading(
        _ name: String, example: String, count: ClosedRange<Int> = 1...128, pattern: String? = nil,
        _ read: @escaping @Sendable (String) throws(Fault) -> Value
    ) -> Format {
        var keywords: [JSON.Member] = [
            .init("type", "string"), .init("minLength", .integer(Int64(count.lowerBound))),
            .init("maxLength", .integer(Int64(count.upperBound))), .init("title", .string(name)),
        ]
        if let pattern { keywords.append(.init("pattern", .string(pattern))) }
        return Format(schema: Schema(keywords, example: .string(example))) { text throws(Fault) in
            try check(text, count)
            return try read(text)
        }
    }

    /// The same format, converted to another type.
    package func map<Other>(_ convert: @escaping @Sendable (Value) throws(Fault) -> Other) -> Format<Other> {
        Format<Other>(
            schema: schema,
            readText: { text throws(Fault) in try convert(try readText(text)) },
            readJSON: { json throws(Fault) in try convert(try readJSON(json)) })
    }

    /// The same format with another example in the document.
    package func example(_ example: JSON) -> Format {
        Format(schema: schema.with(example: example), readText: readText, readJSON: readJSON)
    }
}

/// Refuses NUL, which PostgreSQL's text cannot hold. Length counts Unicode scalars, as the database does.
private func check(_ text: String, _ count: ClosedRange<Int>) throws(Fault) {
    guard !text.utf8.contains(0) else { throw .nul }
    let length = text.unicodeScalars.count
    guard length >= count.lowerBound else { throw .tooShort(minimum: count.lowerBound) }
    guard length <= count.upperBound else { throw .tooLong(maximum: count.upperBound) }
}

/// An example cut or padded to the required length.
private func fitted(_ text: String, _ count: ClosedRange<Int>) -> String {
    let cut = String(text.prefix(count.upperBound))
    return cut + String(repeating: "x", count: max(0, count.lowerBound - cut.count))
}

extension Format where Value == String {
    /// Text of a number of Unicode scalars.
    package static func text(_ count: ClosedRange<Int>) -> Format {
        Format(
            schema: Schema(
                [
                    "type": "string", "minLength": .integer(Int64(count.lowerBound)),
                    "maxLength": .integer(Int64(count.upperBound)), "pattern": .string(Schema.anyTextPattern),
                ], example: .string(fitted("text", count)))
        ) { text throws(Fault) in
            try check(text, count)
            return text
        }
    }

    /// Text that also matches a pattern.
    package static func text(_ count: ClosedRange<Int>, pattern: TextPattern, example: String? = nil) -> Format {
        Format(
            schema: Schema(
                [
                    "type": "string", "minLength": .integer(Int64(count.lowerBound)),
                    "maxLength": .integer(Int64(count.upperBound)), "pattern": .string(pattern.text),
                ], example: .string(example ?? "text"))
        ) { text throws(Fault) in
            try check(text, count)
            guard pattern.matches(text) else { throw .pattern }
            return text
        }
    }

    /// Text that is never shown again: a password or a token.
    package static func secret(_ count: ClosedRange<Int>) -> Format {
        Format(
            schema: Schema(
                [
                    "type": "string", "format": "password", "minLength": .integer(Int64(count.lowerBound)),
                    "maxLength": .integer(Int64(count.upperBound)), "writeOnly": true,
                    "pattern": .string(Schema.anyTextPattern),
                ], example: .string(fitted("correct horse battery staple", count)))
        ) { text throws(Fault) in
            try check(text, count)
            return text
        }
    }
}

extension Format where Value == Int {
    /// A whole number. In JSON, 5.0 and 5e0 count as 5.
    package static func integer(_ range: ClosedRange<Int>) -> Format {
        @Sendable func bounded(_ value: Int64) throws(Fault) -> Int {
            guard value >= range.lowerBound else { throw .tooSmall(minimum: .integer(Int64(range.lowerBound))) }
            guard value <= range.upperBound else { throw .tooLarge(maximum: .integer(Int64(range.upperBound))) }
            return Int(value)
        }
        return Format(
            schema: Schema(
                [
                    "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
                    "maximum": .integer(Int64(range.upperBound)),
                ], example: .integer(Int64(range.lowerBound))),
            readText: { text throws(Fault) in
                guard text.utf8.count <= 20, let value = Int64(text), text.first != "+" else { throw .notInteger }
                return try bounded(value)
            },
            readJSON: { json throws(Fault) in
                switch json {
                case .integer(let value): return try bounded(value)
                case .number(let value):
                    guard let whole = Int64(exactly: value) else { throw .notInteger }
                    return try bounded(whole)
                default: throw .notInteger
                }
            })
    }
}

extension Format where Value == Double {
    /// A finite number.
    package static func decimal(_ range: ClosedRange<Double>) -> Format {
        @Sendable func bounded(_ value: Double) throws(Fault) -> Double {
            guard value.isFinite else { throw .notNumber }
            guard value >= range.lowerBound else { throw .tooSmall(minimum: .number(range.lowerBound)) }
            guard value <= range.upperBound else { throw .tooLarge(maximum: .number(range.upperBound)) }
            return value
        }
        return Format(
            schema: Schema(
                ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)],
                example: .number(range.lowerBound)),
            readText: { text throws(Fault) in
                // Refuses "nan", "inf" and hexadecimal numbers, which Double would read.
                guard text.utf8.count <= 32, text.utf8.allSatisfy({ decimalCharacters.contains($0) }),
                    let value = Double(text)
                else { throw .notNumber }
                return try bounded(value)
            },
            readJSON: { json throws(Fault) in
                guard let value = json.number else { throw .notNumber }
                return try bounded(value)
            })
    }
}

private let decimalCharacters = Set("0123456789+-.eE".utf8)

extension Format where Value == Bool {
    package static var boolean: Format {
        Format(
            schema: .boolean,
            readText: { text throws(Fault) in
                switch text {
                case "true": return true
                case "false": return false
                default: throw .notBoolean
                }
            },
            readJSON: { json throws(Fault) in
                guard case .bool(let value) = json else { throw .notBoolean }
                return value
            })
    }
}

extension Format where Value == Timestamp {
    /// A date and time by RFC 3339.
    package static var timestamp: Format<Timestamp> {
        Format(schema: .timestamp) { text throws(Fault) in
            guard text.utf8.count <= 64, let time = Timestamp(iso8601: text.utf8.span) else { throw .notTimestamp }
            return time
        }
    }
}

extension Format where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of the cases, by its raw value.
    package static func choice(_: Value.Type) -> Format {
        let values = Value.allCases.map(\.rawValue)
        return Format(schema: .choice(values)) { text throws(Fault) in
            guard let value = Value(rawValue: text) else { throw .notChoice(values) }
            return value
        }
    }
}
