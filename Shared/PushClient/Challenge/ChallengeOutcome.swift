/// The result of a challenge. The person who names the target learns no more than this: the request starts inside the
/// operator's network, and more would reveal what stands there.
package enum ChallengeOutcome: String, CaseIterable, Hashable, Sendable {
    /// The receiver answered with the nonce.
    case proven
    /// Nothing was sent: the name is unknown or leads to an address that must not be called, nothing listens there, or
    /// the connection could not be encrypted.
    case unreachable
    /// The request was sent, and no whole answer came in time.
    case unanswered
    /// The receiver answered otherwise: another status, a redirection, another body or one that is too long.
    case unproven

    package init(_ reply: PushReply, to challenge: EndpointChallenge) {
        switch reply.answer {
        case .response(200...299, _):
            self = reply.body.map(challenge.isMet(by:)) ?? false ? .proven : .unproven
        case .response: self = .unproven
        case .noConnection, .notPermitted, .unusable: self = .unreachable
        case .broken, .silence: self = .unanswered
        }
    }
}
