import Instants
import MQTT
import Store
import WaterQuality

/// The messages of one read, decoded into rows to store and receipts to send. Pure but for the registry's memory;
/// nothing takes effect before the commit.
struct IngestBatch: Sendable {
    /// An identical message without a time within this span is a repetition.
    static let repetitionWithin = Duration.seconds(10)

    private(set) var samples: [Sample] = []
    /// For each sample, the index of the message that first brought it.
    private var sources: [Int32] = []
    private var messages: [MQTTMessage] = []
    private var statusSources: [DeviceKey: MQTTMessage] = [:]
    /// Whether a sample may be stored already, so that the fast way of storing would fail.
    private(set) var mayRepeat = false
    private(set) var statuses: [DeviceKey: RecordStatuses.Status] = [:]
    /// Rejects, kept separately for each device.
    private var log = RejectLog()
    var rejects: [RecordRejects.Reject] { log.rejects }
    var rejectCounts: [RejectReason: Int] { log.counts }
    /// Topics whose name stands for no parameter: messages that the broker retains there are to be removed.
    private(set) var nameless: Set<String> = []
    private(set) var receipts: [PendingReceipt] = []
    /// Temperature probes heard of for the first time.
    private(set) var probes: [DeviceKey: ProbeID] = [:]
    /// Reports of probes, from devices with several; usually empty.
    private var reportedProbes: [DeviceKey: [ProbeID: ReportedProbe]] = [:]
    var probeReports: [ReportedProbe] { reportedProbes.values.flatMap(\.values) }
    /// Positions to keep, by their samples; usually empty.
    private(set) var track: [Sample.Key: Position] = [:]
    /// The lives of devices that are to be noted; usually empty.
    private(set) var lives: [DeviceKey: LifeReport] = [:]
    private(set) var repetitions = 0
    private(set) var implausibleTimes = 0
    private(set) var ignoredResponseTopics = 0

    /// Inputs from other messages, by the position of the sample that lacks them.
    private var complements: [Int: SeparateInputs.Complement] = [:]
    /// Bit masks of the derived parameters that devices sent themselves.
    private var sentDerived: [DeviceKey: UInt32] = [:]

    /// Position of each key in `samples`.
    private var positions: [Sample.Key: Int] = [:]
    let receivedAt: Timestamp
    /// How far back readings count as history; nil while our clock is not trusted.
    let history: Duration?

    init(receivedAt: Timestamp, history: Duration? = nil) {
        self.receivedAt = receivedAt
        self.history = history
    }

    /// Computes the derived parameters of each sample, once all parts of a moment are in. They are stored like measured ones.
    mutating func close() {
        for index in samples.indices { samples[index].readings.derive() }
        for (index, complement) in complements {
            samples[index].derive(with: complement, sent: sentDerived[samples[index].key.owner] ?? 0)
        }
    }

    /// The message that brought a sample. A linear search: only refusals need it.
    func source(of key: Sample.Key) -> MQTTMessage? {
        samples.firstIndex { $0.key == key }.map { messages[Int(sources[$0])] }
    }

    func source(ofStatus device: DeviceKey) -> MQTTMessage? { statusSources[device] }

    /// Takes one message.
    /// - Returns: The outcome for its sender after the commit; nil for messages that are shed or need no answer.
    @discardableResult
    mutating func add(_ message: MQTTMessage, _ registry: inout DeviceRegistry) -> PendingReceipt.Outcome? {
        messages.append(message)
        log.begin()
        guard let topic = Topic(message.topic) else {
            reject(message, .topic, "not aqua/v1/{device}/readings, .../status or a topic of other firmware")
            return nil
        }
        if topic.isNameless {
            // The broker delivers our own removal to us as well.
            guard !message.payload.isEmpty else { return nil }
            if Topic.isPublishable(message.topic) { nameless.insert(message.topic) }
        }
        let outcome =
            registry.withDevice(topic.device.text) { add(message, topic, &$0) } ?? rejectAsUnknown(message, topic)
        if let outcome { answer(message, topic, outcome) }
        return outcome
    }

    private mutating func add(
        _ message: MQTTMessage, _ topic: Topic, _ device: inout DeviceRegistry.Entry
    ) -> PendingReceipt.Outcome? {
        log.sender = device.key
        guard device.bucket.take(now: receivedAt) else { return rejectAsFlood(message) }
        switch topic.subject {
        case .readings: return addReadings(message, &device)
        case .status, .tasmotaWill, .zigbee2MQTTAvailability, .shellyOnline:
            addStatus(message, topic, device)
            noteLife(message, topic, &device)
            return nil
        case .life:
            noteLife(message, topic, &device)
            return nil
        case .number(nil, _):
            noteLife(message, topic, &device)
            return rejectAsNameless(message)
        case .tasmotaSensor, .number, .zigbee2MQTT, .senML, .observation, .shellyEvents, .shellyStatus,
            .shellyTemperatures:
            return addFirmware(message, topic, &device)
        }
    }

    private mutating func rejectAsUnknown(_ message: MQTTMessage, _ topic: Topic) -> PendingReceipt.Outcome {
        reject(message, .unknownDevice, "no device \(topic.device): add it with `aqua device add`")
        return .rejected(.unknownDevice)
    }

    private mutating func rejectAsNameless(_ message: MQTTMessage) -> PendingReceipt.Outcome? {
        let name = Topic.name(in: message.topic)
        guard !FirmwareMessage.isOfItself(name) else { return nil }
        var payload = ReadingsPayload()
        payload.noteUnknown(name)
        reject(message, payload.faults)
        return .rejected(.unknownParameter)
    }

    private mutating func addStatus(_ message: MQTTMessage, _ topic: Topic, _ device: DeviceRegistry.Entry) {
        guard let availability = Availability(message.payload, on: topic.subject) else {
            return reject(message, .status, "a status is online or offline")
        }
        statusSources[device.key] = message
        statuses[device.key] = RecordStatuses.Status(
            slot: device.key.slot, device: device.key.device, online: availability.isOnline, at: receivedAt)
    }

    /// Notes what a message says of the device itself. Of what comes with readings nothing is read until a note is due, and what waited
    /// somewhere says nothing of now.
    private mutating func noteLife(
        _ message: MQTTMessage, _ topic: Topic, _ device: inout DeviceRegistry.Entry
    ) {
        guard !message.isOld, message.payload.count <= ReadingsPayload.largest else { return }
        do throws(JSONScanner.Fault) {
            let said = try LifeReport(message.payload, on: topic.subject, name: Topic.name(in: message.topic))
            guard let due = device.takeLife(said, now: receivedAt, hasRoom: lives.count < Self.mostLives) else {
                return
            }
            lives[device.key] = due
        } catch {
            if case .life = topic.subject { reject(message, .malformed, "cannot be read") }
        }
    }

    /// The most devices of a batch whose lives are noted; those of others wait for a later one.
    static let mostLives = 512

    private mutating func addReadings(
        _ message: MQTTMessage, _ device: inout DeviceRegistry.Entry
    ) -> PendingReceipt.Outcome? {
        let payload: ReadingsPayload
        do throws(RejectReason) {
            if let moments = try ReadingsPayload.moments(message.payload) {
                return add(moments, of: message, &device) { $0.payload.hashValue }
            }
            payload = try ReadingsPayload(message.payload)
        } catch {
            reject(message, error, error == .tooLarge ? "over \(ReadingsPayload.largest) bytes" : "no JSON object")
            return .rejected(error)
        }
        reject(message, payload.faults)
        guard !payload.readings.isEmpty else {
            if payload.faults.isEmpty { reject(message, .malformed, "no reading in the message") }
            addBrokenProbes(message, payload, &device)
            return .rejected(payload.faults.first?.reason ?? .malformed)
        }
        return add(payload, of: message, &device) { $0.payload.hashValue }
    }

    /// - Parameter fingerprint: Recognises repetitions of a message without a time; nil where that was done before.
    /// - Returns: The outcome for the device.
    private mutating func add(
        _ payload: ReadingsPayload, of message: MQTTMessage, _ device: inout DeviceRegistry.Entry,
        fingerprint: ((MQTTMessage) -> Int)?
    ) -> PendingReceipt.Outcome {
        let judgement = TimeJudgement(payload.time, receipt: receivedAt, history: history)
        device.doubt = ClockDoubt(judgement, of: payload.time)
        switch judgement {
        case .current(let event):
            if event.source == .device { return addTimed(message, payload, at: event, isEvaluated: true, &device) }
            if event.isDoubted { implausibleTimes += 1 }
            if let fingerprint, isRepetition(message, &device, fingerprint) { return .repeated }
            return addUntimed(message, payload, at: event, isEvaluated: true, &device)
        case .history(let event):
            return event.source == .device
                ? addTimed(message, payload, at: event, isEvaluated: false, &device)
                : addUntimed(message, payload, at: event, isEvaluated: false, &device)
        case .tooOld(let time): return rejectAsTooOld(message, of: time)
        }
    }

    private mutating func rejectAsTooOld(_ message: MQTTMessage, of time: Timestamp) -> PendingReceipt.Outcome {
        reject(message, .tooOld, "of \(time), longer ago than samples are kept")
        return .rejected(.tooOld)
    }

    /// Adds a message without values that reports broken probes. Engines decide on it like any other, but it leaves no
    /// sample. An engine recognises a repetition by its time, which may also be a sample's.
    private mutating func addBrokenProbes(
        _ message: MQTTMessage, _ payload: ReadingsPayload, _ device: inout DeviceRegistry.Entry
    ) {
        guard !payload.brokenProbes.isEmpty,
            case .current(let event) = TimeJudgement(payload.time, receipt: receivedAt, history: history),
            event.source == .device || !message.isOld
        else { return }
        append(Sample(device.key, at: event, receivedAt: receivedAt, isEvaluated: true, payload, onlyBroken: true))
        complete(samples.count - 1, &device)
    }

    private mutating func append(_ sample: Sample) {
        samples.append(sample)
        sources.append(Int32(messages.count - 1))
    }

    /// Adds a sample with the device's own time, which tells a repetition from a new reading.
    private mutating func addTimed(
        _ message: MQTTMessage, _ payload: ReadingsPayload, at event: EventTime, isEvaluated: Bool,
        _ device: inout DeviceRegistry.Entry
    ) -> PendingReceipt.Outcome {
        let sample = Sample(device.key, at: event, receivedAt: receivedAt, isEvaluated: isEvaluated, payload)
        if let position = payload.position { keep(position, of: sample.key, &device) }
        if let position = positions[sample.key] {
            // Firmware that sends each probe by itself gives all of a moment the same time.
            if !samples[position].fill(from: sample) { repetitions += 1 }
            if isEvaluated { complete(position, &device) }
            return .sample(sample.key)
        }
        if message.isRedelivery { mayRepeat = true }
        if device.store(at: event.time, now: receivedAt) { mayRepeat = true }
        positions[sample.key] = samples.count
        append(sample)
        if isEvaluated { complete(samples.count - 1, &device) }
        return .sample(sample.key)
    }

    /// Looks for inputs that a sample lacks in the device's other messages. Samples of a doubted clock are excluded:
    /// they may be of any time.
    private mutating func complete(_ position: Int, _ device: inout DeviceRegistry.Entry) {
        let sample = samples[position]
        let sent = sample.readings.present & Derivation.parameters
        if sent != 0 { sentDerived[device.key, default: 0] |= sent }
        guard !sample.flags.contains(.notEvaluated), !sample.flags.contains(.implausibleTime) else { return }
        let complement = device.complement(sample)
        if !complement.isEmpty { complements[position, default: SeparateInputs.Complement()].add(complement) }
    }

    /// Whether a message without a time repeats what the device said a moment ago.
    private mutating func isRepetition(
        _ message: MQTTMessage, _ device: inout DeviceRegistry.Entry, _ fingerprint: (MQTTMessage) -> Int
    ) -> Bool {
        guard !message.isOld else { return false }
        let payload = fingerprint(message)
        // Not when the last message seems to be in the future: after the clock was set back, repetitions would last an hour.
        if let last = device.lastUntimed, last.payload == payload, receivedAt >= last.at,
            receivedAt - last.at < Self.repetitionWithin
        {
            repetitions += 1
            return true
        }
        device.lastUntimed = (payload, receivedAt)
        return false
    }

    /// Adds a sample at the time of receipt, or the stated age before it, made unique for the device.
    private mutating func addUntimed(
        _ message: MQTTMessage, _ payload: ReadingsPayload, at best: EventTime, isEvaluated: Bool,
        _ device: inout DeviceRegistry.Entry
    ) -> PendingReceipt.Outcome {
        var event = best
        if let newest = device.newest { event.follow(newest) }
        while positions[Sample.Key(slot: device.key.slot, device: device.key.device, eventTime: event.time)] != nil {
            event.yield()
        }
        let mayBeTaken = device.store(at: event.time, now: receivedAt)
        if mayBeTaken, best.time != receivedAt { mayRepeat = true }
        // Messages that the broker kept have an unknown age: stored as history, not evaluated.
        let sample = Sample(
            device.key, at: event, receivedAt: receivedAt, isEvaluated: isEvaluated && !message.isOld, payload)
        positions[sample.key] = samples.count
        append(sample)
        if let position = payload.position { keep(position, of: sample.key, &device) }
        complete(samples.count - 1, &device)
        return .sample(sample.key, isTimeDoubted: event.isDoubted)
    }

    /// Keeps where a device was at the time of a sample, if it moves and that says something new.
    private mutating func keep(
        _ position: Position, of sample: Sample.Key, _ device: inout DeviceRegistry.Entry
    ) {
        guard device.takePosition(position, at: sample.eventTime, now: receivedAt) else { return }
        track[sample] = position
    }

    // MARK: Other firmware

    private mutating func addFirmware(
        _ message: MQTTMessage, _ topic: Topic, _ device: inout DeviceRegistry.Entry
    ) -> PendingReceipt.Outcome? {
        let said: FirmwareMessage
        do throws(RejectReason) {
            said = try FirmwareMessage(
                message.payload, on: topic.subject, probe: device.probe, hasOthers: device.hasSeveralProbes)
        } catch {
            reject(message, error, error == .tooLarge ? "over \(ReadingsPayload.largest) bytes" : "cannot be read")
            return .rejected(error)
        }
        note(said, &device)
        switch topic.subject {
        case .zigbee2MQTT, .shellyEvents:
            if device.isLifeDue(now: receivedAt) { noteLife(message, topic, &device) }
        default: break
        }
        // Messages that waited somewhere have an unknown age.
        if !said.reports.isEmpty, !message.isOld { note(said.reports, &device) }
        return add(said.moments, of: message, &device) { said.fingerprint(of: $0.payload, on: topic.subject) }
    }

    /// Adds the readings of each moment in a message.
    private mutating func add(
        _ all: [ReadingsPayload], of message: MQTTMessage, _ device: inout DeviceRegistry.Entry,
        _ fingerprint: (MQTTMessage) -> Int
    ) -> PendingReceipt.Outcome? {
        guard !all.isEmpty else { return nil }
        let faults = all.flatMap(\.faults).prefix(ReadingsPayload.mostFaults)
        reject(message, faults)
        let moments = all.filter { !$0.readings.isEmpty }
        guard !moments.isEmpty else {
            if faults.isEmpty { reject(message, .malformed, "no reading in the message") }
            if let last = all.last(where: { !$0.time.isAgo }) { addBrokenProbes(message, last, &device) }
            return .rejected(faults.first?.reason ?? .malformed)
        }
        if isRepetition(message, &device, fingerprint) { return .repeated }
        var outcomes: [PendingReceipt.Outcome] = []
        for moment in moments {
            guard outcomes.isEmpty || device.bucket.take(now: receivedAt) else { return rejectAsFlood(message) }
            outcomes.append(add(moment, of: message, &device, fingerprint: nil))
        }
        return outcomes.count == 1 ? outcomes[0] : .several(outcomes)
    }

    private mutating func note(_ said: FirmwareMessage, _ device: inout DeviceRegistry.Entry) {
        guard let probe = said.probe, device.probe == nil else { return }
        device.assume(probe)
        probes[device.key] = probe
    }

    private mutating func note(_ reports: [ProbeReport], _ device: inout DeviceRegistry.Entry) {
        let reports = reports.prefix(ReportedProbe.most)
        guard device.notesProbes(reports, now: receivedAt) else { return }
        for report in reports {
            reportedProbes[device.key, default: [:]][report.probe] = ReportedProbe(
                device: device.key, probe: report.probe, temperature: report.temperature, at: receivedAt)
        }
    }

    private mutating func rejectAsFlood(_ message: MQTTMessage) -> PendingReceipt.Outcome? {
        // No answer: a device that waits for one sends its reading again, later.
        reject(message, .flood, "more than \(Int(Bucket.capacity)) messages at once; slow the device down")
        return nil
    }

    private mutating func reject(_ message: MQTTMessage, _ reason: RejectReason, _ detail: String) {
        reject(message, CollectionOfOne(ReadingsPayload.Fault(reason: reason, subject: "", detail: detail)))
    }

    private mutating func reject(_ message: MQTTMessage, _ faults: some Collection<ReadingsPayload.Fault>) {
        for fault in faults { log.add(message, fault, at: receivedAt, isOld: message.isOld) }
    }

    private mutating func answer(_ message: MQTTMessage, _ topic: Topic, _ outcome: PendingReceipt.Outcome) {
        guard let responseTopic = message.responseTopic else { return }
        guard topic.allowsReceipt(to: responseTopic) else {
            ignoredResponseTopics += 1
            return
        }
        receipts.append(
            PendingReceipt(topic: responseTopic, correlationData: message.correlationData, outcome: outcome))
    }
}

extension Sample {
    fileprivate init(
        _ device: DeviceKey, at event: EventTime, receivedAt: Timestamp, isEvaluated: Bool, _ payload: ReadingsPayload,
        onlyBroken: Bool = false
    ) {
        self.init(
            slot: device.slot, device: device.device, at: event, receivedAt: receivedAt, isEvaluated: isEvaluated,
            readings: onlyBroken ? Readings() : payload.readings, brokenProbes: payload.brokenProbes)
    }
}
