/// What one person is told of one kind of trouble of one quantity: alarms on their way and delivered, what they charge, and the
/// all-clear that they are owed.
struct AlarmLog: Hashable, Sendable {
    let interval: Int
    /// The calm after which all is well again.
    let delay: Int
    var hasEndpoint = true
    /// Whether this person's receiver refuses everything about this device.
    var isFrozen = false

    private(set) var alerts: [ExpectedAlert] = []
    /// The alert that the person got, of which no all-clear has told the end.
    private(set) var told: Int?
    /// Since when it is calm after an alarm, and whether a later reading has shown that it still is.
    private(set) var calmSince: Int?
    private var isCalmShown = false
    /// The position from which on charges count: a delivered all-clear gives those before it back.
    private var chargedFrom = 0

    init(of person: Person, _ policy: Policy) {
        interval = person.ownInterval.map { $0 * 1000 } ?? policy.interval
        delay = policy.calm
    }

    // MARK: Decisions

    mutating func add(_ alert: ExpectedAlert) { alerts.append(alert) }

    /// A newer value replaces the text of what is on its way.
    mutating func replaceText(_ side: Side?, at time: Int) {
        for index in alerts.indices where alerts[index].isPending && alerts[index].side == side {
            alerts[index].times.append(time)
        }
    }

    /// Whether the interval after the last alert of this side is over. One that waits at a receiver that refuses holds on.
    func isFree(_ side: Side?, at time: Int) -> Bool {
        guard let charge = alerts[chargedFrom...].last(where: { $0.side == side && $0.isCharging }) else { return true }
        return !charge.waited && time - charge.cause >= interval
    }

    /// An episode begins: nothing is calm, and what was not delivered of the one before is true no more.
    mutating func open() {
        calmSince = nil
        cancelPending()
    }

    mutating func close(at time: Int) {
        (calmSince, isCalmShown) = (time, false)
        cancelPending()
    }

    /// A reading as it should be, with nothing open.
    mutating func isWell(at time: Int) {
        if let calmSince, time >= calmSince + delay { isCalmShown = true }
    }

    /// What was not delivered and is not true any more is never sent, and charges nothing.
    private mutating func cancelPending() {
        for index in alerts.indices where alerts[index].isPending { alerts[index].state = .cancelled }
    }

    /// The device was given up.
    mutating func end() {
        cancelPending()
        (told, calmSince, chargedFrom) = (nil, nil, alerts.count)
    }

    // MARK: Between bursts

    var isCalmDue: Bool { told != nil && calmSince != nil && isCalmShown }

    /// Everything that can be sent is: first what was decided, then the all-clear that is due.
    /// - Returns: Whether an all-clear was delivered.
    mutating func settle(mayBeCalm: (Int) -> Bool) -> Bool {
        var isAllClear = deliver()
        if let calm = calmSince, isCalmDue, let told, hasEndpoint, mayBeCalm(calm) {
            let alarm = alerts[told]
            calmSince = nil
            add(ExpectedAlert("recovery", alarm.side, cause: calm, since: alarm.since, limits: alarm.limits))
            isAllClear = deliver() || isAllClear
        }
        return isAllClear
    }

    private mutating func deliver() -> Bool {
        var isAllClear = false
        for index in alerts.indices where alerts[index].isPending {
            guard !isFrozen else {
                alerts[index].waited = true
                continue
            }
            alerts[index].state = .delivered
            alerts[index].waited = false
            if alerts[index].purpose == "recovery" {
                (told, chargedFrom, isAllClear) = (nil, alerts.count, true)
            } else {
                told = index
            }
        }
        return isAllClear
    }

    /// The newest alarm or reminder that the person got.
    var newestTold: ExpectedAlert? { alerts.last { $0.state == .delivered && $0.purpose != "recovery" } }

    /// All-clears that were sent or wait at a receiver that refuses.
    var allClears: Int { alerts.count { $0.purpose == "recovery" && $0.state != .cancelled } }
}
