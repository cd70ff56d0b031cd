import FoundationEssentials
package import Instants
package import Secrets

/// The message by which a receiver proves that it wants alerts: only whoever runs the receiver can make it answer.
///
/// The message is signed like every other. Its nonce is random, so an answer cannot be prepared; the answer holds the
/// nonce outside of `data`, so a server that echoes its input proves nothing.
package struct EndpointChallenge: Sendable {
    /// The message's type, a promise to receivers.
    package static let type = "endpoint.challenge"

    /// 256 random bits in base64url.
    package let nonce: String
    /// The header `webhook-id`.
    package let id: String

    package init(nonce: String, id: String) {
        self.nonce = nonce
        self.id = id
    }

    /// An unpredictable challenge.
    package static func random() -> EndpointChallenge {
        let id = String(UInt64.random(in: .min ... .max), radix: 16)
        return EndpointChallenge(nonce: opaqueText(bytes: 32), id: "challenge_\(id)")
    }

    package func message(signedWith secret: WebhookSecret, at time: Timestamp) throws -> SignedWebhook {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let question = Question(type: Self.type, timestamp: time.iso8601, data: .init(challenge: nonce))
        return SignedWebhook(id: id, body: Array(try encoder.encode(question)), secrets: [secret], at: time)
    }

    /// Whether an answer's body holds the nonce: `{"challenge": "<nonce>"}`.
    package func isMet(by body: [UInt8]) -> Bool {
        guard let reply = try? JSONDecoder().decode(Reply.self, from: Data(body)) else { return false }
        return reply.challenge == nonce
    }

    private static func opaqueText(bytes count: Int) -> String {
        let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max) }
        return Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private struct Question: Encodable {
        let type: String
        let timestamp: String
        let data: Data

        struct Data: Encodable {
            let challenge: String
        }
    }

    private struct Reply: Decodable {
        let challenge: String
    }
}
