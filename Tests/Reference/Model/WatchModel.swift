/// What the rules of `DESIGN.md` (section 4) make of the readings of one watch. Written from the rules alone: nothing of the
/// product is imported here. Times are milliseconds of the course.
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

    /// What a decision did, as far as it bears on what may follow in one burst.
    struct Effect: OptionSet {
        let rawValue: Int
        static let alerts = Effect(rawValue: 1)
        static let opens = Effect(rawValue: 2)
        static let closes = Effect(rawValue: 4)
    }

    let policy: Policy
    /// The quantity's threshold of a suspected spike, in steps.
    private let spike: Int
    var limits: Limits
    private(set) var log: AlarmLog
    private(set) var probe: ProbeModel

    private(set) var episode: Episode?
    private(set) var transitions: [ExpectedTransition] = []
    private(set) var snoozed: Set<Side> = []
    /// How often nobody was told of a reading out of range, by the reason.
    private(set) var withheldBecause: [String: Int] = [:]
    private var heldAt: Int?
    private var brokeThroughAt: Int?
    private var beginnings: [Int] = []
    private var unstableTold = false

    init(_ watch: Watch, _ limits: Limits, _ policy: Policy) {
        self.limits = limits
        self.policy = policy
        spike = watch.quantity.spike
        log = AlarmLog(of: watch.person, policy)
        probe = ProbeModel(of: watch.person, policy)
    }

    // MARK: Readings

    /// Decides on a reading that is newer than all before it.
    /// - Parameter before: The quantity's decided readings, newest last.
    mutating func take(_ reading: Sample, after before: some BidirectionalCollection<Sample>, isStale: Bool) -> Effect {
        guard let side = limits.side(of: reading.value) else { return takeInRange(reading, after: before) }
        if episode?.side == side { return notify(reading, side, after: before, isFirst: false, isStale).effect }
        let isFlip = episode != nil
        episode = Episode(side: side, openedAt: reading.time)
        beginnings.append(reading.time)
        log.open()
        let (notification, effect) = notify(reading, side, after: before, isFirst: true, isStale)
        transitions.append(
            ExpectedTransition(
                reason: isFlip ? "flipped" : "opened", side: side, time: reading.time, notification: notification))
        return isFlip ? [effect, .opens, .closes] : [effect, .opens]
    }

    private mutating func takeInRange(
        _ reading: Sample, after before: some BidirectionalCollection<Sample>
    ) -> Effect {
        guard let open = episode else {
            log.isWell(at: reading.time)
            return []
        }
        guard limits.isBack(reading.value, from: open.side) else { return [] }
        if isSuspected(reading, after: before, isCritical: false) {
            heldAt = reading.time
            return []
        }
        close(at: reading.time, "recovered")
        return .closes
    }

    private mutating func notify(
        _ reading: Sample, _ side: Side, after before: some BidirectionalCollection<Sample>, isFirst: Bool,
        _ isStale: Bool
    ) -> (notification: String, effect: Effect) {
        log.replaceText(side, at: reading.time)
        let isCritical = limits.isCritical(reading.value)
        if let withheld = reasonToWithhold(reading, side, after: before, isFirst: isFirst, isStale) {
            withheldBecause[withheld, default: 0] += 1
            return (withheld, [])
        }
        let isUnstable = !isCritical && limits.tellsUnstable && isUnstable(at: reading.time)
        log.add(
            ExpectedAlert(
                episode?.isAlerted == true ? "reminder" : "alarm", side, cause: reading.time,
                since: episode?.openedAt ?? reading.time, isCritical: isCritical, isUnstable: isUnstable,
                limits: limits))
        episode?.isAlerted = true
        if isCritical {
            episode?.wasCritical = true
            brokeThroughAt = reading.time
        }
        if isUnstable { unstableTold = true }
        return ("alerted", .alerts)
    }

    /// The first reason, in the order of the rules.
    private mutating func reasonToWithhold(
        _ reading: Sample, _ side: Side, after before: some BidirectionalCollection<Sample>, isFirst: Bool,
        _ isStale: Bool
    ) -> String? {
        guard let episode else { return "none" }
        if isStale { return "stale" }
        let isCritical = limits.isCritical(reading.value)
        if isFirst, isSuspected(reading, after: before, isCritical: isCritical) {
            heldAt = reading.time
            return "held"
        }
        let breaksThrough =
            isCritical && !episode.wasCritical
            && brokeThroughAt.map { reading.time - $0 >= policy.breakThrough } ?? true
        if !breaksThrough, reading.time - episode.openedAt < limits.delay * 1000 { return "delayed" }
        if !log.hasEndpoint { return "noRecipient" }
        if breaksThrough { return nil }
        if !log.isFree(side, at: reading.time) { return "throttled" }
        if episode.isAcknowledged { return "acknowledged" }
        if snoozed.contains(side) { return "snoozed" }
        if limits.tellsUnstable, unstableTold, isUnstable(at: reading.time) { return "toldUnstable" }
        return nil
    }

    /// Whether a value has jumped to where it is, out of range or back into it. Once in the window a watch waits for the next one; a
    /// value that is critical twice within five readings is none.
    private func isSuspected(
        _ reading: Sample, after before: some BidirectionalCollection<Sample>, isCritical: Bool
    ) -> Bool {
        guard let last = before.last, reading.time - last.time <= policy.hold else { return false }
        if let heldAt, reading.time - heldAt <= policy.hold { return false }
        if isCritical, before.suffix(4).contains(where: { limits.isCritical($0.value) }) { return false }
        return abs(reading.value - last.value) > (isCritical ? Quantity.criticalSpike : spike)
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
        var log = log
        let isAllClear = log.settle { since in
            // Half an hour of calm, which no course has.
            !limits.tellsUnstable || !isUnstable(at: since)
        }
        self.log = log
        if isAllClear { unstableTold = false }
    }

    var isCalmDue: Bool { log.isCalmDue || probe.log.isCalmDue }
    var isOwedCalm: Bool { log.told != nil || probe.log.told != nil }

    // MARK: The person

    /// The device was given up.
    mutating func unlink() {
        // Of its time, which is the database's, nothing is compared.
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
        if episode?.side == side { episode?.isAcknowledged = false }  // it takes the place of an acknowledgement
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
