import HTTPTypes

extension Input where Value == EntityTagCondition? {
    /// The version that a change is based on. Use `requireMatch` on it: without the header the answer is 428.
    package static var ifMatch: Input {
        Input(
            .header, HTTPField.Name.ifMatch.rawName, "The ETag of the version that the change is based on.",
            schema: Schema(["type": "string"], example: "\"v3\""), isRequired: true
        ) { request throws(Fault) in try condition(request.headers[.ifMatch]) }
    }

    /// The version that a change is based on, of a resource whose id its client chose: without the header it is created. Use
    /// `ClientChoice` on it.
    package static var ifMatchOfChange: Input {
        Input(
            .header, HTTPField.Name.ifMatch.rawName,
            "The ETag of the version that a change is based on; without it something is created.",
            schema: Schema(["type": "string"], example: "\"v3\""), isRequired: false
        ) { request throws(Fault) in try condition(request.headers[.ifMatch]) }
    }
}

private func condition(_ header: String?) throws(Fault) -> EntityTagCondition? {
    guard let header else { return nil }
    guard let condition = EntityTagCondition(header) else { throw .entityTag }
    return condition
}

extension EntityTagCondition? {
    /// Checks the value of `ifMatch` against the present version (RFC 9110, section 13.2.2; RFC 6585, section 3).
    package func requireMatch(_ current: EntityTag) throws(Problem) {
        guard let self else { throw Problem(.preconditionRequired) }
        guard self.matches(current) else { throw Problem(.preconditionFailed, headers: [.eTag: current.description]) }
    }
}
