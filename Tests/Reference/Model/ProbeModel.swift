/// What the rules make of a probe that says itself that it is broken: a fault once it has said nothing else for a minute, by the
/// device's clock, until its first value.
struct ProbeModel: Hashable, Sendable {
    private static let proof = 60_000

    var log: AlarmLog
    private(set) var transitions: [ExpectedTransition] = []
    private(set) var isOpen = false
    /// When the errors that go on began.
    private var brokenSince: Int?
    private let policy: Policy

    init(of person: Person, _ policy: Policy) {
        log = AlarmLog(of: person, policy)
        self.policy = policy
    }

    mutating func takeError(at time: Int, isStale: Bool) -> WatchModel.Effect {
        let since = brokenSince ?? time
        brokenSince = since
        if isOpen {
            log.replaceText(nil, at: time)
            return []
        }
        guard time - since >= Self.proof else { return [] }
        isOpen = true
        log.open()
        let notification =
            isStale ? "stale" : !log.hasEndpoint ? "noRecipient" : !log.isFree(nil, at: time) ? "throttled" : "alerted"
        transitions.append(ExpectedTransition(reason: "opened", side: nil, time: since, notification: notification))
        guard notification == "alerted" else { return .opens }
        log.add(ExpectedAlert("alarm", nil, cause: time, since: since, limits: Limits()))
        return [.opens, .alerts]
    }

    mutating func takeValue(at time: Int) -> WatchModel.Effect {
        brokenSince = nil
        guard isOpen else {
            log.isWell(at: time)
            return []
        }
        close(at: time, "recovered")
        return .closes
    }

    private mutating func close(at time: Int, _ reason: String) {
        isOpen = false
        transitions.append(ExpectedTransition(reason: reason, side: nil, time: time, notification: "none"))
        log.close(at: time)
    }

    mutating func unlink() {
        if isOpen { close(at: 0, "unlinked") }
        brokenSince = nil
        log.end()
    }

    mutating func settle() { _ = log.settle { _ in true } }
}
