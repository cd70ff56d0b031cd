/// A text of a person's own, with places for what an alert says.
///
/// `{{device.name}}` is a place, `{{title | json}}` and `{{text | url}}` say how it is written, and
/// `{{#if critical}}...{{else}}...{{/if}}` is a section. There is nothing else: no loops, no nesting, no other data than a message's own. So
/// writing it always ends, never fails and has a bound; and where it makes JSON it makes JSON whatever a message says, which
/// `JSONOutline` shows once, when the template is made.
package struct MessageTemplate: Hashable, Sendable {
    /// What it makes. The raw values are stored.
    package enum ContentType: String, CaseIterable, Sendable {
        case json = "application/json"
        case text = "text/plain"
        case form = "application/x-www-form-urlencoded"

        /// As the header says it.
        package var header: String { self == .text ? "text/plain; charset=utf-8" : rawValue }
    }

    /// The most bytes of a template.
    package static let longest = 4096
    /// The most bytes of what it makes.
    package static let longestOutput = 16_384
    /// The room that each value has at least: a place takes eight bytes to write, so there are 512 at most. A number needs less.
    package static let leastRoom = longestOutput / (longest / 8)

    package let text: String
    package let type: ContentType
    let parts: [Part]

    /// - Throws: `TemplateFault`, the first one.
    package init(_ text: String, type: ContentType) throws(TemplateFault) {
        guard text.utf8.count <= Self.longest else { throw TemplateFault(.tooLong, line: 1) }
        self.text = text
        self.type = type
        parts = try Self.parts(of: text, type)
    }

    enum Piece: Hashable {
        case text([UInt8])
        case place(String, TemplateEncoding)
    }

    enum Part: Hashable {
        case piece(Piece)
        case section(String, then: [Piece], otherwise: [Piece])
    }
}

extension MessageTemplate {
    /// What the template makes of a message: `longestOutput` bytes at most. What has no room is cut off within its place.
    package func written(_ values: [String: TemplateValue]) -> [UInt8] {
        let pieces = parts.flatMap { part -> [Piece] in
            switch part {
            case .piece(let piece): [piece]
            case .section(let name, let then, let otherwise): values[name]?.isTrue == true ? then : otherwise
            }
        }
        var places = 0
        var room = Self.longestOutput
        for piece in pieces {
            switch piece {
            case .text(let bytes): room -= bytes.count
            case .place: places += 1
            }
        }
        var output: [UInt8] = []
        for piece in pieces {
            switch piece {
            case .text(let bytes): output += bytes
            case .place(let name, let encoding):
                // What a short value leaves is the later ones'.
                let bytes = encoding.bytes(of: values[name], atMost: room / places)
                output += bytes
                room -= bytes.count
                places -= 1
            }
        }
        return output
    }
}
