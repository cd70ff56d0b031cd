import HTTPTypes
package import Words

extension API {
    /// The whole interface as a page for people: static HTML, made from the declarations.
    package func page(in language: Language, document: String = "/api/openapi.json") -> String {
        let terms = PageTerms(language: language)
        let basics = terms(.address, ["base": base, "document": document])
        var body = "<header>\n<h1>\(escaped(title))</h1>\n<p>\(escaped(text))\n</header>\n<main>\n"
        body += contents(terms)
        body += "<h2 id=\"basics\">\(escaped(terms(.basics)))</h2>\n<p>\(escaped(basics))\n"
        for tag in tags {
            body += "<h2 id=\"tag-\(escaped(tag.name))\">\(escaped(tag.name))</h2>\n<p>\(escaped(tag.text))\n"
            for route in routes where route.tag == tag.name { body += route.section(base: base, terms) }
        }
        body += objects(terms) + problemTable(terms) + "</main>"
        return htmlPage(title, language, body)
    }

    private func contents(_ terms: PageTerms) -> String {
        var list = "<nav aria-label=\"\(escaped(terms(.contents)))\">\n"
        for tag in tags {
            list += "<h4><a href=\"#tag-\(escaped(tag.name))\">\(escaped(tag.name))</a></h4>\n<ul>\n"
            for route in routes where route.tag == tag.name {
                list += "<li><a href=\"#\(escaped(route.id))\">\(escaped(route.summary))</a>\n"
            }
            list += "</ul>\n"
        }
        for (id, name) in [("objects", PageTerms.Term.objects), ("problems", .problems)] {
            list += "<h4><a href=\"#\(id)\">\(escaped(terms(name)))</a></h4>\n"
        }
        return list + "</nav>\n"
    }

    /// The named schemas that answers refer to.
    private func objects(_ terms: PageTerms) -> String {
        let schemas = routes.reduce(into: Problem.schema.components) { all, route in
            if let schema = route.reply.schema { all = all.joined(schema.components) }
        }
        var section = "<h2 id=\"objects\">\(escaped(terms(.objects)))</h2>\n"
        for (name, schema) in schemas.sorted(by: { $0.key < $1.key }) {
            section += "<h3 id=\"schema-\(escaped(name))\">\(escaped(name))</h3>\n"
            section += "<p>\(escaped(schema.json["description"]?.string ?? ""))\n"
            let rows = (schema.json["properties"]?.members ?? []).map { member in
                [
                    code(member.name), Schema.words(member.value, terms),
                    escaped(member.value["description"]?.string ?? ""),
                ]
            }
            section += table([terms(.name), terms(.form), terms(.meaning)], rows)
        }
        return section
    }

    private func problemTable(_ terms: PageTerms) -> String {
        let rows = problems.sorted { ($0.status.code, $0.code) < ($1.status.code, $1.code) }.map { type in
            [
                String(type.status.code), "<a href=\"\(escaped(type.address))\">\(code(type.code))</a>",
                "<strong>\(escaped(type.title(in: terms.language)))</strong> \(escaped(type.detail(in: terms.language)))",
            ]
        }
        return "<h2 id=\"problems\">\(escaped(terms(.problems)))</h2>\n"
            + table(["HTTP", "code", terms(.meaning)], rows)
    }
}

extension ProblemType {
    /// A page about this kind of problem, at `address`.
    package func page(in language: Language) -> String {
        htmlPage(
            title(in: language), language,
            """
            <main>
            <p class="soft">\(status.code) \(Routes.code(code))
            <h1>\(escaped(title(in: language)))</h1>
            <p>\(escaped(detail(in: language)))
            </main>
            """)
    }
}
