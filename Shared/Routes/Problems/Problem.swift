package import HTTPTypes

/// A request that cannot be served, and why: thrown by whoever notices, turned into `application/problem+json` by the
/// shell. It carries nothing about the inside of the service.
package struct Problem: Error, Sendable {
    package let type: ProblemType
    /// What is wrong with single inputs.
    package let faults: [FieldFault]
    /// Facts about this occurrence, also members of the document. Names other than the standard ones.
    package let parameters: [JSON.Member]
    /// When it makes sense to ask again.
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

    /// One input does not hold up against what only the handler can check.
    package init(_ input: some InputDeclaration, _ fault: Fault) {
        self.init(.invalidInput, faults: [FieldFault(input, fault)])
    }

    package static let mediaType = "application/problem+json"

    /// The document of RFC 9457.
    package func json(_ tongue: Tongue, requestID: String) -> JSON {
        var members: [JSON.Member] = [
            .init("type", .string(type.address)),
            .init("title", .string(type.title(tongue))),
            .init("status", .integer(Int64(type.status.code))),
        ]
        if let detail = type.detail { members.append(.init("detail", .string(detail(tongue, parameters)))) }
        members.append(.init("code", .string(type.code)))
        members.append(.init("requestId", .string(requestID)))
        members += parameters
        if !faults.isEmpty { members.append(.init("errors", .array(faults.map { $0.json(tongue) }))) }
        return .object(members)
    }

    /// The headers of the answer: those of the problem, its media type and language, and `Retry-After`.
    package func fields(_ tongue: Tongue) -> HTTPFields {
        var fields = headers
        fields[.contentType] = Self.mediaType
        fields[.contentLanguage] = tongue.rawValue
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
