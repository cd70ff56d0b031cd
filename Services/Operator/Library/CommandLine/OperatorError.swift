/// Why a verb did not do what it was asked for; `description` is one or two sentences that say what to do.
package struct OperatorError: Error, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// No such account, device, zone, claim code or endpoint exists.
        case notFound
        /// The object exists already, or belongs to somebody else.
        case conflict
        /// An argument or an input is not valid.
        case invalidInput
        /// A server or a service did not answer.
        case unanswered
        /// Standard output could not be written.
        case outputLost
        /// A transaction failed at COMMIT.
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
