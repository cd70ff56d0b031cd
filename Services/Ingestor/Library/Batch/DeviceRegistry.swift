import Instants
import ServiceKit
import Store
import Synchronization
import WaterQuality

/// The devices that send to an Ingestor, with its memory of each.
///
/// Bounded by the devices that exist: unknown names are not kept.
struct DeviceRegistry: Sendable {
    private var devices: [String: Entry] = [:]
    private var names: [DeviceKey: String] = [:]
    /// The operator's canary, of which nobody else is told.
    private(set) var canary: DeviceKey?
    private var doubts: [ClockDoubt: Int] = [:]
    private var lastForgetting: Timestamp?
    private var choicesSoughtAt: ContinuousClock.Instant?
    private var placeInDeletions = 0

    /// The names of a batch that have to be looked up.
    func namesToFind(among names: some Sequence<String>) -> [String] {
        Array(Set(names.lazy.filter { devices[$0]?.isLookUpDue ?? true }))
    }

    /// The devices of a batch whose last samples have to be looked up before it is read.
    func devicesToRecall(among topics: some Sequence<Topic>, now: Timestamp) -> [DeviceKey] {
        var found = Set<DeviceKey>()
        for topic in topics {
            guard let entry = devices[topic.device.text] else { continue }
            if entry.isRecallDue(now: now, isSingle: topic.isSingle) { found.insert(entry.key) }
        }
        return Array(found)
    }

    /// Takes over the last samples that the database has of devices.
    mutating func recall(_ asked: [DeviceKey], _ rows: [FindLastSamples.Row], now: Timestamp) {
        for row in rows {
            guard let name = names[row.key.owner] else { continue }
            devices[name]?.separate.recall(
                row.readings, derivedApart: row.flags.derivedApart, at: row.key.eventTime)
        }
        for device in asked { if let name = names[device] { devices[name]?.noteRecall(at: now) } }
    }

    /// Forgets the values of devices of which readings were deleted.
    mutating func forgetDeleted(_ log: DeletionLog) {
        guard let deleted = log.read(from: &placeInDeletions) else {
            for index in devices.values.indices { devices.values[index].forgetInputs() }
            return
        }
        guard !deleted.isEmpty else { return }
        for (key, name) in names where deleted.contains(key.device) { devices[name]?.forgetInputs() }
    }

    /// Whether to look for people's choices of probes. Not at first: devices are found with the current choice.
    /// - Returns: Time since the last look; `nil` when none is due.
    mutating func seekChoices(now: ContinuousClock.Instant) -> Duration? {
        guard let soughtAt = choicesSoughtAt else {
            choicesSoughtAt = now
            return nil
        }
        guard now - soughtAt >= Self.choiceHolds else { return nil }
        choicesSoughtAt = now
        return now - soughtAt
    }

    /// Short enough for people to see their choice take effect.
    fileprivate static let choiceHolds = Duration.seconds(20)

    /// Takes over a probe that a person chose, where the device is known.
    mutating func choose(_ probe: ProbeID?, of device: DeviceKey) {
        guard let name = names[device] else { return }
        devices[name]?.know(probe)
    }

    mutating func record(found: [FindDevices.Row], now: Timestamp) {
        for row in found {
            devices[row.hardwareID, default: Entry(key: DeviceKey(slot: row.slot, device: row.device), now: now)]
                .know(row, now: now)
            if let entry = devices[row.hardwareID] { names[entry.key] = row.hardwareID }
            if row.isCanary { canary = DeviceKey(slot: row.slot, device: row.device) }
        }
    }

    /// Changes a device in place; nil when it is not known.
    mutating func withDevice<Result>(_ name: String, _ body: (inout Entry) -> Result) -> Result? {
        guard let index = devices.index(forKey: name) else { return nil }
        let before = devices.values[index].doubt
        let result = body(&devices.values[index])
        let after = devices.values[index].doubt
        if before != after {
            if let before { doubts[before, default: 0] -= 1 }
            if let after { doubts[after, default: 0] += 1 }
        }
        return result
    }

    /// Forgets the doubts of devices that sent nothing for an hour: a device switched off in doubt would otherwise stay
    /// in it. Runs at most once a minute.
    mutating func forgetDoubts(now: Timestamp) {
        if let lastForgetting, (lastForgetting..<lastForgetting + .seconds(60)).contains(now) { return }
        lastForgetting = now
        for index in devices.values.indices {
            guard let doubt = devices.values[index].doubt, devices.values[index].bucket.at < now - .seconds(3_600)
            else { continue }
            devices.values[index].doubt = nil
            doubts[doubt, default: 0] -= 1
        }
    }

    /// The name of a device; nil when it is not known.
    func name(of device: DeviceKey) -> String? { names[device] }

    /// The name by which Home Assistant is told of a device; nil when it is not known, and for the canary.
    func nameAtHome(of device: DeviceKey) -> String? { device == canary ? nil : name(of: device) }

    var count: Int { devices.count }

    /// The number of devices without the canary.
    var countOfOthers: Int { devices.count - (canary == nil ? 0 : 1) }

    /// Devices with this clock doubt in the last hour.
    func count(_ doubt: ClockDoubt) -> Int { doubts[doubt] ?? 0 }
}

/// A registry that the tasks of one lane share.
final class SharedDeviceRegistry: Sendable {
    let registry = Mutex(DeviceRegistry())
}

extension DeviceRegistry {
    /// An Ingestor's memory of one device.
    struct Entry: Sendable {
        let key: DeviceKey
        /// The newest event time that was stored. A message with an older one may be a repetition.
        private(set) var newest: Timestamp?
        /// The last message without a time; an identical one soon after is a repetition.
        var lastUntimed: (payload: Int, at: Timestamp)?
        var bucket: Bucket
        /// The clock doubt of the device's last message.
        var doubt: ClockDoubt?
        /// The probe that measures the device's temperature, where its firmware names probes.
        private(set) var probe: ProbeID?
        /// Whether `probe` was only heard in messages, so that the database may know another.
        fileprivate private(set) var isProbeAssumed = false
        /// Probes noted so far, for a device that has others than `probe`.
        private var notedProbes: [ProbeID] = []
        /// The device's latest inputs of derived parameters, where it sends them separately.
        fileprivate(set) var separate = SeparateInputs()
        /// When the device's last samples were looked up.
        private var recalledAt: Timestamp?
        /// Whether the device sends inputs by themselves and the last message lacked some, or may have.
        private var lacksInputs = false
        private var probesNotedIn: Int64?
        /// The device's words about itself since its life was noted, and when that was.
        private var life: LifeReport?
        private var lifeNotedIn: Int64?
        /// Of a device that sends positions: whether its owner says that it moves, when that was looked up, and whether it is to be again.
        private var moves = false
        private var movesLookedUpAt: Timestamp
        private var isMovesDoubted = false
        private var thinning = TrackThinning()

        init(key: DeviceKey, now: Timestamp) {
            self.key = key
            bucket = Bucket(now: now)
            movesLookedUpAt = now
        }

        var hasSeveralProbes: Bool { !notedProbes.isEmpty }

        fileprivate var isLookUpDue: Bool { isProbeAssumed || isMovesDoubted }

        /// Takes over what the database knows of the device.
        fileprivate mutating func know(_ row: FindDevices.Row, now: Timestamp) {
            know(row.probe)
            moves = row.moves
            // Once it moves, its first position is kept.
            if !moves { thinning = TrackThinning() }
            (movesLookedUpAt, isMovesDoubted) = (now, false)
        }

        /// Takes a position. Whether the device moves is looked up again with a later message while it sends positions.
        /// - Returns: Whether to keep the position.
        mutating func takePosition(_ position: Position, at time: Timestamp, now: Timestamp) -> Bool {
            if now < movesLookedUpAt || now - movesLookedUpAt >= DeviceRegistry.choiceHolds { isMovesDoubted = true }
            return moves && thinning.take(position, at: time) != nil
        }

        /// Takes over the probe that the database knows.
        mutating func know(_ probe: ProbeID?) {
            if let former = self.probe, former != probe { separate.forget(.temperature) }
            self.probe = probe
            isProbeAssumed = false
        }

        /// Takes a probe heard in a message, until the database knows another.
        mutating func assume(_ probe: ProbeID) {
            self.probe = probe
            isProbeAssumed = true
        }

        /// Whether to note what the probes report: at once when one is new, otherwise once in two minutes, at a second
        /// that differs between devices. `ReportedProbe.most` bounds the new ones of a device that makes up Ids.
        mutating func notesProbes(_ reports: some Sequence<ProbeReport>, now: Timestamp) -> Bool {
            let turn = self.turn(at: now)
            var isDue = turn != probesNotedIn
            for report in reports
            where notedProbes.count < ReportedProbe.most && !notedProbes.contains(report.probe) {
                notedProbes.append(report.probe)
                isDue = true
            }
            if isDue { probesNotedIn = turn }
            return isDue
        }

        /// The number of the device's two minutes, which begin at a second of its own.
        private func turn(at now: Timestamp) -> Int64 {
            (now.microseconds / 1_000_000 + Int64(key.device.rawValue)) / Self.notedFor
        }

        /// In seconds.
        private static let notedFor: Int64 = 120

        /// Whether the device's life is to be noted with what it says next: once in two minutes.
        func isLifeDue(now: Timestamp) -> Bool { turn(at: now) != lifeNotedIn }

        /// Takes what the device says of itself.
        /// - Returns: All that it said since its life was noted, where it is to be noted now.
        mutating func takeLife(_ said: LifeReport, now: Timestamp, hasRoom: Bool) -> LifeReport? {
            guard !said.isEmpty else { return nil }
            if life == nil { life = said } else { life?.take(said) }
            guard hasRoom, isLifeDue(now: now) else { return nil }
            lifeNotedIn = turn(at: now)
            defer { life = nil }
            return life
        }

        /// Takes a message's part in derived parameters.
        /// - Parameter sample: The sample, with all that is known of its moment.
        /// - Returns: Inputs that the sample lacks and other messages brought. None until the device's last samples
        ///   were looked up: the device may send the derived parameter itself.
        mutating func complement(_ sample: Sample) -> SeparateInputs.Complement {
            let complement =
                recalledAt == nil
                ? SeparateInputs.Complement() : separate.complement(sample.readings, at: sample.eventTime)
            lacksInputs = separate.starves(sample.readings, at: sample.eventTime)
            separate.take(sample.readings, broken: sample.brokenProbes, at: sample.eventTime)
            return complement
        }

        fileprivate mutating func noteRecall(at now: Timestamp) { recalledAt = now }

        /// Forgets the latest inputs, some of which were deleted: where any counted, the last samples are looked up again.
        fileprivate mutating func forgetInputs() {
            separate.forgetValues()
            if recalledAt != nil { (recalledAt, lacksInputs) = (nil, true) }
        }

        /// - Parameter isSingle: Whether the device's firmware sends each value by itself.
        fileprivate func isRecallDue(now: Timestamp, isSingle: Bool) -> Bool {
            guard let recalledAt else { return isSingle || lacksInputs }
            // The missing inputs may have gone to another Ingestor.
            return lacksInputs && (now < recalledAt || now - recalledAt >= Self.recallHolds)
        }

        private static let recallHolds = Duration.seconds(60)

        /// Notes an event time that is stored now.
        /// - Returns: Whether something may be stored there already.
        mutating func store(at time: Timestamp, now: Timestamp) -> Bool {
            guard let newest, newest >= time else {
                newest = time
                return false
            }
            // `newest` lies further ahead than any device is believed, so our own clock was ahead: conclude nothing from it.
            if newest > now + EventTime.furthestAhead { self.newest = time }
            return true
        }
    }

}

/// Doubt about a device's clock from the time in its message, where no engine can judge it. The raw values label a metric.
enum ClockDoubt: String, MetricLabel {
    static let labelName = "state"

    /// In the future, or before any clock was set: the time of receipt is used instead.
    case notBelieved
    /// Older than engines decide on: the device was away for long, or its clock is off by as much.
    case longAgo

    /// - Parameter stated: The time that was judged. A stated age says nothing about a clock.
    init?(_ judgement: TimeJudgement, of stated: StatedTime) {
        switch judgement {
        case .current(let event) where event.isDoubted: self = .notBelieved
        case .history where !stated.isAgo, .tooOld where !stated.isAgo: self = .longAgo
        case .current, .history, .tooOld: return nil
        }
    }
}

/// Limits how much one device may send at once: a leaky bucket that holds a backlog of seven days.
struct Bucket: Sendable {
    /// 7 days at one message in 30 s, and a quarter more.
    static let capacity = 25_200.0
    /// Messages drained per second: 60 times the usual pace.
    static let drain = 2.0

    private var level = 0.0
    /// The time of the last message.
    private(set) var at: Timestamp

    init(now: Timestamp) {
        at = now
    }

    /// - Returns: Whether one more message fits; if not, it is to be shed.
    mutating func take(now: Timestamp) -> Bool {
        if now > at {
            level = max(0, level - (now - at) / .seconds(1) * Self.drain)
            at = now
        } else if at - now > EventTime.furthestAhead {
            // The clock was set back: drain from now on, rather than once it passes the former time again.
            at = now
        }
        guard level + 1 <= Self.capacity else { return false }
        level += 1
        return true
    }
}
