import Crypto
import FoundationEssentials
import HTTPTypes
import Routes

extension Resource.Page {
    /// The API's document, and the pages made from it that people read.
    static func all(_ api: API<Caller>) -> [(path: RoutePath, page: Resource.Page)] {
        let document = api.document().bytes
        let problems = Dictionary(
            uniqueKeysWithValues: (api.problems + ProblemType.ofShell).map { ($0.code, $0) })
        return [
            (
                "/api/openapi.json",
                Resource.Page(id: "openapi") { _, _ in
                    RawAnswer(status: .ok, headers: [.contentType: "application/json"], body: .bytes(document))
                }
            ),
            ("/api", Resource.Page(id: "apiPage") { tongue, _ in .html(api.page(tongue: tongue), tongue) }),
            (
                "/api/problems/{code}",
                Resource.Page(id: "problemPage") { tongue, path in
                    guard let problem = path["code"].flatMap({ problems[$0] }) else { return nil }
                    return .html(problemPage(problem, tongue), tongue)
                }
            ),
        ]
    }
}

extension RawAnswer {
    /// A page without scripts; its own style, and no other, is allowed by its hash.
    fileprivate static func html(_ text: String, _ tongue: Tongue) -> RawAnswer {
        var policy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        if let start = text.range(of: "<style>"), let end = text.range(of: "</style>") {
            let style = text[start.upperBound..<end.lowerBound]
            let hash = Data(SHA256.hash(data: Array(style.utf8))).base64EncodedString()
            policy += "; style-src 'sha256-\(hash)'"
        }
        return RawAnswer(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentLanguage: tongue.rawValue, .vary: "Accept-Language",
                .contentSecurityPolicy: policy,
            ], body: .bytes(Array(text.utf8)))
    }
}

/// Our own texts only: nothing of a request stands in it.
private func problemPage(_ problem: ProblemType, _ tongue: Tongue) -> String {
    """
    <!doctype html>
    <html lang="\(tongue.rawValue)">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(problem.title(tongue))</title>
    <style>
    :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
    main { max-width: 40rem; margin: 3rem auto; padding: 0 1rem }
    </style>
    <main>
    <p><code>\(problem.status.code) \(problem.code)</code>
    <h1>\(problem.title(tongue))</h1>
    <p>\(problem.detail?(tongue) ?? "")
    </main>
    </html>
    """
}
