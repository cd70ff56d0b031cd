package import HTTPTypes

extension Input {
    /// A part of the path, in braces in the route's declaration.
    package static func path(_ name: String, _ format: Format<Value>, _ text: String) -> Input {
        Input(.path, name, text, schema: format.schema, isRequired: true) { request throws(Fault) in
            guard let raw = request.path[name] else { throw .missing }
            return try format.readText(raw)
        }
    }

    /// A required query parameter.
    package static func query(_ name: String, _ format: Format<Value>, _ text: String) -> Input {
        Input(.query, name, text, schema: format.schema, isRequired: true) { request throws(Fault) in
            guard let raw = request.query[name] else { throw .missing }
            return try format.readText(raw)
        }
    }

    package static func optionalQuery<Wrapped>(_ name: String, _ format: Format<Wrapped>, _ text: String) -> Input
    where Value == Wrapped? {
        Input(.query, name, text, schema: format.schema, isRequired: false) { request throws(Fault) in
            guard let raw = request.query[name] else { return nil }
            return try format.readText(raw)
        }
    }

    package static func query(_ name: String, _ format: Format<Value>, default value: Value, _ text: String) -> Input {
        Input(.query, name, text, schema: format.schema, isRequired: false) { request throws(Fault) in
            guard let raw = request.query[name] else { return value }
            return try format.readText(raw)
        }
    }

    /// A required header.
    package static func header(_ name: HTTPField.Name, _ format: Format<Value>, _ text: String) -> Input {
        Input(.header, name.rawName, text, schema: format.schema, isRequired: true) { request throws(Fault) in
            guard let raw = request.headers[name] else { throw .missing }
            return try format.readText(raw)
        }
    }

    package static func optionalHeader<Wrapped>(
        _ name: HTTPField.Name, _ format: Format<Wrapped>, _ text: String
    ) -> Input where Value == Wrapped? {
        Input(.header, name.rawName, text, schema: format.schema, isRequired: false) { request throws(Fault) in
            guard let raw = request.headers[name] else { return nil }
            return try format.readText(raw)
        }
    }

    /// A required member of the body.
    package static func field(_ name: String, _ format: Format<Value>, _ text: String) -> Input {
        Input(.body, name, text, schema: format.schema, isRequired: true) { request throws(Fault) in
            guard let json = request.body[name] else { throw .missing }
            return try format.readJSON(json)
        }
    }

    /// A member of the body that may be missing or null, with the same meaning.
    package static func optionalField<Wrapped>(_ name: String, _ format: Format<Wrapped>, _ text: String) -> Input
    where Value == Wrapped? {
        Input(.body, name, text, schema: format.schema.nullable, isRequired: false) { request throws(Fault) in
            guard let json = request.body[name], json != .null else { return nil }
            return try format.readJSON(json)
        }
    }

    /// A member of the body with a default.
    package static func field(_ name: String, _ format: Format<Value>, default value: Value, _ text: String) -> Input {
        Input(.body, name, text, schema: format.schema, isRequired: false) { request throws(Fault) in
            guard let json = request.body[name] else { return value }
            return try format.readJSON(json)
        }
    }

    /// A member of a PATCH: if missing the value stays, null clears it, anything else sets it.
    package static func change<Wrapped>(_ name: String, _ format: Format<Wrapped>, _ text: String) -> Input
    where Value == Change<Wrapped> {
        Input(.body, name, text, schema: format.schema.nullable, isRequired: false) { request throws(Fault) in
            switch request.body[name] {
            case nil: return .unchanged
            case .null: return .clear
            case .some(let json): return .set(try format.readJSON(json))
            }
        }
    }
}
