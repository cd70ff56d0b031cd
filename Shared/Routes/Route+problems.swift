import HTTPTypes

extension Route {
    /// Every problem that the route can answer with: those that follow from its declaration, then its own.
    package var allProblems: [ProblemType] {
        var types: [ProblemType] = []
        if method != .get { types += [.malformedBody, .tooLarge, .unsupportedMediaType] }
        if access != .anyone { types.append(.unauthenticated) }
        if access == .write || access.takesSession { types.append(.insufficientScope) }
        if access == .fresh { types.append(.passwordNeeded) }
        if !path.parameters.isEmpty { types.append(.notFound) }
        if let ifMatch = inputs.first(where: { $0.place == .header && $0.name == HTTPField.Name.ifMatch.rawName }) {
            types += ifMatch.isRequired ? [.preconditionRequired, .preconditionFailed] : [.preconditionFailed]
        }
        types += [.invalidInput, .tooManyRequests, .headersTooLarge, .internalError, .unavailable]
        types += problems.filter { !types.contains($0) }
        return types
    }
}
