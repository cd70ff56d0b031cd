import HTTPTypes

extension Route {
    /// Every problem that the route can answer with: those that follow from its declaration, then its own.
    package var allProblems: [ProblemType] {
        var types: [ProblemType] = []
        if case .file(let file) = body {
            types += [.tooLarge, file.refusal]
        } else if method != .get {
            types += [.malformedBody, .tooLarge, .unsupportedMediaType]
        }
        if access != .anyone { types.append(.unauthenticated) }
        if access == .write || access.takesSession { types.append(.insufficientScope) }
        if access == .fresh { types.append(.passwordNeeded) }
        if !path.parameters.isEmpty { types.append(.notFound) }
        if let ifMatch {
            types += ifMatch.isRequired ? [.preconditionRequired, .preconditionFailed] : [.preconditionFailed]
        }
        types += [faultType, .tooManyRequests, .headersTooLarge, .internalError, .unavailable]
        types += problems.filter { !types.contains($0) }
        return types
    }

    /// The input that names the version which a change is based on.
    var ifMatch: (any InputDeclaration)? {
        inputs.first { $0.place == .header && $0.name == HTTPField.Name.ifMatch.rawName }
    }
}
