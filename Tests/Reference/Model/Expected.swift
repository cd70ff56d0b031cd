/// A change of an episode, and what became of the wish to notify.
struct ExpectedTransition: Hashable, Sendable {
    var reason: String
    /// None of a fault.
    var side: Side?
    /// Milliseconds of the course; of `unlinked`, which has the database's time, nothing is compared.
    var time: Int
    var notification: String
}

/// An alert that the rules ask for.
struct ExpectedAlert: Hashable, Sendable {
    enum State: Hashable, Sendable {
        case pending, delivered, cancelled
    }

    var purpose: String
    var side: Side?
    /// The reading that caused it.
    var cause: Int
    /// The readings that it may tell of: while it was on its way, newer values replaced its text.
    var times: [Int]
    /// The beginning of its episode.
    var since: Int
    var isCritical: Bool
    var isUnstable: Bool
    var limits: Limits
    var state = State.pending
    /// Whether what it says does not hold any more. One that is still on its way then is never sent.
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
