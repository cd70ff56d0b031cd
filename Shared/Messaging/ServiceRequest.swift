package import PushClient

/// A request that sends one message.
package struct ServiceRequest: Hashable, Sendable {
    package var method: PushMethod
    package var url: String
    package var headers: [Header]
    package var body: [UInt8]

    package struct Header: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    /// - Parameter token: For `Authorization: Bearer`.
    static func json(
        _ url: String, _ body: JSONObject, token: String? = nil, headers: [(String, String)] = [],
        method: PushMethod = .post
    ) throws -> ServiceRequest {
        let authorization = token.map { [("authorization", "Bearer \($0)")] } ?? []
        return ServiceRequest(
            method: method, url: url,
            headers: ([("content-type", "application/json"), ("user-agent", "AquaMonitor")] + authorization + headers)
                .map { Header(name: $0.0, value: $0.1) },
            body: try body.bytes())
    }

    /// A body as HTML forms are sent.
    static func form(_ url: String, _ fields: [(String, String)], headers: [(String, String)] = []) -> ServiceRequest {
        ServiceRequest(
            method: .post, url: url,
            headers: ([("content-type", "application/x-www-form-urlencoded"), ("user-agent", "AquaMonitor")] + headers)
                .map { Header(name: $0.0, value: $0.1) },
            body: Array(fields.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&").utf8))
    }
}
