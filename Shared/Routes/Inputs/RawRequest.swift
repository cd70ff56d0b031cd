package import HTTPTypes

/// A request as the shell got it, before anything in it was checked.
package struct RawRequest: Sendable {
    /// The parts of the path that stand for the names in braces, percent-decoded.
    package let path: [String: String]
    /// The text after the question mark, undecoded.
    package let query: String?
    package let headers: HTTPFields
    /// Bounded by the shell; empty when there is none.
    package let body: [UInt8]

    package init(path: [String: String] = [:], query: String? = nil, headers: HTTPFields = [:], body: [UInt8] = []) {
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }
}

/// A request taken apart, from which inputs read.
package struct RequestParts: Sendable {
    let path: [String: String]
    let query: [String: String]
    let headers: HTTPFields
    let body: [String: JSON]
}
