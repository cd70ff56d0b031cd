/// The payloads in the body of a request: one message, or an array of them for a backlog.
package struct PostedPayloads: Equatable, Sendable {
    /// Most messages of a request. With all parameters and units a message takes 900 bytes.
    package static let most = 256
    package static let largestBody = 64 * 1024

    package enum Fault: Error {
        /// Neither one JSON object nor an array of objects, as far as brackets tell.
        case malformed
        case empty
        case tooMany
    }

    package var payloads: [[UInt8]]

    /// Splits the body into objects. `ReadingsPayload` judges each one, so that a fault of one does not concern the others.
    package init(_ body: [UInt8]) throws(Fault) {
        var scanner = JSONScanner(body)
        do throws(JSONScanner.Fault) {
            payloads = try Self.read(&scanner, body)
        } catch {
            throw .malformed
        }
        guard scanner.isAtEnd() else { throw payloads.count > Self.most ? .tooMany : .malformed }
        if payloads.isEmpty { throw .empty }
    }

    /// Stops after the first payload beyond the limit.
    private static func read(_ scanner: inout JSONScanner, _ body: [UInt8]) throws(JSONScanner.Fault) -> [[UInt8]] {
        guard try scanner.peek() == .array else { return [try readObject(&scanner, body)] }
        try scanner.expect(UInt8(ascii: "["))
        if scanner.take(UInt8(ascii: "]")) { return [] }
        var payloads: [[UInt8]] = []
        repeat {
            payloads.append(try readObject(&scanner, body))
            if payloads.count > most { return payloads }
        } while scanner.take(UInt8(ascii: ","))
        try scanner.expect(UInt8(ascii: "]"))
        return payloads
    }

    private static func readObject(_ scanner: inout JSONScanner, _ body: [UInt8]) throws(JSONScanner.Fault) -> [UInt8] {
        guard try scanner.peek() == .object else { throw scanner.fault }
        let start = scanner.offset
        try scanner.skipValue()
        return Array(body[start..<scanner.offset])
    }
}
