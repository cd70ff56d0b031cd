import HTTPTypes
import Routes
import Synchronization
import Words

extension Resource.Page {
    /// The API's document, and the pages for people that are made from it; and those about problems of other interfaces.
    static func all(_ api: API<Caller>, _ standards: [API<Caller>] = []) -> [(path: RoutePath, page: Resource.Page)] {
        let document = WrittenDocument(of: api)
        let problems = Dictionary(
            (([api] + standards).flatMap(\.problems) + ProblemType.ofShell + ProblemType.ofOutside).map {
                ($0.code, $0)
            },
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
    fileprivate static func html(_ text: String, _ language: Language) -> RawAnswer {
        RawAnswer(status: .ok, headers: .ofPlainPage(text, language), body: .bytes(Array(text.utf8)))
    }
}
