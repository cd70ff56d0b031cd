import HTTPTypes

/// The effect of a PUT on a resource whose id its client chose, so that a request which is sent twice counts once.
///
/// Without `If-Match` it creates; with `If-Match` it changes the version that is named. What is there already, word for word, stays as it is
/// in both cases: the answer to the first request was lost.
package enum ClientChoice: Hashable, Sendable {
    case create, keep, change

    /// - Parameters:
    ///   - current: The version of what is there; `nil` where nothing is, or nothing that the person may see.
    ///   - isSame: Whether what is there says what is asked for.
    /// - Throws: `Problem(.preconditionFailed)` for a change of another version, or of none that is named; `Problem(.notFound)` for a change of
    ///   what is not there.
    package init(_ condition: EntityTagCondition?, current: EntityTag?, isSame: Bool) throws(Problem) {
        guard let current else {
            guard condition == nil else { throw Problem(.notFound) }
            self = .create
            return
        }
        if isSame {
            self = .keep
            return
        }
        guard let condition, condition.matches(current) else {
            throw Problem(.preconditionFailed, headers: [.eTag: current.description])
        }
        self = .change
    }
}
