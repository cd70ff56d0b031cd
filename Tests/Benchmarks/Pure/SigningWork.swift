import Secrets
import TestSupport

/// Signatures of bodies as large as an alert's.
struct SigningWork {
    static let bodyBytes = 640
    private static let distinct = 100
    private static let rounds = 100
    static let operations = distinct * rounds

    private let secret = WebhookSecret.generate()
    private let bodies: [[UInt8]]

    init(_ generator: inout SeededGenerator) {
        bodies = (0..<Self.distinct).map { _ in
            (0..<Self.bodyBytes).map { _ in UInt8.random(in: 0x20...0x7E, using: &generator) }
        }
    }

    /// - Throws: `TestSupportError` if a receiver would reject the last signature.
    func perform() throws {
        let time: Int64 = 1_777_636_800
        var last = ""
        var length = 0
        for _ in 0..<Self.rounds {
            for body in bodies {
                last = secret.signature(id: "alert-1-1001", timestamp: time, body: body)
                length += last.utf8.count
            }
        }
        let verdict = secret.verify(
            id: "alert-1-1001", timestamp: "\(time)", signatures: last, body: bodies[Self.distinct - 1], now: time)
        guard verdict == .valid, length == Self.operations * last.utf8.count else {
            throw TestSupportError("A receiver finds the signature \(verdict)")
        }
    }
}
