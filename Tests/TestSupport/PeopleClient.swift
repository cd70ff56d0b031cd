import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

/// A person's application: sends JSON requests to a Gateway with the token it was given.
package struct PeopleClient: Sendable {
    /// `http://127.0.0.1:8080`
    package let origin: String
    package let token: String?
    package let refreshToken: String?

    package init(origin: String, token: String? = nil, refreshToken: String? = nil) {
        self.origin = origin
        self.token = token
        self.refreshToken = refreshToken
    }

    package struct Answer: Sendable {
        package let status: Int
        package let text: String
        /// The entity tag, which a change sends back to name the version that it changes.
        package let tag: String?

        /// A member of the answered object, as text.
        package func member(_ name: String) throws -> String {
            guard let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
                let value = object[name]
            else { throw TestSupportError("There is no \(name) in \(status): \(text)") }
            return "\(value)"
        }
    }

    /// - Parameters:
    ///   - path: The path below the root.
    ///   - json: The body; nil for a request without one.
    package func ask(
        _ method: String, _ path: String, below root: String = "/api/v1", json: String? = nil,
        headers: [String: String] = [:], within limit: Duration = .seconds(120)
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: origin + root + path)
        request.method = HTTPMethod(rawValue: method)
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: json))
        }
        let response = try await HTTPClient.shared.execute(
            request, timeout: .nanoseconds(Int64(limit / .nanoseconds(1))))
        let body = try await response.body.collect(upTo: 16 << 20)
        return Answer(
            status: Int(response.status.code), text: String(buffer: body), tag: response.headers.first(name: "ETag"))
    }

    /// Like `ask`, but throws unless the request succeeds.
    @discardableResult
    package func succeed(
        _ method: String, _ path: String, below root: String = "/api/v1", json: String? = nil,
        headers: [String: String] = [:]
    ) async throws -> Answer {
        let answer = try await ask(method, path, below: root, json: json, headers: headers)
        guard answer.status / 100 == 2 else {
            throw TestSupportError("\(method) \(path): \(answer.status) \(answer.text)")
        }
        return answer
    }

    /// The same application, signed in.
    /// - Parameter client: The installation's id, if it has one.
    package func signedIn(
        _ email: String, password: String, client: UUID? = nil, within limit: Duration = .seconds(120)
    ) async throws -> PeopleClient {
        let installation = client.map { #","clientId":"\#($0.uuidString.lowercased())""# } ?? ""
        let credentials = #"{"email":"\#(email)","password":"\#(password)"\#(installation)}"#
        // 503: the Gateway is too busy for password hashing, which is slow on purpose; a client asks again.
        var answer = try await ask("POST", "/sessions", json: credentials, within: limit)
        for _ in 0..<5 where answer.status == 503 {
            answer = try await ask("POST", "/sessions", json: credentials, within: limit)
        }
        guard answer.status / 100 == 2 else {
            throw TestSupportError("Signing in: \(answer.status) \(answer.text)")
        }
        return PeopleClient(
            origin: origin, token: try answer.member("accessToken"), refreshToken: try answer.member("refreshToken"))
    }

    /// The lines of a stream of events, as they come; the stream ends with the task that reads it.
    /// - Parameter position: The id of the last event received, to continue after it.
    package func lines<Result: Sendable>(
        of path: String, after position: String? = nil,
        _ body: @Sendable @escaping (AsyncThrowingStream<String, any Error>) async throws -> Result
    ) async throws -> Result {
        var request = HTTPClientRequest(url: "\(origin)/api/v1\(path)")
        request.headers.add(name: "Accept", value: "text/event-stream")
        if let position { request.headers.add(name: "Last-Event-ID", value: position) }
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        let response = try await HTTPClient.shared.execute(request, timeout: .hours(1))
        guard response.status == .ok else { throw TestSupportError("\(path): \(response.status)") }
        let (lines, continuation) = AsyncThrowingStream<String, any Error>.makeStream()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do {
                    var rest: [UInt8] = []
                    for try await part in response.body {
                        rest += part.readableBytesView
                        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                            continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                            rest.removeSubrange(...end)
                        }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            return try await body(lines)
        }
    }
}

extension ProcessUnderTest {
    /// The address at which a Gateway serves people, from its log: `http://127.0.0.1:12345`.
    package func servesPeople() async throws -> String {
        try await untilReady()
        let line = try await line { $0.contains(#""address":"#) && $0.contains("Serving people") }
        guard let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let address = entry["address"] as? String
        else { throw TestSupportError("\(name) does not say where it serves people: \(line)") }
        return "http://\(address)"
    }
}
