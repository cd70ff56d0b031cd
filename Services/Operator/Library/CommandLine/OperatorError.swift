/// Why a verb did not do what it was asked for; `description` is one or two sentences that say what to do.
package struct OperatorError: Error, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// There is no such account, device, zone, claim code, endpoint.
        case notFound
        /// It is there already, or it is somebody else's.
        case conflict
        /// What was given cannot be taken.
        case invalidInput
        /// A server or a service did not do its part.
        case unanswered
        /// Standard output took nothing more.
        case outputLost
        /// A transaction failed at its end.
        case notCommitted
    }

    package let code: Code
    package let description: String
    package let underlying: (any Error)?

    package init(_ code: Code, _ description: String, underlying: (any Error)? = nil) {
        self.code = code
        self.description = description
        self.underlying = underlying
    }
}
