package import Words

/// A text escaped for an element or a quoted attribute.
package func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": result += "&amp;"
        case "<": result += "&lt;"
        case ">": result += "&gt;"
        case "\"": result += "&quot;"
        case "'": result += "&#39;"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

package func code(_ text: String) -> String { "<code>" + escaped(text) + "</code>" }

/// - Parameter rows: Cells, as HTML.
package func table(_ heads: [String], _ rows: [[String]]) -> String {
    let head = heads.map { "<th scope=\"col\">\(escaped($0))" }.joined()
    let body = rows.map { "<tr>" + $0.map { "<td>" + $0 }.joined() + "\n" }.joined()
    return "<table>\n<thead><tr>\(head)\n<tbody>\n\(body)</table>\n"
}

/// A whole page without scripts and without external resources.
package func htmlPage(_ title: String, _ language: Language, _ body: String) -> String {
    """
    <!doctype html>
    <html lang="\(language.rawValue)">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(escaped(title))</title>
    <style>\(PageStyle.text)</style>
    \(body)
    </html>

    """
}

extension JSON {
    /// The value on several lines, for people.
    func indented(_ depth: Int = 0) -> String {
        let inner = String(repeating: "  ", count: depth + 1)
        let outer = String(repeating: "  ", count: depth)
        switch self {
        case .array(let elements) where !elements.isEmpty:
            return "[\n" + elements.map { inner + $0.indented(depth + 1) }.joined(separator: ",\n") + "\n\(outer)]"
        case .object(let members) where !members.isEmpty:
            let lines = members.map { inner + JSON.string($0.name).text + ": " + $0.value.indented(depth + 1) }
            return "{\n" + lines.joined(separator: ",\n") + "\n\(outer)}"
        default: return text
        }
    }
}
