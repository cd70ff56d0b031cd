package import HTTPTypes

/// The receiver of a streamed answer's bytes. Writing waits while the reader is slow.
package protocol BodyWriter {
    mutating func write(_ bytes: [UInt8]) async throws
}

/// Writes a streamed body; an error that it throws breaks the answer off.
package typealias BodyStream = @Sendable (inout any BodyWriter) async throws -> Void

/// The value of a route that answers without a body.
package struct Nothing: Sendable {
    package init() {}
}

/// A handler's answer.
package struct Answer<Value: Sendable>: Sendable {
    enum Content: Sendable {
        case value(Value)
        case nothing
        case stream(BodyStream)
    }

    let content: Content
    /// The status, if it is not the one that the route declares first; the route lists it among `alternatives`.
    let status: HTTPResponse.Status?
    package var headers: HTTPFields

    package static func value(
        _ value: Value, status: HTTPResponse.Status? = nil, headers: HTTPFields = [:]
    ) -> Answer {
        Answer(content: .value(value), status: status, headers: headers)
    }

    package static func stream(headers: HTTPFields = [:], _ write: @escaping BodyStream) -> Answer
    where Value == Nothing {
        Answer(content: .stream(write), status: nil, headers: headers)
    }
}

extension Answer {
    /// 304: the client has it (RFC 9110, section 15.4.5).
    package static func notModified(headers: HTTPFields) -> Answer {
        Answer(content: .nothing, status: .notModified, headers: headers)
    }

    /// 204: what was asked for is known to be empty, which is no error.
    package static func absent(headers: HTTPFields) -> Answer {
        Answer(content: .nothing, status: .noContent, headers: headers)
    }
}

extension Answer where Value == Nothing {
    package static var nothing: Answer { Answer(content: .nothing, status: nil, headers: [:]) }

    package static func nothing(headers: HTTPFields) -> Answer {
        Answer(content: .nothing, status: nil, headers: headers)
    }
}

/// An answer ready to be sent.
package struct RawAnswer: Sendable {
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        case stream(BodyStream)
    }

    package let status: HTTPResponse.Status
    package var headers: HTTPFields
    package let body: Body

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: Body = .none) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
