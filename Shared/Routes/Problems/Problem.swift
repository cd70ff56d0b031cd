package import HTTPTypes
package import Words

/// The reason why a request cannot be served: thrown where it is found, and answered as `application/problem+json`. It
/// holds nothing about the inside of the service.
package struct Problem: Error, Sendable {
    package let type: ProblemType
    /// What is wrong with single inputs.
    package let faults: [FieldFault]
    /// Facts about this occurrence, which become members of the document. Standard names must not be used.
    package let parameters: [JSON.Member]
    /// The time after which a retry makes sense.
    package let retryAfter: Duration?
    package let headers: HTTPFields

    package init(
        _ type: ProblemType, faults: [FieldFault] = [], parameters: [JSON.Member] = [], retryAfter: Duration? = nil,
        headers: HTTPFields = [:]
    ) {
        self.type = type
        self.faults = faults
        self.parameters = parameters
        self.retryAfter = retryAfter
        self.headers = headers
    }

    package static let mediaType = "application/problem+json"

    /// The document of RFC 9457.
    package func json(_ language: Language, requestID: String) -> JSON {
        var members: [JSON.Member] = [
            .init("type", .string(type.address)),
            .init("title", .string(type.title(in: language))),
            .init("status", .integer(Int64(type.status.code))),
        ]
        let detail = type.detail(in: language)
        if !detail.isEmpty { members.append(.init("detail", .string(detail))) }
        members.append(.init("code", .string(type.code)))
        members.append(.init("requestId", .string(requestID)))
        members += parameters
        if !faults.isEmpty { members.append(.init("errors", .array(faults.map { $0.json(language) }))) }
        return .object(members)
    }

    /// The headers of the answer: those of the problem, its media type and language, and `Retry-After`.
    package func fields(_ language: Language) -> HTTPFields {
        var fields = headers
        fields[.contentType] = Self.mediaType
        fields[.contentLanguage] = language.rawValue
        fields[.vary] = "Accept-Language"
        if let retryAfter { fields[.retryAfter] = String(retryAfter.secondsRoundedUp) }
        return fields
    }
}

extension Duration {
    fileprivate var secondsRoundedUp: Int64 {
        max(0, components.seconds + (components.attoseconds > 0 ? 1 : 0))
    }
}
