import HTTPTypes
import Routes

extension RawAnswer {
    /// Headers and body, as JSON; nil for a stream.
    var stored: [UInt8]? {
        let body: JSON
        switch self.body {
        case .none: body = .null
        case .bytes(let bytes): body = .string(String(decoding: bytes, as: UTF8.self))
        case .stream: return nil
        }
        let fields = headers.map { JSON.array([.string($0.name.rawName), .string($0.value)]) }
        return JSON.object([.init("headers", .array(fields)), .init("body", body)]).bytes
    }

    init?(stored bytes: [UInt8], status: Int16) {
        guard let json = try? JSON(reading: bytes), let fields = json["headers"]?.array else { return nil }
        var headers: HTTPFields = [:]
        for field in fields {
            guard let name = field[0]?.string.flatMap({ HTTPField.Name($0) }), let value = field[1]?.string else {
                return nil
            }
            headers.append(HTTPField(name: name, value: value))
        }
        let body = json["body"]?.string.map { RawAnswer.Body.bytes(Array($0.utf8)) } ?? .none
        self.init(status: HTTPResponse.Status(code: Int(status)), headers: headers, body: body)
    }
}
