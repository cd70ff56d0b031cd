package import HTTPTypes

extension Input {
    /// A part of the path, in braces there.
    package static func path(_ name: String, _ format: Format<Value>, _ text: String) -> Input {
        Input(.path, name, text, schema: format.schema, isRequired: true) { request throws(Fault) in
            guard let raw = request.path[name] else { throw .missing }
            return try format.readText(raw)
        }
    }

    /// A query parameter that must be there.
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

    /// A header that must be there.
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

    /// A member of the body that must be there.
    package static func field(_ name: String, _ format: Format<Value>, _ text: String) -> Input {
        Input(.body, name, text, schema: format.schema, isRequired: true) { request throws(Fault) in
            guard let json = request.body[name] else { throw .missing }
            return try format.readJSON(json)
        }
    }

    /// A member of the body that may be missing or null, which mean the same.
    package static func optionalField<Wrapped>(_ name: String, _ format: Format<Wrapped>, _ text: String) -> Input
    where Value == Wrapped? {
        Input(.body, name, text, schema: format.schema.nullable, isRequired: false) { request throws(Fault) in
            guard let json = request.body[name], json != .null else { return nil }
            return try format.readJSON(json)
        }
    }

    /// A member of the body that may be missing.
    package static func field(_ name: String, _ format: Format<Value>, default value: Value, _ text: String) -> Input {
        Input(.body, name, text, schema: format.schema, isRequired: false) { request throws(Fault) in
            guard let json = request.body[name] else { return value }
            return try format.readJSON(json)
        }
    }

    /// A member of a PATCH: missing leaves it, null clears it, a value sets it.
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
