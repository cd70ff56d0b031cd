import HTTPTypes
import Hummingbird
import NIOCore
import Routes

/// The most bytes of a request's body.
enum RequestBodyLimit {
    static let bytes = 64 * 1024

    /// The whole body.
    /// - Throws: `Problem(.tooLarge)`, before anything is read where the length is announced.
    static func read(_ request: Request) async throws -> [UInt8] {
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > bytes { throw Problem(.tooLarge) }
        let body = try await request.body.collect(upTo: bytes)
        // Hummingbird takes a connection that ends in the middle of a body for the body's end.
        if let announced, announced != body.readableBytes { throw Problem(.malformedBody) }
        return Array(buffer: body)
    }
}
