/// What surrounds the places of a template: it says how values are written there, and refuses a text that is none of its type.
enum TemplateSyntax: Hashable {
    case json(JSONOutline)
    case form
    case text

    init(_ type: MessageTemplate.ContentType) {
        switch type {
        case .json: self = .json(JSONOutline())
        case .form: self = .form
        case .text: self = .text
        }
    }

    /// Goes on behind a text.
    mutating func read(_ bytes: [UInt8], from line: Int) throws(TemplateFault) {
        var line = line
        for byte in bytes {
            guard read(byte) else { throw TemplateFault(self == .form ? .notEncoded : .notJSON, line: line) }
            if byte == UInt8(ascii: "\n") { line += 1 }
        }
    }

    private mutating func read(_ byte: UInt8) -> Bool {
        switch self {
        case .text: return true
        // visible, and nothing that is not ASCII
        case .form: return (0x21...0x7E).contains(byte)
        case .json(var outline):
            defer { self = .json(outline) }
            return outline.read(byte)
        }
    }

    /// Goes on behind a place.
    /// - Returns: How a value is written there.
    mutating func take(_ filter: TemplateToken.Filter?, _ line: Int) throws(TemplateFault) -> TemplateEncoding {
        switch (self, filter) {
        case (.text, nil): return .plain
        case (.text, .json?): return .json
        case (.text, .url?), (.form, nil), (.form, .url?): return .percent
        case (.form, .json?): return .jsonInPercent
        case (.json(var outline), _):
            switch (outline.place, filter) {
            case (.text, nil): return .quoted
            case (.text, .url?): return .percent
            case (.text, .json?): throw TemplateFault(.quotedTwice, line: line)
            case (.value, .url?): throw TemplateFault(.unquoted, line: line)
            case (.value, _):
                outline.takeValue()
                self = .json(outline)
                return .json
            case (.nothing, _): throw TemplateFault(.noPlace, line: line)
            }
        }
    }

    /// What surrounds the places behind two texts of which either may stand there; nil where what may follow one may not follow the other.
    func joined(with other: TemplateSyntax) -> TemplateSyntax? {
        if case (.json(let outline), .json(let other)) = (self, other) {
            outline.joined(with: other).map(TemplateSyntax.json)
        } else {
            self == other ? self : nil
        }
    }

    /// Whether the text may end here.
    var isWhole: Bool {
        if case .json(let outline) = self { outline.isWhole } else { true }
    }
}
