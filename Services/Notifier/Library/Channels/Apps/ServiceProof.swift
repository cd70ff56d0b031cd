import Synchronization

/// Whether a push service has taken a message since the start. That shows that keys, app and server are the right ones, so that a
/// refusal of one phone is about that phone; before, it may be about all of them.
final class ServiceProof: Sendable {
    private let isShown = Atomic(false)

    /// Whether it has.
    var isGiven: Bool { isShown.load(ordering: .relaxed) }

    func give() { isShown.store(true, ordering: .relaxed) }
}
