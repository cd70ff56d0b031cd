import Foundation
import FoundationXML

/// A document that says what is heard in a call, read by an XML parser.
package struct SpokenDocument: Sendable {
    /// Where a pressed key is posted, and how; nil where none is waited for.
    package private(set) var gather: [String: String]?
    /// The languages and sentences, in order.
    package private(set) var said: [(language: String, text: String)] = []
    /// The elements in the order in which they begin, each behind those that it stands in.
    package private(set) var elements: [String] = []

    /// - Returns: nil for a document that is not well-formed.
    package init?(_ text: String) {
        let reader = Reader()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = reader
        guard parser.parse() else { return nil }
        self = reader.document
    }

    private init() {}

    private final class Reader: NSObject, XMLParserDelegate {
        var document = SpokenDocument()
        private var path: [String] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            path.append(name)
            document.elements.append(path.joined(separator: "/"))
            if name == "Gather" { document.gather = attributes }
            if name == "Say" { document.said.append((attributes["language"] ?? "", "")) }
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            path.removeLast()
        }

        func parser(_ parser: XMLParser, foundCharacters text: String) {
            if path.last == "Say" { document.said[document.said.count - 1].text += text }
        }
    }
}
