import Crypto
import FoundationEssentials
import HTTPTypes
import Routes
import Synchronization
import Words

extension Resource.Page {
    /// The API's document, and the pages for people that are made from it.
    static func all(_ api: API<Caller>) -> [(path: RoutePath, page: Resource.Page)] {
        let document = WrittenDocument(of: api)
        let problems = Dictionary(
            (api.problems + ProblemType.ofShell + ProblemType.ofOutside).map { ($0.code, $0) },
            uniquingKeysWith: { first, _ in first })
        return [
            (
                "/api/openapi.json",
                Resource.Page(id: "openapi") { _, _ in
                    RawAnswer(status: .ok, headers: [.contentType: "application/json"], body: .bytes(document.bytes))
                }
            ),
            ("/api", Resource.Page(id: "apiPage") { language, _ in .html(api.page(in: language), language) }),
            (
                "/api/problems/{code}",
                Resource.Page(id: "problemPage") { language, path in
                    guard let problem = path["code"].flatMap({ problems[$0] }) else { return nil }
                    return .html(problem.page(in: language), language)
                }
            ),
        ]
    }
}

/// The API's document, written when somebody first asks for it: no start of a Gateway waits for that.
private final class WrittenDocument: Sendable {
    private let api: API<Caller>
    private let written = Mutex<[UInt8]?>(nil)

    init(of api: API<Caller>) { self.api = api }

    var bytes: [UInt8] {
        written.withLock { written in
            let bytes = written ?? api.document().bytes
            written = bytes
            return bytes
        }
    }
}

extension RawAnswer {
    /// A page without scripts. Only its own style is allowed, by its hash.
    fileprivate static func html(_ text: String, _ language: Language) -> RawAnswer {
        var policy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
        if let start = text.firstRange(of: "<style>"), let end = text.firstRange(of: "</style>") {
            let style = text[start.upperBound..<end.lowerBound]
            let hash = Data(SHA256.hash(data: Array(style.utf8))).base64EncodedString()
            policy += "; style-src 'sha256-\(hash)'"
        }
        return RawAnswer(
            status: .ok,
            headers: [
                .contentType: "text/html; charset=utf-8", .contentLanguage: language.rawValue, .vary: "Accept-Language",
                .contentSecurityPolicy: policy,
            ], body: .bytes(Array(text.utf8)))
    }
}
