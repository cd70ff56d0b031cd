import HTTPTypes
import Words

extension Problem {
    /// The schema of every problem document.
    static let schema = Schema(
        [
            "type": "object",
            "description": "A problem (RFC 9457). Programs compare the code; people read title and detail.",
            "properties": [
                "type": [
                    "type": "string", "format": "uri-reference", "description": "A page about this kind of problem.",
                ],
                "title": ["type": "string", "description": "In the language of the person."],
                "status": ["type": "integer", "minimum": 400, "maximum": 599],
                "detail": ["type": "string"],
                "code": ["type": "string", "description": "Stable; programs compare it."],
                "requestId": ["type": "string", "description": "What the operator finds the request by."],
                "errors": [
                    "type": "array", "description": "What is wrong with single inputs.",
                    "items": ["$ref": "#/components/schemas/Fault"],
                ],
            ],
            "required": ["type", "title", "status", "code", "requestId"],
        ],
        components: ["Fault": fault],
        example: example(of: .invalidInput)
    ).named("Problem")

    private static let fault = Schema(
        [
            "type": "object", "description": "What is wrong with one input.",
            "properties": [
                "pointer": ["type": "string", "description": "Where in the body (JSON pointer)."],
                "parameter": ["type": "string", "description": "The name of an input outside the body."],
                "in": ["type": "string", "enum": ["path", "query", "header"]],
                "code": ["type": "string", "description": "Stable; programs compare it."],
                "detail": ["type": "string", "description": "In the language of the person."],
                "params": ["type": "object", "description": "The bound that was broken, and the like."],
            ],
            "required": ["code", "detail"],
        ],
        example: FieldFault(.body, "name", .tooLong(maximum: 64)).json(.en))

    private static func example(of type: ProblemType) -> JSON {
        let faults = type == .invalidInput ? [FieldFault(.body, "name", .tooLong(maximum: 64))] : []
        return Problem(type, faults: faults).json(.en, requestID: "01JX5W4Q7N8Z")
    }

    /// A response with the problems that share a status.
    static func response(_ types: [ProblemType]) -> JSON {
        var headers = commonHeaders
        switch types.first?.status.code {
        case 429, 503: headers.append(.init("Retry-After", ["$ref": "#/components/headers/Retry-After"]))
        case 401: headers.append(.init("WWW-Authenticate", ["$ref": "#/components/headers/WWW-Authenticate"]))
        case 405: headers.append(.init("Allow", ["$ref": "#/components/headers/Allow"]))
        default: break
        }
        return [
            "description": .string(types.map { $0.title(in: .en) + "." }.joined(separator: " ")),
            "headers": .object(headers),
            "content": [
                mediaType: [
                    "schema": ["$ref": "#/components/schemas/Problem"],
                    "examples": .object(types.map { JSON.Member($0.code, ["value": example(of: $0)]) }),
                ]
            ],
        ]
    }

    /// References to the headers that every answer can have.
    static let commonHeaders: [JSON.Member] = ["X-Request-Id", "RateLimit", "RateLimit-Policy"].map {
        JSON.Member($0, ["$ref": .string("#/components/headers/" + $0)])
    }

    static let headers: JSON = [
        "X-Request-Id": [
            "description": "What the operator finds the request by.", "required": true, "schema": ["type": "string"],
        ],
        "RateLimit": [
            "description":
                "How many requests are left, and when there are more (draft-ietf-httpapi-ratelimit-headers).",
            "schema": ["type": "string"], "example": "\"default\";r=50;t=30",
        ],
        "RateLimit-Policy": [
            "description": "How many requests are allowed in how many seconds.",
            "schema": ["type": "string"], "example": "\"default\";q=100;w=60",
        ],
        "Retry-After": [
            "description": "Seconds after which it makes sense to ask again.",
            "schema": ["type": "integer", "minimum": 0],
        ],
        "WWW-Authenticate": ["description": "How to authenticate.", "schema": ["type": "string"]],
        "Allow": ["description": "The methods of the address.", "schema": ["type": "string"]],
    ]
}
