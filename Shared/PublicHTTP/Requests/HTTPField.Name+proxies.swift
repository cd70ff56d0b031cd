package import HTTPTypes

extension HTTPField.Name {
    private static func own(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is a field name") }
        return name
    }

    package static let xForwardedFor = own("X-Forwarded-For")
    package static let xRequestID = own("X-Request-Id")
}
