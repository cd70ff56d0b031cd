import HTTPTypes

extension Input where Value == EntityTagCondition {
    /// The version that a change is based on. Without the header the route answers 428 before its handler runs.
    package static var ifMatch: Input {
        ifMatch("The ETag of the version that the change is based on.", isRequired: true) { condition throws(Fault) in
            guard let condition else { throw .missing }
            return condition
        }
    }
}

extension Input where Value == EntityTagCondition? {
    /// The version that a change is based on, of a resource whose id its client chose: without the header it is created. Use
    /// `ClientChoice` on it.
    package static var ifMatchOfChange: Input {
        ifMatch(
            "The ETag of the version that a change is based on; without it something is created.", isRequired: false
        ) {
            condition in condition
        }
    }
}

extension Input {
    fileprivate static func ifMatch(
        _ text: String, isRequired: Bool, _ value: @escaping @Sendable (EntityTagCondition?) throws(Fault) -> Value
    ) -> Input {
        Input(
            .header, HTTPField.Name.ifMatch.rawName, text,
            schema: Schema(["type": "string"], example: "\"v3\""), isRequired: isRequired
        ) { request throws(Fault) in
            guard let header = request.headers[.ifMatch] else { return try value(nil) }
            guard let condition = EntityTagCondition(header) else { throw .entityTag }
            return try value(condition)
        }
    }
}

extension EntityTagCondition {
    /// Checks the value of `ifMatch` against the present version (RFC 9110, section 13.2.2).
    package func requireMatch(_ current: EntityTag) throws(Problem) {
        guard matches(current) else { throw Problem(.preconditionFailed, headers: [.eTag: current.description]) }
    }
}
