import Backoff
import Crypto
import Instants
import PushClient
import Synchronization
import WaterQuality

/// Which push services have asked for a pause (406, 429, 503), and until when.
///
/// Some slow down one browser, others the whole installation, and say so in the same words. A person who provokes the former must
/// not silence everybody else, so a service rests for all only when it is unavailable (503), or when it has slowed several people
/// down and took nothing in between; before, it rests for that person alone. A service where people have accounts of their own counts by
/// these, and so it rests for what is sent by that account, whoever it is for, and for nothing else.
final class OriginPauses: Sendable {
    /// A customer of a service, known by what it is asked with, of which no more than a hash is kept.
    struct Customer: Hashable, Sendable {
        private let hash: SHA256Digest

        init(credential: String) { hash = SHA256.hash(data: Array(credential.utf8)) }
    }

    /// What an answer says of those that follow.
    enum Sign {
        /// The service takes messages.
        case takes
        /// It wants a pause, for so long where it does not say for how long, of everybody or of whoever was slowed down.
        case rests(Duration, isEverybody: Bool)
        case nothing

        /// The usual sense of a status.
        init(_ answer: PushAnswer) {
            self =
                switch PushServiceAnswer(answer) {
                case .accepted: .takes
                case .throttled: .rests(OriginPauses.standard, isEverybody: answer.isUnavailable)
                default: .nothing
                }
        }
    }

    /// Whose limit a pause keeps.
    private enum Holder: Hashable {
        case person(Account.ID)
        case customer(Customer)
    }

    private struct Origin {
        var until: ContinuousClock.Instant?
        var holders: [Holder: ContinuousClock.Instant] = [:]
        /// Who was slowed down since it took a message last.
        var witnesses: Set<Account.ID> = []
    }

    /// How many people it takes.
    static let quorum = 3
    /// Where the service does not say for how long.
    private static let standard = Duration.seconds(30)
    /// Of one service, how many people and customers are told apart.
    private static let mostHolders = 4096

    private let origins = Mutex(RecentMemory<String, Origin>(most: 1024))

    /// - Parameters:
    ///   - customer: By whose account at the service the message was sent; nil where it knows no accounts of people.
    ///   - sign: What the answer says, where the service has a sense of its own for it; nil for the usual one.
    ///   - time: By which a date in the answer is understood.
    func note(
        _ answer: PushAnswer, from name: String, to account: Account.ID, as customer: Customer? = nil,
        saying sign: Sign? = nil, receivedAt time: Timestamp, now: ContinuousClock.Instant = .now
    ) {
        guard case .response(_, let retryAfter) = answer else { return }
        switch sign ?? Sign(answer) {
        case .takes:
            origins.withLock { origins in
                if origins[name]?.witnesses.isEmpty == false { origins[name]?.witnesses = [] }
            }
        case .rests(let standard, let isEverybody):
            let wait = retryAfter.flatMap { RetryAfter.delay($0, now: time) } ?? standard
            origins.withLock { origins in
                var origin = origins[name] ?? Origin()
                origin.holders = origin.holders.filter { $0.value > now }
                if origin.holders.count < Self.mostHolders {
                    origin.holders[customer.map(Holder.customer) ?? .person(account)] = now + wait
                }
                if customer == nil, origin.witnesses.count < Self.quorum { origin.witnesses.insert(account) }
                if isEverybody || origin.witnesses.count >= Self.quorum {
                    origin.until = max(origin.until ?? now, now + wait)
                }
                origins[name] = origin
            }
        case .nothing: break
        }
    }

    /// How long a service still rests for a person, and a little more, so that not everybody comes back at once; nil when it does
    /// not.
    func rest(
        of name: String, for account: Account.ID, as customer: Customer? = nil, now: ContinuousClock.Instant = .now
    ) -> Duration? {
        let until: ContinuousClock.Instant? = origins.withLock { origins in
            guard let origin = origins[name] else { return nil }
            return [origin.until, origin.holders[customer.map(Holder.customer) ?? .person(account)]]
                .compactMap(\.self).max()
        }
        guard let until, until > now else { return nil }
        let rest = until - now
        return rest + rest * Double.random(in: 0...0.1)
    }
}

extension PushAnswer {
    /// Whether the service says that it takes nothing from anybody (503).
    var isUnavailable: Bool {
        if case .response(503, _) = self { true } else { false }
    }
}
