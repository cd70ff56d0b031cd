package import HTTPTypes

/// A request as it arrived, before anything in it was checked.
package struct RawRequest: Sendable {
    /// The values of the path's parameters by name, percent-decoded.
    package let path: [String: String]
    /// The text after the question mark, undecoded.
    package let query: String?
    package let headers: HTTPFields
    /// The body, bounded in size; empty if there is none.
    package let body: [UInt8]

    package init(path: [String: String] = [:], query: String? = nil, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }
}

/// The parts of a request, from which inputs read.
package struct RequestParts: Sendable {
    let path: [String: String]
    let query: [String: String]
    let headers: HTTPFields
    let body: [String: JSON]
}
