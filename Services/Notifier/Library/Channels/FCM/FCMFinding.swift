import FoundationEssentials
import PushClient

/// The meaning of an answer of Firebase Cloud Messaging.
enum FCMFinding: Hashable, Sendable {
    case accepted
    /// The app was removed from the phone, or has another token.
    case ended
    /// The token itself is none.
    case noToken
    /// The token is of an app of another project.
    case otherSender
    /// Google does not take the token by which it knows us.
    case outdated
    /// Our service account, or its rights.
    case forbidden
    /// Our message is not as Google wants it.
    case badRequest
    case tooMany
    case unavailable
    /// Anything else, or nothing.
    case failed

    /// Google's own code goes before its status, which several codes share.
    init(_ reply: PushReply) {
        guard case .response(let status, _) = reply.answer else {
            self = .failed
            return
        }
        let failure = reply.body.flatMap { try? JSONDecoder().decode(Body.self, from: Data($0)) }?.error
        let details = failure?.details ?? []
        switch (status, details.lazy.compactMap(\.errorCode).first) {
        case (200...299, _): self = .accepted
        case (404, "UNREGISTERED"?): self = .ended
        case (403, "SENDER_ID_MISMATCH"?): self = .otherSender
        case (_, "THIRD_PARTY_AUTH_ERROR"?): self = .forbidden
        case (400, _):
            let fields = details.compactMap(\.fieldViolations).joined().compactMap(\.field)
            self = fields.contains("message.token") ? .noToken : .badRequest
        case (401, _): self = .outdated
        case (403, _): self = .forbidden
        case (404, _), (405, _), (413, _): self = .badRequest
        case (429, _): self = .tooMany
        case (500, _), (503, _): self = .unavailable
        default: self = .failed
        }
    }

    private struct Body: Decodable {
        struct Failure: Decodable {
            var details: [Detail]?
        }
        struct Detail: Decodable {
            var errorCode: String?
            var fieldViolations: [Violation]?
        }
        struct Violation: Decodable {
            var field: String?
        }
        var error: Failure?
    }
}

extension PushServiceAnswer {
    /// The count that the operator sees. A token of another project is counted among our faults: it is one where all are.
    init(_ finding: FCMFinding) {
        self =
            switch finding {
            case .accepted: .accepted
            case .ended, .noToken: .gone
            case .outdated: .unauthorized
            case .otherSender, .forbidden: .forbidden
            case .badRequest: .badRequest
            case .tooMany, .unavailable: .throttled
            case .failed: .failed
            }
    }
}
