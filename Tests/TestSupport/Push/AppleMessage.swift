import Crypto
package import Foundation

/// A message to an app as Apple's push service accepts it, with all that its documentation demands.
package struct AppleMessage: Sendable {
    /// Why it is not accepted, with Apple's status and reason.
    package struct Refusal: Error, CustomStringConvertible {
        package let status: Int
        package let reason: String
        package let description: String

        /// As Apple answers.
        package var answer: WebhookSink.Answer { .body(#"{"reason":"\#(reason)"}"#, status: status) }
    }

    /// Whom Apple knows.
    package struct Account: Sendable {
        package let team: String
        package let keyID: String
        package let topic: String
        /// 65 bytes.
        package let publicKey: [UInt8]

        package init(team: String, keyID: String, topic: String, publicKey: [UInt8]) {
            (self.team, self.keyID, self.topic, self.publicKey) = (team, keyID, topic, publicKey)
        }
    }

    /// The phone's token.
    package let device: String
    /// The sender's token.
    package let authorization: String
    package let issuedAt: Int
    package let id: String
    package let priority: Int
    package let expiration: Int
    package let collapseID: String
    package let body: [UInt8]

    package var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any] ?? [:]
    }
    package var aps: [String: Any] { json["aps"] as? [String: Any] ?? [:] }
    package var alert: [String: String] { aps["alert"] as? [String: String] ?? [:] }
    /// What the app is told beside title and text.
    package var data: [String: String] { json["aqua"] as? [String: String] ?? [:] }

    private static let longestBody = 4096
    private static let longestToken = 3600

    package init(_ request: WebhookSink.Request, by account: Account, now: Date = .now) throws(Refusal) {
        func require(_ isSo: Bool, _ status: Int, _ reason: String, _ why: String) throws(Refusal) {
            guard isSo else { throw Refusal(status: status, reason: reason, description: why) }
        }
        try require(request.connection != nil, 400, "BadRequest", "Apple speaks HTTP/2 alone")
        try require(request.method == "POST", 405, "MethodNotAllowed", "the method is \(request.method)")
        guard let match = request.path.wholeMatch(of: /\/3\/device\/([0-9a-f]{64,200})/) else {
            throw Refusal(status: 404, reason: "BadPath", description: "the path is \(request.path)")
        }
        device = String(match.output.1)
        (authorization, issuedAt) = try Self.authorization(of: request, account, now)
        let topic = request.header("apns-topic")
        try require(topic != nil, 400, "MissingTopic", "no topic")
        try require(topic == account.topic, 400, "TopicDisallowed", "the topic is \(topic ?? "")")
        try require(
            request.header("apns-push-type") == "alert", 400, "InvalidPushType", "the type of what is shown is alert")
        guard let id = request.header("apns-id"),
            id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil
        else { throw Refusal(status: 400, reason: "BadMessageId", description: "the id is no UUID in lower case") }
        guard let priority = request.header("apns-priority").flatMap({ Int($0) }), [1, 5, 10].contains(priority) else {
            throw Refusal(status: 400, reason: "BadPriority", description: "the priority is 10, 5 or 1")
        }
        guard let expiration = request.header("apns-expiration").flatMap({ Int($0) }),
            expiration == 0 || expiration > 1_000_000_000 && expiration < 10_000_000_000
        else { throw Refusal(status: 400, reason: "BadExpirationDate", description: "the expiration is in seconds") }
        guard let collapseID = request.header("apns-collapse-id"), (1...64).contains(collapseID.utf8.count) else {
            throw Refusal(status: 400, reason: "BadCollapseId", description: "the collapse id has 64 bytes at most")
        }
        (self.id, self.priority, self.expiration, self.collapseID) = (id, priority, expiration, collapseID)
        body = request.body
        try require(!body.isEmpty, 400, "PayloadEmpty", "nothing is said")
        try require(body.count <= Self.longestBody, 413, "PayloadTooLarge", "the body has \(body.count) bytes")
        try requirePayload()
    }

    /// The payload's members, of the types that Apple reads; a phone ignores others without a word.
    private func requirePayload() throws(Refusal) {
        func refusal(_ why: String) -> Refusal { Refusal(status: 400, reason: "BadPayload", description: why) }
        guard alert["title"]?.isEmpty == false, alert["body"] != nil else { throw refusal("no title and body") }
        let levels = ["passive", "active", "time-sensitive", "critical"]
        guard let level = aps["interruption-level"] as? String, levels.contains(level) else {
            throw refusal("the interruption level is one of four")
        }
        let sound = aps["sound"] as? [String: Any]
        guard (level == "critical") == (sound?["critical"] as? Int == 1) else {
            throw refusal("a critical alert has a critical sound, and nothing else has one")
        }
        let known: Set = ["alert", "interruption-level", "sound", "thread-id", "category", "mutable-content"]
        guard known.isSuperset(of: aps.keys) else { throw refusal("aps has \(aps.keys.sorted())") }
    }

    /// Checks the sender's token.
    private static func authorization(
        of request: WebhookSink.Request, _ account: Account, _ now: Date
    ) throws(Refusal) -> (String, Int) {
        func refusal(_ reason: String, _ why: String) -> Refusal {
            Refusal(status: 403, reason: reason, description: why)
        }
        let authorization = request.header("authorization") ?? ""
        guard authorization.hasPrefix("bearer ") else { throw refusal("MissingProviderToken", "no token") }
        let text = String(authorization.dropFirst(7))
        let key = try? P256.Signing.PublicKey(x963Representation: account.publicKey)
        let token = CheckedToken(text) { signature, bytes in
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key?.isValidSignature(signature, for: bytes) == true
        }
        guard let token, token.header["alg"] as? String == "ES256", token.claims["iss"] as? String == account.team,
            let issuedAt = token.second("iat"), issuedAt <= Int(now.timeIntervalSince1970) + 60
        else { throw refusal("InvalidProviderToken", "the token is not ours") }
        guard token.header["kid"] as? String == account.keyID else {
            throw refusal("UnrelatedKeyIdInToken", "the key is another team's")
        }
        guard Int(now.timeIntervalSince1970) - issuedAt <= Self.longestToken else {
            throw refusal("ExpiredProviderToken", "the token is older than an hour")
        }
        return (text, issuedAt)
    }
}
