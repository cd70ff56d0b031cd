/// The rules of `DESIGN.md` (section 4) for one watch's readings. Written from the rules alone: nothing of the product
/// is imported here. Times are milliseconds of the course.
struct WatchModel: Hashable, Sendable {
    struct Sample: Hashable, Sendable {
        var time: Int
        var value: Int
    }

    struct Episode: Hashable, Sendable {
        var side: Side
        var openedAt: Int
        var isAlerted = false
        var wasCritical = false
        var isAcknowledged = false
    }

    /// The effects of a decision that matter for the rest of a burst.
    struct Effect: OptionSet {
        let rawValue: Int
        static let alerts = Effect(rawValue: 1)
        static let opens = Effect(rawValue: 2)
        static let closes = Effect(rawValue: 4)
    }

    let policy: Policy
    /// The quantity's threshold of a suspected spike in steps.
    private let spike: Int
    var limits: Limits
    /// The limits that hold for the reading that is decided.
    private var held: Limits
    private(set) var log: AlarmLog
    private(set) var probe: ProbeModel

    private(set) var episode: Episode?
    private(set) var transitions: [ExpectedTransition] = []
    private(set) var snoozed: Set<Side> = []
    /// The number of readings out of range without an alert, by the reason.
    private(set) var withheldBecause: [String: Int] = [:]
    /// The time of the last reading that was held or critical.
    private var doubtedAt: Int?
    private var beginnings: [Int] = []

    init(_ watch: Watch, _ limits: Limits, _ policy: Policy) {
        self.limits = limits
        held = limits
        self.policy = policy
        spike = watch.quantity.spike
        log = AlarmLog(of: watch.person, policy)
        probe = ProbeModel(of: watch.person, policy)
    }

    // MARK: Readings

    /// Decides on a reading newer than all previous ones.
    /// - Parameter before: The quantity's decided readings, newest last.
    mutating func take(_ reading: Sample, after before: some BidirectionalCollection<Sample>, isStale: Bool) -> Effect {
        held = limits.held(at: reading.time)
        guard let side = held.side(of: reading.value) else { return takeInRange(reading, after: before) }
        let isCritical = held.isCritical(reading.value)
        let isHeld = episode?.side != side && isSuspected(reading, after: before, isCritical: isCritical)
        if isHeld || isCritical { doubtedAt = reading.time }
        if episode?.side == side { return notify(reading, side, isHeld: false, isStale).effect }
        let former = episode?.side
        if former != nil, isHeld {
            // Like a jump back into range, a jump to the other side ends nothing yet.
            withheldBecause[isStale ? "stale" : "held", default: 0] += 1
            return []
        }
        if let former {
            transitions.append(
                ExpectedTransition(reason: "flipped", side: former, time: reading.time, notification: "none"))
        }
        episode = Episode(side: side, openedAt: reading.time)
        beginnings.append(reading.time)
        log.open()
        let (notification, effect) = notify(reading, side, isHeld: isHeld, isStale)
        transitions.append(
            ExpectedTransition(reason: "opened", side: side, time: reading.time, notification: notification))
        return former == nil ? [effect, .opens] : [effect, .opens, .closes]
    }

    private mutating func takeInRange(
        _ reading: Sample, after before: some BidirectionalCollection<Sample>
    ) -> Effect {
        guard let open = episode else {
            log.isWell(at: reading.time)
            return []
        }
        guard held.isBack(reading.value, from: open.side) else { return [] }
        if let last = before.last, held.side(of: last.value) != nil, hasJumped(reading, from: last, by: spike) {
            doubtedAt = reading.time
            return []
        }
        close(at: reading.time, "recovered")
        return .closes
    }

    private mutating func notify(
        _ reading: Sample, _ side: Side, isHeld: Bool, _ isStale: Bool
    ) -> (notification: String, effect: Effect) {
        let isCritical = held.isCritical(reading.value)
        let breaksThrough = isCritical && breaksThrough(side, at: reading.time)
        if let withheld = reasonToWithhold(reading, side, breaksThrough, isHeld: isHeld, isStale) {
            withheldBecause[withheld, default: 0] += 1
            if withheld == "throttled" { log.replaceText(side, at: reading.time, isCritical: isCritical) }
            return (withheld, [])
        }
        let isUnstable = !breaksThrough && limits.tellsUnstable && isUnstable(at: reading.time)
        // Not a reminder: an alert that breaks through or replaces alarms, and one that follows no told alert.
        let isReminder =
            !breaksThrough && !isUnstable && episode?.isAlerted == true && log.charging(side) != nil
        log.add(
            ExpectedAlert(
                isReminder ? "reminder" : "alarm", side, cause: reading.time,
                since: episode?.openedAt ?? reading.time, isCritical: isCritical, isUnstable: isUnstable,
                limits: limits))
        episode?.isAlerted = true
        if isCritical { episode?.wasCritical = true }
        return ("alerted", .alerts)
    }

    /// Whether a critical value breaks through: once in an episode, not soon after another critical alarm, and always
    /// if nobody got an alert of this side.
    private func breaksThrough(_ side: Side, at time: Int) -> Bool {
        guard let charge = log.charging(side) else { return true }
        return episode?.wasCritical == false && !(charge.isCritical && time - charge.cause < policy.breakThrough)
    }

    /// The first reason for no alert, in the order of the rules.
    private func reasonToWithhold(
        _ reading: Sample, _ side: Side, _ breaksThrough: Bool, isHeld: Bool, _ isStale: Bool
    ) -> String? {
        guard let episode else { return "none" }
        if isStale { return "stale" }
        if isHeld { return "held" }
        if !breaksThrough, !episode.isAlerted, reading.time - episode.openedAt < limits.delay * 1000 {
            return "delayed"
        }
        if !log.hasEndpoint { return "noRecipient" }
        if breaksThrough { return nil }
        if !log.isFree(side, at: reading.time) { return "throttled" }
        if episode.isAcknowledged { return "acknowledged" }
        if snoozed.contains(side) { return "snoozed" }
        if limits.tellsUnstable, log.latestCharge?.isUnstable ?? false, isUnstable(at: reading.time) {
            return "toldUnstable"
        }
        return nil
    }

    /// Whether a value has jumped out of range, or to the other side. A watch waits for the next value, but not again
    /// within five minutes or five pauses, nor so soon after a critical value: alternating values alert.
    private func isSuspected(
        _ reading: Sample, after before: some BidirectionalCollection<Sample>, isCritical: Bool
    ) -> Bool {
        guard let last = before.last, hasJumped(reading, from: last, by: isCritical ? Quantity.criticalSpike : spike)
        else { return false }
        return doubtedAt.map { reading.time - $0 > max(policy.hold, 5 * (reading.time - last.time)) } ?? true
    }

    private func hasJumped(_ reading: Sample, from last: Sample, by threshold: Int) -> Bool {
        reading.time - last.time <= policy.hold && abs(reading.value - last.value) > threshold
    }

    private func isUnstable(at time: Int) -> Bool {
        beginnings.count { time - $0 < policy.unstableWithin } >= 4
    }

    private mutating func close(at time: Int, _ reason: String) {
        guard let open = episode else { return }
        transitions.append(ExpectedTransition(reason: reason, side: open.side, time: time, notification: "none"))
        episode = nil
        log.close(at: time)
    }

    // MARK: The probe

    mutating func takeError(at time: Int, isStale: Bool) -> Effect { probe.takeError(at: time, isStale: isStale) }
    mutating func takeValue(at time: Int) -> Effect { probe.takeValue(at: time) }

    // MARK: Between bursts

    mutating func settle() {
        probe.settle()
        log.settle()
    }

    var hasOvertaken: Bool { log.hasOvertaken || probe.log.hasOvertaken }

    var isCalmDue: Bool { log.isCalmDue || probe.log.isCalmDue }
    var isOwedCalm: Bool { log.told != nil || probe.log.told != nil }

    // MARK: The person

    /// The alerts of the open episodes.
    var toldOfWhatIsOpen: [ExpectedAlert] {
        let water = log.alerts.filter { $0.side == episode?.side && $0.since == episode?.openedAt }
        let faults = probe.isOpen ? probe.log.alerts.filter { $0.since == probe.openedAt } : []
        return (water + faults).filter { $0.purpose != "recovery" && $0.state == .delivered }
    }

    mutating func tellEnd(of alert: ExpectedAlert) {
        var alert = alert
        alert.purpose = "ended"
        if alert.side == nil { probe.tellEnd(alert) } else { log.add(alert) }
    }

    /// Ends everything, because the device was given up.
    mutating func unlink() {
        // The time is the database's, and not compared.
        close(at: episode?.openedAt ?? 0, "unlinked")
        log.end()
        probe.unlink()
        snoozed = []
    }

    var hasEndpoint: Bool {
        get { log.hasEndpoint }
        set { (log.hasEndpoint, probe.log.hasEndpoint) = (newValue, newValue) }
    }

    var isFrozen: Bool {
        get { log.isFrozen }
        set { (log.isFrozen, probe.log.isFrozen) = (newValue, newValue) }
    }

    mutating func snooze() {
        guard let side = log.newestTold?.side else { return }
        snoozed.insert(side)
        if episode?.side == side { episode?.isAcknowledged = false }  // replaces an acknowledgement
    }

    var canAcknowledge: Bool { episode != nil && log.newestTold.map { $0.side == episode?.side } ?? false }

    mutating func acknowledge() {
        guard canAcknowledge, let side = episode?.side else { return }
        snoozed.remove(side)
        episode?.isAcknowledged = true
    }

    mutating func wake() {
        guard let side = log.newestTold?.side else { return }
        snoozed.remove(side)
        if episode?.side == side { episode?.isAcknowledged = false }
    }
}
