import HTTPTypes
import Hummingbird
import PublicHTTP
import PushTargets
import Routes
import Words

/// Facts about a request from its head and its connection.
struct Exchange: Sendable {
    let request: HTTPRequest
    let id: String
    let address: ClientAddress
    /// The language that `Accept-Language` asks for.
    let wished: Language?
    /// Percent-encoded.
    let path: Substring
    let query: String?

    init(_ request: HTTPRequest, peer: IPAddress?, proxies: TrustedProxies) {
        self.request = request
        let headers = request.headerFields
        let origin = RequestOrigin(headers, peer: peer, proxies: proxies)
        address = origin.address
        id = origin.requestID
        wished = headers[.acceptLanguage].flatMap(Language.init(acceptLanguage:))
        let target = Self.originForm(request.path ?? "")
        let mark = target.firstIndex(of: "?")
        path = target[..<(mark ?? target.endIndex)]
        query = mark.map { String(target[target.index(after: $0)...]) }
    }

    /// Path and query of a target. A client may send the whole URL, as to a proxy (RFC 9112 §3.2.2).
    private static func originForm(_ target: String) -> Substring {
        for scheme in ["http://", "https://"] where target.lowercased().hasPrefix(scheme) {
            let rest = target.dropFirst(scheme.count)
            return rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
        }
        return target[...]
    }
}
