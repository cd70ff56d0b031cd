import HTTPTypes

extension Route {
    /// The document's example of a request, made of the examples of all inputs.
    package var exampleRequest: RawRequest {
        var headers: HTTPFields = [:]
        for input in inputs where input.place == .header {
            if let name = HTTPField.Name(input.name) { headers[name] = input.textExample }
        }
        let body = writtenBodyExample
        if body != nil { headers[.contentType] = self.body.mediaTypes[0] }
        let path = inputs.filter { $0.place == .path }.map { ($0.name, $0.textExample) }
        let query = inputs.filter { $0.place == .query }
            .map { percentEncoded($0.name) + "=" + percentEncoded($0.textExample) }
        return RawRequest(
            path: Dictionary(path) { first, _ in first },
            query: query.isEmpty ? nil : query.joined(separator: "&"), headers: headers,
            body: body.map { Array($0.utf8) } ?? [])
    }

    /// A body with every field; `nil` if the route takes none.
    var bodyExample: JSON? {
        let fields = inputs.filter { $0.place == .body }
        return fields.isEmpty ? nil : .object(fields.map { JSON.Member($0.name, $0.schema.example) })
    }
}

extension Route {
    /// The example of a body as it is sent.
    var writtenBodyExample: String? {
        guard body.isForm else { return bodyExample?.text }
        let fields = inputs.filter { $0.place == .body }
        return fields.isEmpty
            ? nil : fields.map { "\($0.name)=\(percentEncoded($0.textExample))" }.joined(separator: "&")
    }
}

extension InputDeclaration {
    /// The example as text for a path, a query or a header.
    var textExample: String {
        let example = schema.example
        return example.array.map { $0.map { $0.string ?? $0.text }.joined(separator: ",") } ?? example.string
            ?? example.text
    }
}

/// Percent-encodes everything but RFC 3986's unreserved characters.
package func percentEncoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            bytes.append(byte)
        default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: bytes, as: UTF8.self)
}
