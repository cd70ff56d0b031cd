import Crypto
package import Foundation

/// A message to a browser as its push service accepts it (RFC 8030, 8188 and 8292), with all checks of the strictest
/// service.
package struct PushedMessage: Sendable {
    /// The reason why a push service refuses a message, with the status of Mozilla's service.
    package struct Refusal: Error, CustomStringConvertible {
        package let status: Int
        package let description: String
    }

    package let ttl: Int
    package let topic: String
    package let urgency: String
    package let authorization: String
    /// The contact address for the operator of the push service.
    package let subject: String
    package let body: [UInt8]

    private static let longestBody = 4096
    /// Four weeks, Google's bound.
    private static let longestLife = 2_419_200
    private static let longestToken: TimeInterval = 86_400

    /// - Parameters:
    ///   - origin: The push service's own origin.
    ///   - vapidKey: The key that the browser subscribed with: 65 bytes.
    package init(
        _ request: WebhookSink.Request, origin: String, vapidKey: [UInt8], now: Date = .now
    ) throws(Refusal) {
        func require(_ isSo: Bool, _ status: Int, _ why: String) throws(Refusal) {
            guard isSo else { throw Refusal(status: status, description: why) }
        }
        try require(request.method == "POST", 405, "the method is \(request.method)")
        try require(request.header("content-encoding") == "aes128gcm", 400, "the content is not encoded as aes128gcm")
        try require(request.header("content-type") == "application/octet-stream", 400, "the content has another type")
        let older = ["encryption", "crypto-key", "encryption-key"].filter { request.header($0) != nil }
        try require(older.isEmpty, 400, "aes128gcm goes without \(older)")
        try require(
            request.header("content-length") == "\(request.body.count)", 400, "the length is not that of the body")
        let ttl = request.header("ttl").flatMap { Int($0) }
        // The standard allows 0, but Windows refuses it.
        guard let ttl, (1...Self.longestLife).contains(ttl) else {
            throw Refusal(status: 400, description: "the TTL is \(request.header("ttl") ?? "missing")")
        }
        guard let topic = request.header("topic"), topic.wholeMatch(of: /[A-Za-z0-9_-]{1,32}/) != nil,
            Base64URL.bytes(topic) != nil
        else { throw Refusal(status: 400, description: "the topic is \(request.header("topic") ?? "missing")") }
        guard let urgency = request.header("urgency"), ["very-low", "low", "normal", "high"].contains(urgency) else {
            throw Refusal(status: 400, description: "the urgency is \(request.header("urgency") ?? "missing")")
        }
        let authorization = request.header("authorization") ?? ""
        subject = try Self.subject(of: authorization, origin: origin, vapidKey: vapidKey, now: now)
        let body = request.body
        try require(body.count <= Self.longestBody, 413, "the body has \(body.count) bytes")
        // Salt, record size, and the sender's public key, which is not compressed.
        try require(body.count >= 103 && body[20] == 65 && body[21] == 4, 400, "the head of the content is malformed")
        let recordSize = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        try require(recordSize >= body.count - 86 && recordSize >= 18, 400, "the record is longer than it says")
        (self.ttl, self.topic, self.urgency, self.authorization, self.body) = (ttl, topic, urgency, authorization, body)
    }

    /// Checks the sender's signed token (RFC 8292).
    private static func subject(
        of authorization: String, origin: String, vapidKey: [UInt8], now: Date
    ) throws(Refusal) -> String {
        func refusal(_ why: String) -> Refusal { Refusal(status: 401, description: why) }
        guard let match = authorization.wholeMatch(of: /vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)/) else {
            throw refusal("the authorization is malformed: \(authorization)")
        }
        let (head, claimed, signature, key) = (match.output.1, match.output.2, match.output.3, match.output.4)
        // 403 instead of 401 for a browser that subscribed with another key.
        guard Base64URL.bytes(String(key)) == vapidKey else {
            throw Refusal(status: 403, description: "the subscription was made with another key")
        }
        guard let signer = try? P256.Signing.PublicKey(x963Representation: vapidKey),
            let bytes = Base64URL.bytes(String(signature)),
            let signed = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            signer.isValidSignature(signed, for: Data("\(head).\(claimed)".utf8))
        else { throw refusal("the token is not signed by its key") }
        struct Head: Decodable {
            let alg: String
        }
        struct Claims: Decodable {
            let aud: String
            let exp: Int
            let sub: String?
        }
        guard let headBytes = Base64URL.bytes(String(head)),
            let head = try? JSONDecoder().decode(Head.self, from: Data(headBytes)), head.alg == "ES256",
            let claimBytes = Base64URL.bytes(String(claimed)),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(claimBytes))
        else { throw refusal("the token cannot be read") }
        guard claims.aud == origin else { throw refusal("the token is for \(claims.aud), not for \(origin)") }
        let left = TimeInterval(claims.exp) - now.timeIntervalSince1970
        guard left > 0, left <= longestToken else { throw refusal("the token has \(left) seconds left") }
        guard let subject = claims.sub, subject.hasPrefix("mailto:") || subject.hasPrefix("https://") else {
            throw Refusal(status: 403, description: "the token names nobody to write to")
        }
        return subject
    }
}

/// Base64url (RFC 4648, section 5), with or without padding.
enum Base64URL {
    static func bytes(_ text: String) -> [UInt8]? {
        var plain = text.replacing("-", with: "+").replacing("_", with: "/")
        while plain.hasSuffix("=") { plain.removeLast() }
        guard plain.utf8.count % 4 != 1 else { return nil }
        plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        return Data(base64Encoded: plain).map(Array.init)
    }

    static func text(_ bytes: [UInt8]) -> String {
        var text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        while text.hasSuffix("=") { text.removeLast() }
        return text
    }
}
