/// A change of an episode, and the fate of its notification.
struct ExpectedTransition: Hashable, Sendable {
    var reason: String
    /// The side; nil for a fault.
    var side: Side?
    /// The time in milliseconds of the course; not compared for `unlinked`, which has the database's time.
    var time: Int
    var notification: String
}

/// An alert that the rules require.
struct ExpectedAlert: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case pending, delivered, cancelled
    }

    var purpose: String
    var side: Side?
    /// The reading that caused it.
    var cause: Int
    /// The readings that its text may name: while it was pending, newer values replaced its text.
    var times: [Int]
    /// The beginning of its episode.
    var since: Int
    var isCritical: Bool
    var isUnstable: Bool
    var limits: Limits
    var state = State.pending
    /// Whether it is no longer true; if it is still pending then, it is never sent.
    var isOver = false

    init(
        _ purpose: String, _ side: Side?, cause: Int, since: Int, isCritical: Bool = false, isUnstable: Bool = false,
        limits: Limits
    ) {
        self.purpose = purpose
        self.side = side
        self.cause = cause
        self.times = [cause]
        self.since = since
        self.isCritical = isCritical
        self.isUnstable = isUnstable
        self.limits = limits
    }

    var isPending: Bool { state == .pending }
}
