import HTTPTypes
import Instants
import Routes
import Words

extension FeatureExchange {
    /// The root itself.
    func landing() -> Answer<[UInt8]> {
        let all: [(relation: String, path: String, type: String, words: String)] = [
            ("service-desc", "/api", FeatureDocument.mediaType, "api"), ("service-doc", "/api", Self.html, "api"),
            ("conformance", "/conformance", Self.json, "conformance"),
            ("data", "/collections", Self.json, "collections"),
        ]
        let others = all.map { other in
            link(
                other.relation, other.path, other.type, title: words(other.words),
                query: other.type == Self.html ? [("f", FeatureForm.html.rawValue)] : [])
        }
        let json: JSON = [
            "title": .string(Brand.current.name), "description": .string(words("about")),
            "links": .array(links(to: "/") + others),
        ]
        return answer(json) { (Brand.current.name, FeatureHTML(self).landing()) }
    }

    func conformance() -> Answer<[UInt8]> {
        let classes = OGCFeatures.conformance
        return answer([
            "conformsTo": .array(classes.map { .string($0) }), "links": .array(links(to: "/conformance")),
        ]) { (words("conformance"), FeatureHTML(self).list(classes, words("conformance"))) }
    }

    func description() -> Answer<[UInt8]> {
        let json = FeatureDocument.json(of: root, title: Brand.current.name, server: address(""))
        return answer(json, FeatureDocument.mediaType) { (words("api"), FeatureHTML(self).operations(json)) }
    }

    func collections() -> Answer<[UInt8]> {
        answer([
            "links": .array(links(to: "/collections")), "collections": .array(root.layers.map { json(of: $0) }),
        ]) { (words("collections"), FeatureHTML(self).layers()) }
    }

    func collection(_ layer: Layer) -> Answer<[UInt8]> {
        answer(json(of: layer)) { (words(layer.rawValue), FeatureHTML(self).layer(layer)) }
    }

    /// A collection alone, and in the list of all.
    private func json(of layer: Layer) -> JSON {
        let path = layer.path
        return [
            "id": .string(layer.rawValue), "title": .string(words(layer.rawValue)),
            "description": .string(words("\(layer.rawValue)_text")), "itemType": "feature",
            "crs": .array(FeatureCRS.allCases.map { .string($0.rawValue) }),
            "storageCrs": .string(FeatureCRS.crs84.rawValue),
            "links": .array(
                links(to: path)
                    + [
                        link("items", "\(path)/items", Self.geoJSON, title: words(layer.rawValue)),
                        link(
                            "items", "\(path)/items", Self.html, title: words(layer.rawValue),
                            query: [("f", FeatureForm.html.rawValue)]),
                    ]),
        ]
    }

    /// - Parameter now: The time of the answer.
    func items(_ page: FeaturePage, of layer: Layer, _ query: FeatureQuery, now: Timestamp) -> Answer<[UInt8]> {
        let (path, asked) = ("\(layer.path)/items", query.parameters)
        var all = links(to: path, Self.geoJSON, query: asked + query.position)
        all.append(link("collection", layer.path, Self.json))
        let further = page.next.map { asked + [(name: "cursor", value: $0), (name: "f", value: form.rawValue)] }
        if let further { all.append(link("next", path, form == .json ? Self.geoJSON : Self.html, query: further)) }
        let json: JSON = [
            "type": "FeatureCollection", "timeStamp": .string(now.iso8601),
            "numberReturned": .integer(Int64(page.features.count)), "links": .array(all),
            "features": .array(page.features.map { $0.json() }),
        ]
        return answer(json, Self.geoJSON, headers: Self.crs) {
            (words(layer.rawValue), FeatureHTML(self).items(page, of: layer, next: further.map { address(path, $0) }))
        }
    }

    func item(_ feature: Feature, of layer: Layer) -> Answer<[UInt8]> {
        let path = "\(layer.path)/items/\(percentEncoded(feature.id))"
        let all = links(to: path, Self.geoJSON) + [link("collection", layer.path, Self.json)]
        return answer(feature.json(links: all), Self.geoJSON, headers: Self.crs) {
            ("\(words(layer.rawValue)): \(feature.id)", FeatureHTML(self).item(feature, of: layer))
        }
    }

    private static let crs: HTTPFields = [.contentCRS: "<\(FeatureCRS.crs84.rawValue)>"]
}

extension Layer {
    /// Below a root.
    var path: String { "/collections/\(rawValue)" }
}
