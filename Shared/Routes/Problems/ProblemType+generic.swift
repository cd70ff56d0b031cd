import HTTPTypes

// Problems that any route can answer with. Their codes are promises: add, never change.
extension ProblemType {
    package static let malformedBody = ProblemType("malformed-body", .badRequest)
    package static let unauthenticated = ProblemType("unauthenticated", .unauthorized)
    package static let forbidden = ProblemType("forbidden", .forbidden)
    package static let insufficientScope = ProblemType("insufficient-scope", .forbidden)
    /// Not 401: the session stays valid, and its holder is asked for the password.
    package static let passwordNeeded = ProblemType("password-needed", .forbidden)
    package static let notFound = ProblemType("not-found", .notFound)
    package static let methodNotAllowed = ProblemType("method-not-allowed", .methodNotAllowed)
    package static let conflict = ProblemType("conflict", .conflict)
    package static let preconditionFailed = ProblemType("precondition-failed", .preconditionFailed)
    package static let tooLarge = ProblemType("body-too-large", .contentTooLarge)
    package static let unsupportedMediaType = ProblemType("unsupported-media-type", .unsupportedMediaType)
    package static let invalidInput = ProblemType("invalid-input", .unprocessableContent)
    package static let preconditionRequired = ProblemType("precondition-required", .preconditionRequired)
    package static let tooManyRequests = ProblemType("too-many-requests", .tooManyRequests)
    package static let headersTooLarge = ProblemType("headers-too-large", .requestHeaderFieldsTooLarge)
    package static let internalError = ProblemType("internal-error", .internalServerError)
    package static let unavailable = ProblemType("unavailable", .serviceUnavailable)

    /// Every problem above, for the page that explains them.
    package static let generic: [ProblemType] = [
        .malformedBody, .unauthenticated, .forbidden, .insufficientScope, .passwordNeeded, .notFound,
        .methodNotAllowed, .conflict, .preconditionFailed, .tooLarge, .unsupportedMediaType, .invalidInput,
        .preconditionRequired, .tooManyRequests, .headersTooLarge, .internalError, .unavailable,
    ]
}
