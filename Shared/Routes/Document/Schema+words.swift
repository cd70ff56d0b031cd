extension Schema {
    /// The schema in a few words, as HTML: `text, 1–64`, `one of a, b`, a link to a named schema.
    func words(_ terms: PageTerms) -> String { Self.words(json, terms) }

    static func words(_ schema: JSON, _ terms: PageTerms) -> String {
        if let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last {
            return "<a href=\"#schema-\(escaped(String(name)))\">\(escaped(String(name)))</a>"
        }
        if let choices = schema["enum"]?.array {
            return terms(.oneOf) + " " + choices.map { code($0.string ?? $0.text) }.joined(separator: ", ")
        }
        if let parts = schema["anyOf"]?.array {
            return parts.map { Self.words($0, terms) }.joined(separator: " | ")
        }
        let types = (schema["type"]?.array ?? [schema["type"] ?? "any"]).compactMap(\.string)
        var words = types.map { escaped(terms.type($0)) }.joined(separator: " | ")
        if let format = schema["format"]?.string, !["int64", "password"].contains(format) {
            words += " (\(escaped(format)))"
        }
        let bounds = [("minLength", "maxLength"), ("minimum", "maximum"), ("minItems", "maxItems")]
        for (least, most) in bounds where schema[most] != nil {
            words += ", \(schema[least]?.text ?? "0")–\(schema[most]?.text ?? "")"
        }
        if let items = schema["items"] { words += " (\(Self.words(items, terms)))" }
        if let pattern = schema["pattern"]?.string, pattern != Self.anyTextPattern { words += ", " + code(pattern) }
        return words
    }
}
