package import HTTPTypes

/// A route's declaration of its successful answer.
package struct Reply<Value: Sendable>: Sendable {
    let description: ReplyDescription
    /// Writes the body; `nil` if there is none.
    let body: @Sendable (Value) -> [UInt8]?

    /// A JSON body.
    /// - Parameters:
    ///   - alternatives: Other statuses with the same body, such as 200 besides 201.
    ///   - headers: The headers that the handler adds.
    package static func json(
        _ status: HTTPResponse.Status, _ output: Output<Value>, alternatives: [HTTPResponse.Status] = [],
        headers: [ReplyHeader] = []
    ) -> Reply {
        Reply(
            description: ReplyDescription(
                status: status, alternatives: alternatives, mediaType: "application/json", schema: output.schema,
                headers: headers, text: "Done.")
        ) { value in
            var text = JSONText()
            output.write(value, &text)
            return text.bytes
        }
    }

    /// A text of another media type; `text` describes it.
    package static func text(
        _ mediaType: String, _ text: String, _ write: @Sendable @escaping (Value) -> String
    ) -> Reply {
        Reply(
            description: ReplyDescription(
                status: .ok, alternatives: [], mediaType: mediaType, schema: Schema.text, headers: [], text: text)
        ) { Array(write($0).utf8) }
    }
}

extension Reply where Value == [UInt8] {
    /// One thing in several media types, of which the handler writes the one that was asked for, and names it. The schema is that of the first.
    package static func written(
        as mediaType: String, _ schema: Schema, or others: [String], _ text: String
    ) -> Reply {
        Reply(
            description: ReplyDescription(
                status: .ok, alternatives: [], mediaType: mediaType, schema: schema, headers: [], text: text,
                otherMediaTypes: others)
        ) { $0 }
    }

    /// A file, whose handler names its media type among those of `mediaType`, such as `image/*`.
    package static func file(_ mediaType: String, _ text: String, headers: [ReplyHeader] = []) -> Reply {
        Reply(
            description: ReplyDescription(
                status: .ok, alternatives: [], mediaType: mediaType, schema: nil, headers: headers, text: text)
        ) { $0 }
    }
}

extension Reply where Value == Nothing {
    /// 204.
    package static var nothing: Reply {
        Reply(
            description: ReplyDescription(
                status: .noContent, alternatives: [], mediaType: nil, schema: nil, headers: [], text: "Done.")
        ) { _ in nil }
    }

    /// 204 with headers.
    package static func nothing(headers: [ReplyHeader]) -> Reply {
        Reply(
            description: ReplyDescription(
                status: .noContent, alternatives: [], mediaType: nil, schema: nil, headers: headers, text: "Done.")
        ) { _ in nil }
    }

    /// 303: the browser goes on to the address that the handler names in `Location`.
    package static var elsewhere: Reply {
        Reply(
            description: ReplyDescription(
                status: .seeOther, alternatives: [], mediaType: nil, schema: nil, headers: [.location],
                text: "Go on there.")
        ) { _ in nil }
    }

    /// A body that is written in pieces: a text or bytes, or one JSON object.
    package static func stream(_ mediaType: String, _ text: String, isObject: Bool = false) -> Reply {
        Reply(
            description: ReplyDescription(
                status: .ok, alternatives: [], mediaType: mediaType, schema: isObject ? Schema.object : Schema.text,
                headers: [], text: text, isStream: true)
        ) { _ in nil }
    }

    /// Server-sent events; `text` describes them.
    package static func events(_ text: String) -> Reply {
        Reply(
            description: ReplyDescription(
                status: .ok, alternatives: [], mediaType: "text/event-stream", schema: nil, headers: [], text: text,
                isStream: true)
        ) { _ in nil }
    }
}

/// A reply without its type, for the document.
package struct ReplyDescription: Sendable {
    package let status: HTTPResponse.Status
    package let alternatives: [HTTPResponse.Status]
    package let mediaType: String?
    package let schema: Schema?
    package let headers: [ReplyHeader]
    package let text: String
    /// Whether the body is written in pieces.
    package var isStream = false
    /// Other media types of the same thing.
    package var otherMediaTypes: [String] = []
}
