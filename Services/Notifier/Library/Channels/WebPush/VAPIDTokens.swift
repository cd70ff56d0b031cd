import Backoff
import Instants
import PushTargets
import Synchronization
import WebPush

/// The tokens in use, one for each push service and key: signed once and sent for hours, as Apple demands.
final class VAPIDTokens: Sendable {
    private struct Use: Hashable {
        let origin: String
        let key: String
    }

    private let subject: PushSubject?
    /// Of bounded size: a push service has as many hosts as its people care to name.
    private let tokens = Mutex(RecentMemory<Use, VAPIDToken>(most: 1024))

    init(subject: PushSubject?) {
        self.subject = subject
    }

    /// The header `Authorization` of a message.
    func authorization(for target: PushTarget, key: VAPIDKey, at time: Timestamp) throws -> String {
        let use = Use(origin: target.origin, key: key.publicKey.id)
        if let token = tokens.withLock({ $0[use] }), token.isFresh(at: time) { return token.authorization }
        let token = try VAPIDToken(for: target, key: key, subject: subject, at: time)
        tokens.withLock { $0[use] = token }
        return token.authorization
    }
}
