extension MessageTemplate {
    /// A section that has begun.
    private struct Section {
        let name: String
        let line: Int
        /// What stood before it, from which either side goes on.
        let before: TemplateSyntax
        /// Of the first side, once it has ended, what it holds and where it led.
        var then: (pieces: [Piece], after: TemplateSyntax)?
    }

    static func parts(of text: String, _ type: ContentType) throws(TemplateFault) -> [Part] {
        var syntax = TemplateSyntax(type)
        var parts: [Part] = []
        var pieces: [Piece] = []
        var section: Section?
        let tokens = try TemplateToken.all(in: text)
        for (line, token) in tokens {
            switch token {
            case .text(let bytes):
                try syntax.read(bytes, from: line)
                pieces.append(.text(bytes))
            case .name(let name, let filter):
                pieces.append(.place(name, try syntax.take(filter, line)))
            case .section(let name):
                guard section == nil else { throw TemplateFault(.nested, line: line) }
                parts += pieces.map(Part.piece)
                pieces = []
                section = Section(name: name, line: line, before: syntax)
            case .otherwise:
                guard let open = section, open.then == nil else { throw TemplateFault(.stray, line: line) }
                section?.then = (pieces, syntax)
                (pieces, syntax) = ([], open.before)
            case .end:
                guard let open = section else { throw TemplateFault(.stray, line: line) }
                // Without another side nothing stands in its place.
                let then = open.then ?? (pieces, syntax)
                let other: ([Piece], TemplateSyntax) = open.then == nil ? ([], open.before) : (pieces, syntax)
                guard let joined = then.after.joined(with: other.1) else {
                    throw TemplateFault(.uneven, line: open.line)
                }
                syntax = joined
                parts.append(.section(open.name, then: then.pieces, otherwise: other.0))
                (pieces, section) = ([], nil)
            }
        }
        if let section { throw TemplateFault(.unendedSection, line: section.line) }
        guard syntax.isWhole else {
            throw TemplateFault(.unendedJSON, line: text.utf8.count(where: { $0 == 0x0A }) + 1)
        }
        return parts + pieces.map(Part.piece)
    }
}
