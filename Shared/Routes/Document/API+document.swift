import HTTPTypes

extension API {
    /// The whole interface as an OpenAPI 3.1 document.
    package func document() -> JSON {
        var components = Problem.schema.components
        for route in routes {
            if let schema = route.reply.schema { components = components.joined(schema.components) }
            for input in route.inputs { components = components.joined(input.schema.components) }
        }
        return [
            "openapi": "3.1.0",
            "info": ["title": .string(title), "version": .string(version), "description": .string(text)],
            "servers": [["url": .string(base)]],
            "tags": .array(tags.map { ["name": .string($0.name), "description": .string($0.text)] }),
            "paths": paths,
            "components": [
                "schemas": .object(
                    components.sorted { $0.key < $1.key }.map { JSON.Member($0.key, $0.value.illustrated) }),
                "responses": .object(problems.map { JSON.Member($0.code, Problem.response([$0])) }),
                "headers": Problem.headers,
                "securitySchemes": .object(securitySchemes),
            ],
        ]
    }

    private var securitySchemes: [JSON.Member] {
        let bearer = JSON.Member(
            "bearer",
            [
                "type": "http", "scheme": "bearer",
                "description": "The access token of a session, or a personal token.",
            ])
        let password = JSON.Member(
            "password",
            ["type": "http", "scheme": "basic", "description": "Any name, and a personal token as the password."])
        return routes.contains(where: \.takesPassword) ? [bearer, password] : [bearer]
    }

    /// The operations by path, in the order in which the paths first occur.
    private var paths: JSON {
        var order: [String] = []
        var operations: [String: [JSON.Member]] = [:]
        for route in routes {
            let path = route.path.description
            if operations[path] == nil { order.append(path) }
            operations[path, default: []].append(
                JSON.Member(route.method.rawValue.lowercased(), route.operation(links: links(from: route))))
        }
        return .object(order.map { JSON.Member($0, .object(operations[$0] ?? [])) })
    }

    /// Links from a route that creates a thing to the routes about such a thing: from `POST /tokens` to `DELETE
    /// /tokens/{token}`. The member of the answer is named like the parameter, or `id`.
    private func links(from route: Route<Caller>) -> [JSON.Member] {
        guard route.reply.status == .created, let schema = route.reply.schema else { return [] }
        let properties = (schema.resolved["properties"]?.members ?? []).map(\.name)
        return routes.compactMap { other in
            guard other.path.steps.count == route.path.steps.count + 1, other.path.steps.starts(with: route.path.steps),
                case .parameter(let parameter)? = other.path.steps.last,
                let member = [parameter, "id"].first(where: properties.contains)
            else { return nil }
            return JSON.Member(
                other.id,
                [
                    "operationId": .string(other.id),
                    "parameters": .object(
                        route.path.parameters.map { JSON.Member($0, .string("$request.path." + $0)) }
                            + [JSON.Member(parameter, .string("$response.body#/" + member))]),
                ])
        }
    }
}

extension Schema {
    /// The keywords behind a reference to a named schema.
    var resolved: JSON {
        guard let reference = json["$ref"]?.string, let name = reference.split(separator: "/").last else { return json }
        return components[String(name)]?.json ?? json
    }
}
