import Routes
import Words

/// What people read in a browser: the same as the JSON, without scripts and forms.
struct FeatureHTML: Sendable {
    private let exchange: FeatureExchange

    init(_ exchange: FeatureExchange) { self.exchange = exchange }

    func landing() -> String {
        let entries = [("/collections", "collections"), ("/conformance", "conformance"), ("/api", "api")]
        return main(
            Brand.current.name,
            paragraph(exchange.words("about"))
                + "<ul>\n" + entries.map { "<li>\(anchor($0, exchange.words($1)))\n" }.joined() + "</ul>\n")
    }

    func list(_ lines: [String], _ title: String) -> String {
        main(title, "<ul>\n" + lines.map { "<li>\(code($0))\n" }.joined() + "</ul>\n")
    }

    /// - Parameter document: Of OpenAPI.
    func operations(_ document: JSON) -> String {
        let rows = (document["paths"]?.members ?? []).flatMap { path in
            (path.value.members ?? []).map { operation in
                [
                    code("\(operation.name.uppercased()) \(path.name)"),
                    escaped(operation.value["summary"]?.string ?? ""),
                ]
            }
        }
        let address = exchange.address("/api", [("f", FeatureForm.json.rawValue)])
        return main(
            exchange.words("api"),
            "<p><a href=\"\(escaped(address))\">OpenAPI 3.0</a>\n" + table([exchange.words("address"), ""], rows))
    }

    func layers() -> String {
        let rows = exchange.root.layers.map { layer in
            [anchor(layer.path, exchange.words(layer.rawValue)), escaped(exchange.words("\(layer.rawValue)_text"))]
        }
        return main(exchange.words("collections"), table([exchange.words("collection"), ""], rows))
    }

    func layer(_ layer: Layer) -> String {
        let rows = exchange.root.properties(of: layer).map { [code($0.name), escaped($0.text)] }
        return main(
            exchange.words(layer.rawValue),
            paragraph(exchange.words("\(layer.rawValue)_text"))
                + "<p>\(anchor("\(layer.path)/items", exchange.words("show")))\n"
                + table([exchange.words("property"), exchange.words("meaning")], rows))
    }

    func items(_ page: FeaturePage, of layer: Layer, next: String?) -> String {
        let columns = exchange.root.properties(of: layer).filter { property in
            page.features.contains { $0[property.name] != .null }
        }
        let rows = page.features.map { feature in
            [anchor("\(layer.path)/items/\(percentEncoded(feature.id))", feature.id)]
                + columns.map { escaped(Self.text(feature[$0.name])) } + [escaped(feature.place)]
        }
        let further = next.map { "<p><a rel=\"next\" href=\"\(escaped($0))\">\(escaped(exchange.words("next")))</a>\n" }
        return main(
            exchange.words(layer.rawValue),
            (rows.isEmpty
                ? paragraph(exchange.words("nothing"))
                : "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"\(escaped(exchange.words(layer.rawValue)))\">\n"
                    + table([exchange.words("id")] + columns.map(\.name) + [exchange.words("place")], rows) + "</div>\n")
                + (further ?? ""))
    }

    func item(_ feature: Feature, of layer: Layer) -> String {
        let rows = feature.properties.filter { $0.value != .null }.map {
            [code($0.name), escaped(Self.text($0.value))]
        }
        let place = feature.place.isEmpty ? [] : [[escaped(exchange.words("place")), escaped(feature.place)]]
        return main(
            feature.id,
            "<p>\(anchor("\(layer.path)/items", exchange.words(layer.rawValue)))\n"
                + table([exchange.words("property"), exchange.words("value")], rows + place))
    }

    /// - Parameter body: HTML.
    private func main(_ title: String, _ body: String) -> String {
        "<header>\n<p>\(anchor("/", Brand.current.name))\n</header>\n<main>\n<h1>\(escaped(title))</h1>\n\(body)</main>"
    }

    private func paragraph(_ text: String) -> String { "<p>\(escaped(text))\n" }

    private func anchor(_ path: String, _ text: String) -> String {
        let address = exchange.address(path, [("f", FeatureForm.html.rawValue)])
        return "<a href=\"\(escaped(address))\">\(escaped(text))</a>"
    }

    private static func text(_ value: JSON) -> String { value == .null ? "" : value.string ?? value.text }
}

extension Feature {
    fileprivate subscript(property: String) -> JSON { properties.first { $0.name == property }?.value ?? .null }

    /// Latitude and longitude in degrees; empty where there is none.
    fileprivate var place: String {
        guard let latitude, let longitude else { return "" }
        return "\(latitude), \(longitude)"
    }
}
