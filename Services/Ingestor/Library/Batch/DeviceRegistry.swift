import Instants
import ServiceKit
import Store
import Synchronization
import WaterQuality

/// The devices that send to an Ingestor, with what it remembers of each.
///
/// Bounded by the devices that exist: nothing is kept of unknown names.
struct DeviceRegistry: Sendable {
    private var devices: [String: Entry] = [:]
    private var names: [DeviceKey: String] = [:]
    private var doubts: [ClockDoubt: Int] = [:]
    private var lastForgetting: Timestamp?
    private var choicesSoughtAt: ContinuousClock.Instant?

    /// The names of a batch that have to be looked up.
    func namesToFind(among names: some Sequence<String>) -> [String] {
        Array(Set(names.lazy.filter { devices[$0]?.isProbeAssumed ?? true }))
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

    /// Takes over what is stored of devices.
    mutating func recall(_ asked: [DeviceKey], _ rows: [FindLastSamples.Row], now: Timestamp) {
        for row in rows {
            guard let name = names[row.key.owner] else { continue }
            devices[name]?.separate.recall(
                row.readings, derivedApart: row.flags.derivedApart, at: row.key.eventTime)
        }
        for device in asked { if let name = names[device] { devices[name]?.noteRecall(at: now) } }
    }

    /// Whether people's choices of probes have to be looked for. Not at first: what a device is found with is the choice.
    /// - Returns: How long ago that was done; `nil` where it need not be.
    mutating func seekChoices(now: ContinuousClock.Instant) -> Duration? {
        guard let soughtAt = choicesSoughtAt else {
            choicesSoughtAt = now
            return nil
        }
        guard now - soughtAt >= Self.choiceHolds else { return nil }
        choicesSoughtAt = now
        return now - soughtAt
    }

    /// So often that a person sees that their choice holds.
    private static let choiceHolds = Duration.seconds(20)

    /// Takes over a probe that a person chose, where the device is known.
    mutating func choose(_ probe: ProbeID?, of device: DeviceKey) {
        guard let name = names[device] else { return }
        devices[name]?.know(probe)
    }

    mutating func record(found: [FindDevices.Row], now: Timestamp) {
        for row in found {
            devices[row.hardwareID, default: Entry(key: DeviceKey(slot: row.slot, device: row.device), now: now)]
                .know(row.probe)
            if let entry = devices[row.hardwareID] { names[entry.key] = row.hardwareID }
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

    /// Forgets the doubts of devices that sent nothing for an hour: a device that was switched off in doubt would stay in it. Looks
    /// once a minute.
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

    var count: Int { devices.count }

    /// The devices of whose clock the last message says this, within the hour.
    func count(_ doubt: ClockDoubt) -> Int { doubts[doubt] ?? 0 }
}

/// A registry that the tasks of one lane share.
final class SharedDeviceRegistry: Sendable {
    let registry = Mutex(DeviceRegistry())
}

extension DeviceRegistry {
    /// One device, as its messages have it.
    struct Entry: Sendable {
        let key: DeviceKey
        /// The newest event time that was stored: an older one may be a repetition.
        private(set) var newest: Timestamp?
        /// The last message without a time: an identical one soon after is the same.
        var lastUntimed: (payload: Int, at: Timestamp)?
        var bucket: Bucket
        /// What its last message says of its clock.
        var doubt: ClockDoubt?
        /// The probe that measures its temperature, where its firmware names its probes.
        private(set) var probe: ProbeID?
        /// Whether the database may know another probe.
        fileprivate private(set) var isProbeAssumed = false
        /// The probes that were noted, of a device with others than that one.
        private var notedProbes: [ProbeID] = []
        /// What it said last of the inputs of derived parameters.
        fileprivate(set) var separate = SeparateInputs()
        /// When its last samples were looked up.
        private var recalledAt: Timestamp?
        /// Whether it sends inputs by themselves and the last message lacked some.
        private var lacksInputs = false
        private var probesNotedIn: Int64?

        init(key: DeviceKey, now: Timestamp) {
            self.key = key
            bucket = Bucket(now: now)
        }

        var hasSeveralProbes: Bool { !notedProbes.isEmpty }

        /// Takes over what the database knows.
        mutating func know(_ probe: ProbeID?) {
            if let former = self.probe, former != probe { separate.forget(.temperature) }
            self.probe = probe
            isProbeAssumed = false
        }

        /// Takes a probe that was heard of, as long as the database does not know another.
        mutating func assume(_ probe: ProbeID) {
            self.probe = probe
            isProbeAssumed = true
        }

        /// Whether what its probes report is noted: at once where one is new, and else once in each two minutes, which begin for each
        /// device at another second. Of a device that makes up Ids no more are new than a device has probes.
        mutating func notesProbes(_ reports: some Sequence<ProbeReport>, now: Timestamp) -> Bool {
            let turn = (now.microseconds / 1_000_000 + Int64(key.device.rawValue)) / Self.probesNotedFor
            var isDue = turn != probesNotedIn
            for report in reports
            where notedProbes.count < ReportedProbe.most && !notedProbes.contains(report.probe) {
                notedProbes.append(report.probe)
                isDue = true
            }
            if isDue { probesNotedIn = turn }
            return isDue
        }

        /// In seconds.
        private static let probesNotedFor: Int64 = 120

        /// Takes a message's part in derived parameters.
        /// - Parameter sample: With all that is known of its moment.
        /// - Returns: What it lacks of inputs that came in other messages. Nothing until the device's last samples were looked up: it
        ///   may send the parameter itself.
        mutating func complement(_ sample: Sample) -> SeparateInputs.Complement {
            let complement =
                recalledAt == nil
                ? SeparateInputs.Complement() : separate.complement(sample.readings, at: sample.eventTime)
            lacksInputs = separate.starves(sample.readings, at: sample.eventTime)
            separate.take(sample.readings, broken: sample.brokenProbes, at: sample.eventTime)
            return complement
        }

        fileprivate mutating func noteRecall(at now: Timestamp) { recalledAt = now }

        /// - Parameter isSingle: Whether its firmware sends each value by itself.
        fileprivate func isRecallDue(now: Timestamp, isSingle: Bool) -> Bool {
            guard let recalledAt else { return isSingle || lacksInputs }
            // Another Ingestor may have heard the rest.
            return lacksInputs && (now < recalledAt || now - recalledAt >= Self.recallHolds)
        }

        private static let recallHolds = Duration.seconds(60)

        /// Takes a time that is stored now.
        /// - Returns: Whether something may be stored there already.
        mutating func store(at time: Timestamp, now: Timestamp) -> Bool {
            guard let newest, newest >= time else {
                newest = time
                return false
            }
            // No device is believed further ahead than this, so that our own clock was: nothing follows from it.
            if newest > now + EventTime.furthestAhead { self.newest = time }
            return true
        }
    }

}

/// What the time in a message says of the device's clock, where no engine can judge it. The raw values label a metric.
enum ClockDoubt: String, MetricLabel {
    static let labelName = "state"

    /// In the future, or of before any clock was set: the time of receipt stands in.
    case notBelieved
    /// Older than what is decided: the device was away for long, or its clock is off by as much.
    case longAgo

    /// - Parameter stated: The time that was judged. An age says nothing of a clock.
    init?(_ judgement: TimeJudgement, of stated: StatedTime) {
        switch judgement {
        case .current(let event) where event.isDoubted: self = .notBelieved
        case .history where !stated.isAgo, .tooOld where !stated.isAgo: self = .longAgo
        case .current, .history, .tooOld: return nil
        }
    }
}

/// How much one device may send at once: a leaky bucket that fits a back-log of seven days in one piece.
struct Bucket: Sendable {
    /// 7 days at one message in 30 s, and a quarter more.
    static let capacity = 25_200.0
    /// Messages a second that drain: 60 times the usual pace.
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
            // The clock was set back: it drains from here on, not when it comes by again.
            at = now
        }
        guard level + 1 <= Self.capacity else { return false }
        level += 1
        return true
    }
}
