/// The rules for a probe that reports its own fault: a fault begins once it has reported only errors for a minute, by
/// the device's clock, and ends with its first value.
struct ProbeModel: Hashable, Sendable {
    private static let proof = 60_000

    var log: AlarmLog
    private(set) var transitions: [ExpectedTransition] = []
    private(set) var isOpen = false
    /// Whether an alert was made for the present fault.
    private var isAlerted = false
    private(set) var openedAt = 0
    /// The time of the first of the present errors.
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
            // Reminders are daily, longer than any course; an alert that nobody got yet is made with the next error.
            return !isAlerted && notify(at: time, isStale) == "alerted" ? .alerts : []
        }
        guard time - since >= Self.proof else { return [] }
        (isOpen, isAlerted, openedAt) = (true, false, since)
        log.open()
        let notification = notify(at: time, isStale)
        transitions.append(ExpectedTransition(reason: "opened", side: nil, time: since, notification: notification))
        return notification == "alerted" ? [.opens, .alerts] : .opens
    }

    private mutating func notify(at time: Int, _ isStale: Bool) -> String {
        if isStale { return "stale" }
        if !log.hasEndpoint { return "noRecipient" }
        if !log.isFree(nil, at: time) || log.charging(nil)?.isPending ?? false { return "throttled" }
        isAlerted = true
        log.add(ExpectedAlert("alarm", nil, cause: time, since: openedAt, limits: Limits()))
        return "alerted"
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

    mutating func tellEnd(_ alert: ExpectedAlert) { log.add(alert) }

    mutating func unlink() {
        if isOpen { close(at: 0, "unlinked") }
        brokenSince = nil
        log.end()
    }

    mutating func settle() { log.settle() }
}
