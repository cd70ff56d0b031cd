/// A text with places for values: `{value}, below your minimum of {limit}`.
struct Template: Sendable {
    private enum Part: Sendable {
        case text(String)
        case place(String)
    }

    private let parts: [Part]

    init(_ text: String) {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            parts.append(.place(String(rest[rest.index(after: open)..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }

    /// The names of its places.
    var places: Set<String> {
        Set(parts.compactMap { part in if case .place(let name) = part { name } else { nil } })
    }

    /// The text with its values; a place without one stays.
    func filled(_ value: (Substring) -> String?) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .text(let literal): text += literal
            case .place(let name): text += value(name[...]) ?? "{\(name)}"
            }
        }
        return text
    }
}

/// A text in its forms, by their names: one form for most, a form for each plural or gender where they differ.
struct TextForms: Sendable {
    let forms: [String: Template]

    init(_ forms: [String: String]) { self.forms = forms.mapValues(Template.init) }

    /// The form, or the one for all others.
    subscript(name: String) -> Template? { forms[name] ?? forms["other"] }
}
