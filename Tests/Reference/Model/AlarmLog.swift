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
    /// Whether the person was told of unstable water, which is well again after half an hour: no course has as much.
    private var isCalmLong = false
    /// The position from which on charges count: a delivered all-clear gives those before it back.
    private var chargedFrom = 0

    init(of person: Person, _ policy: Policy) {
        interval = person.ownInterval.map { $0 * 1000 } ?? policy.interval
        delay = policy.calm
    }

    // MARK: Decisions

    mutating func add(_ alert: ExpectedAlert) { alerts.append(alert) }

    /// The alert that holds the interval of a side: the last one, unless it was cancelled. A critical one that was gives its charge
    /// back to the one before.
    private func charge(_ side: Side?) -> Int? {
        let charges = alerts.indices[chargedFrom...].filter {
            alerts[$0].side == side && alerts[$0].purpose != "recovery"
        }
        guard let last = charges.last else { return nil }
        if alerts[last].state != .cancelled { return last }
        return alerts[last].isCritical ? charges.last { alerts[$0].state != .cancelled } : nil
    }

    func charging(_ side: Side?) -> ExpectedAlert? { charge(side).map { alerts[$0] } }

    /// The later of both sides' charges.
    var latestCharge: ExpectedAlert? {
        [Side.low, .high].compactMap { charging($0) }.max { $0.cause < $1.cause }
    }

    /// Whether the interval after the last alert of this side is over.
    func isFree(_ side: Side?, at time: Int) -> Bool { charging(side).map { time - $0.cause >= interval } ?? true }

    /// A newer value replaces the text of the alert that holds the interval, while that is on its way. A critical one takes critical
    /// values alone.
    mutating func replaceText(_ side: Side, at time: Int, isCritical: Bool) {
        guard let index = charge(side), alerts[index].isPending, isCritical || !alerts[index].isCritical else { return }
        alerts[index].times.append(time)
    }

    /// An episode begins: nothing is calm, and what was not delivered of the one before is true no more.
    mutating func open() {
        calmSince = nil
        overtakePending()
    }

    mutating func close(at time: Int) {
        (calmSince, isCalmShown, isCalmLong) = (time, false, latestCharge?.isUnstable ?? false)
        overtakePending()
    }

    /// A reading as it should be, with nothing open.
    mutating func isWell(at time: Int) {
        if let calmSince, time >= calmSince + delay { isCalmShown = true }
    }

    /// What was not delivered is not true any more. It charges until whoever would send it has found out.
    private mutating func overtakePending() {
        for index in alerts.indices where alerts[index].isPending { alerts[index].isOver = true }
    }

    private mutating func cancelOvertaken() {
        for index in alerts.indices where alerts[index].isPending && alerts[index].isOver {
            alerts[index].state = .cancelled
        }
    }

    /// The device was given up.
    mutating func end() {
        overtakePending()
        cancelOvertaken()
        (told, calmSince, chargedFrom) = (nil, nil, alerts.count)
    }

    // MARK: Between bursts

    var isCalmDue: Bool {
        guard let told, calmSince != nil, isCalmShown else { return false }
        return !isCalmLong && !alerts[told].isUnstable
    }

    /// Whether something is on its way that does not hold any more.
    var hasOvertaken: Bool { alerts.contains { $0.isPending && $0.isOver } }
    /// How many alerts are on their way that hold.
    var waiting: Int { alerts.count { $0.isPending && !$0.isOver } }

    /// What does not hold any more is cancelled, and everything else that can be sent is: first what was decided, then the
    /// all-clear that is due.
    mutating func settle() {
        cancelOvertaken()
        deliver()
        guard let calm = calmSince, isCalmDue, let told, hasEndpoint else { return }
        let alarm = alerts[told]
        calmSince = nil
        add(ExpectedAlert("recovery", alarm.side, cause: calm, since: alarm.since, limits: alarm.limits))
        deliver()
    }

    private mutating func deliver() {
        guard !isFrozen else { return }
        for index in alerts.indices where alerts[index].isPending {
            alerts[index].state = .delivered
            if alerts[index].purpose == "recovery" {
                (told, chargedFrom) = (nil, alerts.count)
            } else {
                told = index
            }
        }
    }

    /// The newest alarm or reminder that the person got.
    var newestTold: ExpectedAlert? { alerts.last { $0.state == .delivered && $0.purpose != "recovery" } }

    /// All-clears that were sent or wait at a receiver that refuses.
    var allClears: Int { alerts.count { $0.purpose == "recovery" && $0.state != .cancelled } }
}
