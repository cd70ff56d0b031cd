import HTTPTypes
import Routes
import ServiceKit
import Words

/// An answer in the making: of which root, in which form and language.
struct FeatureExchange: Sendable {
    static let json = "application/json"
    static let geoJSON = "application/geo+json"
    static let html = "text/html"

    let root: FeatureRoot
    let scope: Scope
    let form: FeatureForm

    init(_ caller: Caller, _ inputs: Inputs, _ root: FeatureRoot) {
        self.root = root
        scope = caller.scope
        form = FeatureForm(inputs[FeatureInputs.form], accepting: caller.headers[values: .accept])
    }

    /// The words of a key of the section `ogc`, in the person's language once that is known.
    func words(_ key: String) -> String { scope.language.text("ogc.\(key)") }

    /// The whole address of a path below the root.
    func address(_ path: String, _ query: [(name: String, value: String)] = []) -> String {
        let text = query.map { "\($0.name)=\(percentEncoded($0.value))" }.joined(separator: "&")
        return scope.services.origin.text + root.path + path + (text.isEmpty ? "" : "?" + text)
    }

    /// A link (RFC 8288) as the standard writes it.
    func link(
        _ relation: String, _ path: String, _ type: String, title: String? = nil,
        query: [(name: String, value: String)] = []
    ) -> JSON {
        var members: [JSON.Member] = [
            .init("href", .string(address(path, query))), .init("rel", .string(relation)), .init("type", .string(type)),
        ]
        if let title { members.append(.init("title", .string(title))) }
        return .object(members)
    }

    /// The links of a document to itself and to its other form.
    /// - Parameter type: Its media type as JSON.
    func links(
        to path: String, _ type: String = FeatureExchange.json, query: [(name: String, value: String)] = []
    ) -> [JSON] {
        FeatureForm.allCases.map { other in
            link(
                other == form ? "self" : "alternate", path, other == .json ? type : Self.html,
                query: query + [("f", other.rawValue)])
        }
    }

    /// - Parameters:
    ///   - json: The document as JSON, of a media type.
    ///   - page: What a person reads in place of it: the heading, and HTML below that.
    func answer(
        _ json: JSON, _ type: String = FeatureExchange.json, headers: HTTPFields = [:],
        page: () -> (title: String, body: String)
    ) -> Answer<[UInt8]> {
        var headers = headers
        if case .page = root {
            headers[.cacheControl] = "public, max-age=30"
            headers[.xRobotsTag] = "noindex"
        }
        switch form {
        case .json:
            headers[.contentType] = type
            headers[.vary] = "Accept, Accept-Language"
            return .value(json.bytes, headers: headers)
        case .html:
            let (title, body) = page()
            let language = scope.language
            let text = htmlPage(title, language, body)
            for field in HTTPFields.ofPlainPage(text, language) { headers[field.name] = field.value }
            headers[.vary] = "Accept, Accept-Language"
            return .value(Array(text.utf8), headers: headers)
        }
    }
}
