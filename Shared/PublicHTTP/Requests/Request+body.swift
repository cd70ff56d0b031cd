import HTTPTypes
package import Hummingbird
import NIOCore
import Routes

extension Request {
    /// Reads the whole body.
    /// - Parameter most: The most bytes that it may have.
    /// - Throws: `Problem(.tooLarge)`; if the length is announced, before anything is read.
    package func wholeBody(most: Int) async throws -> [UInt8] {
        let announced = headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > most { throw Problem(.tooLarge) }
        let bytes = try await body.collect(upTo: most)
        // Hummingbird takes a connection that ends in the middle of a body for the body's end, so the length is
        // compared.
        if let announced, announced != bytes.readableBytes { throw Problem(.malformedBody) }
        return Array(buffer: bytes)
    }
}
