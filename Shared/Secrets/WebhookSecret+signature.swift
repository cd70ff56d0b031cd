import Crypto
import FoundationEssentials

extension [WebhookSecret] {
    /// The header `webhook-signature` while secrets are changed: one signature by each, separated by blanks. A receiver
    /// accepts the message if it knows one of the secrets.
    package func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
        map { $0.signature(id: id, timestamp: timestamp, body: body) }.joined(separator: " ")
    }
}

extension WebhookSecret {
    /// The header `webhook-signature`: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64.
    /// - Parameters:
    ///   - id: Contains no dot, so that the three parts cannot be shifted.
    ///   - timestamp: The attempt's time in Unix seconds.
    ///   - body: The exact bytes that are sent.
    package func signature(id: String, timestamp: Int64, body: [UInt8]) -> String {
        var code = HMAC<SHA256>(key: SymmetricKey(data: bytes))
        code.update(data: Array("\(id).\(timestamp).".utf8))
        code.update(data: body)
        return "v1,\(Data(code.finalize()).base64EncodedString())"
    }

    /// The result of a receiver's check.
    package enum Verdict: String, Sendable {
        case valid
        /// Some of the three headers are missing or malformed.
        case malformed
        /// Older or newer than the tolerance: a replay, or a wrong clock.
        case outOfTime
        case forged
    }

    /// Five minutes, as in the specification's own libraries.
    package static let tolerance: Int64 = 300

    /// Checks a message as a receiver does.
    /// - Parameters:
    ///   - signatures: The header `webhook-signature`; while a secret is changed, several signatures separated by blanks.
    ///   - now: The present time in Unix seconds.
    package func verify(
        id: String?, timestamp: String?, signatures: String?, body: [UInt8], now: Int64
    ) -> Verdict {
        guard let id, let time = timestamp.flatMap(Int64.init), let signatures else { return .malformed }
        guard time > now - Self.tolerance, time < now + Self.tolerance else { return .outOfTime }
        var code = HMAC<SHA256>(key: SymmetricKey(data: bytes))
        code.update(data: Array("\(id).\(time).".utf8))
        code.update(data: body)
        let expected = code.finalize()
        let isOurs = signatures.split(separator: " ").contains { signature in
            guard signature.hasPrefix("v1,"), let given = Data(base64Encoded: String(signature.dropFirst(3))) else {
                return false
            }
            // Compares in constant time.
            return expected == given
        }
        return isOurs ? .valid : .forged
    }
}
