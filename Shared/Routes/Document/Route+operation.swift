import HTTPTypes

extension Route {
    /// The route as an operation of OpenAPI.
    func operation(links: [JSON.Member]) -> JSON {
        var members: [JSON.Member] = [
            .init("operationId", .string(id)), .init("summary", .string(summary)),
            .init("description", .string(description)), .init("tags", [.string(tag)]),
        ]
        let parameters = inputs.filter { $0.place != .body }.map(parameter)
        if !parameters.isEmpty { members.append(.init("parameters", .array(parameters))) }
        if let body = requestBody { members.append(.init("requestBody", body)) }
        members.append(.init("responses", .object(responses(links: links))))
        members.append(
            .init(
                "security",
                access == .anyone ? [] : takesPassword ? [["bearer": []], ["password": []]] : [["bearer": []]]))
        return .object(members)
    }

    /// The route's text, with the access that the security scheme cannot express.
    private var description: String {
        let needs =
            switch access {
            case .anyone: ""
            case .read: "A session or a personal token that may read or write may use this."
            case .write: "A session or a personal token that may write may use this."
            case .readSamples: "A session or any personal token may use this."
            case .receiveSamples: "A session or a personal token that may read, write or read samples may use this."
            case .writeSamples: "A session or a personal token that may write, or write samples, may use this."
            case .session: "Only a session may use this, no personal token."
            case .fresh:
                "Only a session may use this, no personal token, and the password has to have been given in it within the last ten "
                    + "minutes: by signing in, or again (proveSession)."
            }
        return [text, needs].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private func parameter(_ input: any InputDeclaration) -> JSON {
        var members: [JSON.Member] = [
            .init("name", .string(input.name)), .init("in", .string(input.place.rawValue)),
            .init("required", .bool(input.isRequired)), .init("description", .string(input.text)),
            .init("schema", input.schema.json), .init("example", input.schema.example),
        ]
        if input.place == .query {
            members += [.init("style", "form"), .init("explode", false)]
        }
        return .object(members)
    }

    private var requestBody: JSON? {
        if case .file(let file) = body {
            let schema: JSON = ["schema": ["type": "string", "format": "binary"]]
            return ["required": true, "content": .object(file.mediaTypes.map { .init($0, schema) })]
        }
        let fields = inputs.filter { $0.place == .body }
        guard !fields.isEmpty else { return nil }
        let required = fields.filter(\.isRequired)
        var schema: [JSON.Member] = [
            .init("type", "object"),
            .init(
                "properties",
                .object(
                    fields.map { field in
                        JSON.Member(
                            field.name, .object(field.schema.keywords + [.init("description", .string(field.text))]))
                    })),
        ]
        if !required.isEmpty { schema.append(.init("required", .array(required.map { .string($0.name) }))) }
        schema.append(.init("additionalProperties", .bool(body.isForm)))
        let content: JSON = ["schema": .object(schema), "example": bodyExample ?? [:]]
        return [
            "required": .bool(!required.isEmpty), "content": .object([.init(body.mediaTypes[0], content)]),
        ]
    }

    private func responses(links: [JSON.Member]) -> [JSON.Member] {
        var responses = ([reply.status] + reply.alternatives).map { status in
            success(status, links: status == reply.status ? links : [])
        }
        let byStatus = Dictionary(grouping: allProblems, by: \.status.code)
        for (status, types) in byStatus.sorted(by: { $0.key < $1.key }) {
            responses.append(
                JSON.Member(
                    String(status),
                    types.count == 1
                        ? ["$ref": .string("#/components/responses/" + types[0].code)] : Problem.response(types)))
        }
        return responses
    }

    private func success(_ status: HTTPResponse.Status, links: [JSON.Member]) -> JSON.Member {
        var members: [JSON.Member] = [
            .init("description", .string(reply.text)), .init("headers", headers(reply.headers)),
        ]
        if let mediaType = reply.mediaType {
            var content: [JSON.Member] = []
            if let schema = reply.schema {
                content.append(.init("schema", schema.json))
                if !reply.isStream { content.append(.init("example", schema.example)) }
            }
            let others = reply.otherMediaTypes.map { JSON.Member($0, ["schema": Schema.text.json]) }
            members.append(.init("content", .object([.init(mediaType, .object(content))] + others)))
        }
        if !links.isEmpty { members.append(.init("links", .object(links))) }
        return JSON.Member(String(status.code), .object(members))
    }

    private func headers(_ own: [ReplyHeader]) -> JSON {
        .object(
            own.map { header in
                JSON.Member(
                    header.name,
                    [
                        "description": .string(header.text), "required": .bool(header.isAlwaysThere),
                        "schema": ["type": "string"],
                    ])
            } + Problem.commonHeaders)
    }
}
