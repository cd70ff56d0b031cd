import HTTPTypes
import Words

extension Route {
    /// The page's section about this route.
    func section(base: String, _ terms: PageTerms) -> String {
        var section = """
            <section id="\(escaped(id))">
            <h3>\(escaped(summary))</h3>
            <p><code><span class="method">\(escaped(method.rawValue))</span> \(escaped(base + path.description))</code>

            """
        if !text.isEmpty { section += "<p>\(escaped(text))\n" }
        section += "<p class=\"soft\">\(escaped(terms.access(access)))\n"
        if !inputs.isEmpty {
            section += heading(terms(.inputs))
            section += table(
                [terms(.name), terms(.place), terms(.form), terms(.meaning)],
                inputs.map { input in
                    [
                        code(input.name),
                        escaped(terms.place(input.place))
                            + (input.isRequired ? ", " + escaped(terms(.required)) : ""),
                        input.schema.words(terms), escaped(input.text),
                    ]
                })
        }
        section += heading(terms(.answer)) + answer(terms)
        section += heading(terms(.problems)) + problemList
        section += heading(terms(.example)) + "<pre>\(escaped(curl(base: base)))</pre>\n"
        return section + "</section>\n"
    }

    private func heading(_ term: String) -> String { "<h4>\(escaped(term))</h4>\n" }

    private func answer(_ terms: PageTerms) -> String {
        let statuses = ([reply.status] + reply.alternatives).map { String($0.code) }.joined(separator: ", ")
        var answer = "<p>\(statuses)"
        guard let mediaType = reply.mediaType else { return answer + ", \(escaped(terms(.nothing)))\n" }
        answer += ", \(code(mediaType))"
        if reply.isStream { return answer + ". \(escaped(reply.text))\n" }
        guard let schema = reply.schema else { return answer + "\n" }
        answer += ", \(schema.words(terms))\n"
        return answer + "<pre>\(escaped(schema.example.indented()))</pre>\n"
    }

    private var problemList: String {
        let codes = allProblems.map { type in
            "<a href=\"#problems\" title=\"\(escaped(type.title(in: .en)))\">\(Routes.code("\(type.status.code) \(type.code)"))</a>"
        }
        return "<p>\(codes.joined(separator: ", "))\n"
    }

    /// The request as one curl command.
    func curl(base: String) -> String {
        var path = base
        for step in self.path.steps {
            switch step {
            case .name(let name): path += "/" + name
            case .parameter(let name), .rest(let name):
                path += "/" + percentEncoded(inputs.first { $0.name == name }?.textExample ?? name)
            }
        }
        let query = inputs.filter { $0.place == .query && $0.isRequired }.map {
            $0.name + "=" + percentEncoded($0.textExample)
        }
        if !query.isEmpty { path += "?" + query.joined(separator: "&") }
        var parts = ["curl"]
        if method != .get { parts.append("-X \(method.rawValue)") }
        if reply.isStream { parts.append("-N") }
        if access != .anyone { parts.append("-H \"Authorization: Bearer $TOKEN\"") }
        for header in inputs where header.place == .header && header.isRequired {
            parts.append("-H " + shellQuoted("\(header.name): \(header.textExample)"))
        }
        if case .file(let file) = body {
            parts += ["-H 'Content-Type: \(file.mediaTypes[0])'", "--data-binary @FILE"]
        } else if let example = writtenBodyExample {
            parts += ["-H 'Content-Type: \(body.mediaTypes[0])'", "-d " + shellQuoted(example)]
        }
        return parts.joined(separator: " ") + " \"$ORIGIN\"" + shellQuoted(path)
    }
}

private func shellQuoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
