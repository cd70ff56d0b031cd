/// A person's alerts about one kind of trouble of one quantity: pending and delivered alarms, their charges, and the
/// all-clear that is due.
struct AlarmLog: Hashable, Sendable {
    let interval: Int
    /// The calm time that an all-clear requires.
    let delay: Int
    var hasEndpoint = true
    /// Whether this person's receiver refuses everything about this device.
    var isFrozen = false

    private(set) var alerts: [ExpectedAlert] = []
    /// The delivered alert whose end no all-clear has reported.
    private(set) var told: Int?
    /// The beginning of the calm after an alarm, and whether a later reading has confirmed it.
    private(set) var calmSince: Int?
    private var isCalmShown = false
    /// Whether the person got an alert about unstable water, whose calm takes half an hour: longer than any course.
    private var isCalmLong = false
    /// The position from which charges count: a delivered all-clear gives earlier ones back.
    private var chargedFrom = 0

    init(of person: Person, _ policy: Policy) {
        interval = person.ownInterval.map { $0 * 1000 } ?? policy.interval
        delay = policy.calm
    }

    // MARK: Decisions

    mutating func add(_ alert: ExpectedAlert) { alerts.append(alert) }

    /// The alert that holds a side's interval: the last one that was not cancelled. A cancelled critical alert gives
    /// its charge back to the one before.
    private func charge(_ side: Side?) -> Int? {
        let charges = alerts.indices[chargedFrom...].filter {
            alerts[$0].side == side && alerts[$0].purpose != "recovery"
        }
        guard let last = charges.last else { return nil }
        if alerts[last].state != .cancelled { return last }
        return alerts[last].isCritical ? charges.last { alerts[$0].state != .cancelled } : nil
    }

    func charging(_ side: Side?) -> ExpectedAlert? { charge(side).map { alerts[$0] } }

    /// The later one of both sides' charges.
    var latestCharge: ExpectedAlert? {
        [Side.low, .high].compactMap { charging($0) }.max { $0.cause < $1.cause }
    }

    /// Whether the interval after the last alert of this side is over.
    func isFree(_ side: Side?, at time: Int) -> Bool { charging(side).map { time - $0.cause >= interval } ?? true }

    /// Replaces the text of the pending alert that holds the interval by a newer value. A critical alert accepts
    /// critical values only.
    mutating func replaceText(_ side: Side, at time: Int, isCritical: Bool) {
        guard let index = charge(side), alerts[index].isPending, isCritical || !alerts[index].isCritical else { return }
        alerts[index].times.append(time)
    }

    /// Opens an episode: the calm ends, and undelivered messages about the previous episode are no longer true.
    mutating func open() {
        calmSince = nil
        overtakePending()
    }

    mutating func close(at time: Int) {
        (calmSince, isCalmShown, isCalmLong) = (time, false, latestCharge?.isUnstable ?? false)
        overtakePending()
    }

    /// Takes a reading in range, with no episode open.
    mutating func isWell(at time: Int) {
        if let calmSince, time >= calmSince + delay { isCalmShown = true }
    }

    /// Marks undelivered alerts as no longer true. They charge until the sender has found out.
    private mutating func overtakePending() {
        for index in alerts.indices where alerts[index].isPending { alerts[index].isOver = true }
    }

    private mutating func cancelOvertaken() {
        for index in alerts.indices where alerts[index].isPending && alerts[index].isOver {
            alerts[index].state = .cancelled
        }
    }

    /// Ends the log, because the device was given up.
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

    /// Whether an undelivered alert is no longer true.
    var hasOvertaken: Bool { alerts.contains { $0.isPending && $0.isOver } }
    /// The number of undelivered alerts that are still true.
    var waiting: Int { alerts.count { $0.isPending && !$0.isOver } }

    /// Cancels alerts that are no longer true, and delivers all others that can be sent: first the decided ones, then
    /// the all-clear that is due.
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

    /// The number of all-clears that were sent or wait at a receiver that refuses.
    var allClears: Int { alerts.count { $0.purpose == "recovery" && $0.state != .cancelled } }
}
