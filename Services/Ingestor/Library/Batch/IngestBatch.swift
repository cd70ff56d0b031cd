import Instants
import MQTT
import Store
import WaterQuality

/// The messages of one read, decoded into rows to store and receipts to send. Pure but for what the registry
/// remembers; nothing of it takes effect before the commit.
struct IngestBatch: Sendable {
    /// An identical message without a time within this span is a repetition.
    static let repetitionWithin = Duration.seconds(10)

    private(set) var samples: [Sample] = []
    /// Whether a sample may be stored already, so that the fast way of storing would fail.
    private(set) var mayRepeat = false
    private(set) var statuses: [DeviceKey: RecordStatuses.Status] = [:]
    private(set) var rejects: [RecordRejects.Reject] = []
    /// Every reject, also those beyond what one statement takes.
    private(set) var rejectCounts: [RejectReason: Int] = [:]
    private(set) var receipts: [PendingReceipt] = []
    private(set) var repetitions = 0
    private(set) var implausibleTimes = 0
    private(set) var ignoredResponseTopics = 0

    /// Where each key stands in `samples`.
    private var positions: [Sample.Key: Int] = [:]
    let receivedAt: Timestamp
    /// How far back readings are history; nil while our clock is not trusted.
    let history: Duration?

    init(receivedAt: Timestamp, history: Duration? = nil) {
        self.receivedAt = receivedAt
        self.history = history
    }

    /// Takes one message.
    mutating func add(_ message: MQTTMessage, _ registry: inout DeviceRegistry) {
        guard let topic = Topic(message.topic) else {
            return reject(message, .topic, "not aqua/v1/{device}/readings or .../status")
        }
        let known: Void? = registry.withDevice(topic.device.text) { device in
            guard device.bucket.take(now: receivedAt) else {
                // Without an answer: a device that waits for one sends its reading again, later.
                reject(message, .flood, "more than \(Int(Bucket.capacity)) messages at once; slow the device down")
                return
            }
            switch topic.subject {
            case .readings: addReadings(message, topic, &device)
            case .status: addStatus(message, device)
            }
        }
        if known == nil {
            reject(message, .unknownDevice, "no device \(topic.device): add it with `aqua device add`")
            answer(message, topic, .rejected(.unknownDevice))
        }
    }

    private mutating func addStatus(_ message: MQTTMessage, _ device: DeviceRegistry.Entry) {
        let online: Bool
        switch String(decoding: message.payload.prefix(16), as: UTF8.self) {
        case "online": online = true
        case "offline": online = false
        default: return reject(message, .status, "a status is online or offline")
        }
        statuses[device.key] = RecordStatuses.Status(
            slot: device.key.slot, device: device.key.device, online: online, at: receivedAt)
    }

    private mutating func addReadings(_ message: MQTTMessage, _ topic: Topic, _ device: inout DeviceRegistry.Entry) {
        let payload: ReadingsPayload
        do throws(RejectReason) {
            payload = try ReadingsPayload(message.payload)
        } catch {
            reject(message, error, error == .tooLarge ? "over \(ReadingsPayload.largest) bytes" : "no JSON object")
            return answer(message, topic, .rejected(error))
        }
        for fault in payload.faults { reject(message, fault.reason, fault.detail) }
        guard !payload.readings.isEmpty else {
            if payload.faults.isEmpty { reject(message, .malformed, "no reading in the message") }
            addBrokenProbes(message, payload, device)
            return answer(message, topic, .rejected(payload.faults.first?.reason ?? .malformed))
        }
        device.doubt = nil
        switch TimeJudgement(device: payload.time, receipt: receivedAt, history: history) {
        case .current(let event) where event.source == .device:
            addTimed(message, topic, payload, at: event.time, [], &device)
        case .current:
            let isImplausible = payload.time != nil
            if isImplausible {
                implausibleTimes += 1
                device.doubt = .notBelieved
            }
            addUntimed(message, topic, payload, isImplausible: isImplausible, &device)
        case .history(let time):
            device.doubt = .longAgo
            addTimed(message, topic, payload, at: time, .notEvaluated, &device)
        case .tooOld(let time):
            device.doubt = .longAgo
            reject(message, .tooOld, "of \(time), longer ago than samples are kept")
            answer(message, topic, .rejected(.tooOld))
        }
    }

    /// A message without a value that says that probes are broken. It is decided like any other, but leaves no sample. An engine
    /// knows a repetition by its time, which may also be that of a sample.
    private mutating func addBrokenProbes(
        _ message: MQTTMessage, _ payload: ReadingsPayload, _ device: DeviceRegistry.Entry
    ) {
        guard !payload.brokenProbes.isEmpty,
            case .current(let event) = TimeJudgement(device: payload.time, receipt: receivedAt, history: history),
            event.source == .device || !isOfUnknownAge(message)
        else { return }
        samples.append(
            Sample(
                slot: device.key.slot, device: device.key.device, eventTime: event.time, receivedAt: receivedAt,
                flags: event.source == .device ? [] : .timedByReceipt, readings: Readings(),
                brokenProbes: payload.brokenProbes))
    }

    /// Whether nobody knows when a message without a time was sent, because the broker kept it.
    private func isOfUnknownAge(_ message: MQTTMessage) -> Bool {
        message.isRedelivery || message.wasKept || message.retain
    }

    /// With the device's own time, which tells a repetition from a new reading.
    private mutating func addTimed(
        _ message: MQTTMessage, _ topic: Topic, _ payload: ReadingsPayload, at time: Timestamp, _ flags: Sample.Flags,
        _ device: inout DeviceRegistry.Entry
    ) {
        let sample = Sample(
            slot: device.key.slot, device: device.key.device, eventTime: time, receivedAt: receivedAt, flags: flags,
            readings: payload.readings, brokenProbes: payload.brokenProbes)
        if let position = positions[sample.key] {
            // Firmware that sends each probe by itself gives all of a moment the same time.
            if !samples[position].fill(from: sample) { repetitions += 1 }
            return answer(message, topic, .sample(sample.key))
        }
        if message.isRedelivery { mayRepeat = true }
        if device.store(at: time, now: receivedAt) { mayRepeat = true }
        positions[sample.key] = samples.count
        samples.append(sample)
        answer(message, topic, .sample(sample.key))
    }

    /// At the time of receipt, made unique for the device.
    private mutating func addUntimed(
        _ message: MQTTMessage, _ topic: Topic, _ payload: ReadingsPayload, isImplausible: Bool,
        _ device: inout DeviceRegistry.Entry
    ) {
        // It is stored for the history and not evaluated.
        let isOld = isOfUnknownAge(message)
        if !isOld {
            let content = message.payload.hashValue
            // Not before: a clock that was set back must not make repetitions of an hour.
            if let last = device.lastUntimed, last.payload == content, receivedAt >= last.at,
                receivedAt - last.at < Self.repetitionWithin
            {
                repetitions += 1
                return answer(message, topic, .repeated)
            }
            device.lastUntimed = (content, receivedAt)
        }
        var time = receivedAt
        if let newest = device.newest, newest >= time, newest - time < .seconds(1) { time = newest + .microseconds(1) }
        while positions[Sample.Key(slot: device.key.slot, device: device.key.device, eventTime: time)] != nil {
            time = time + .microseconds(1)
        }
        _ = device.store(at: time, now: receivedAt)
        var flags = Sample.Flags.timedByReceipt
        if isOld { flags.insert(.notEvaluated) }
        if isImplausible { flags.insert(.implausibleTime) }
        let sample = Sample(
            slot: device.key.slot, device: device.key.device, eventTime: time, receivedAt: receivedAt, flags: flags,
            readings: payload.readings, brokenProbes: payload.brokenProbes)
        positions[sample.key] = samples.count
        samples.append(sample)
        answer(message, topic, .sample(sample.key))
    }

    private mutating func reject(_ message: MQTTMessage, _ reason: RejectReason, _ detail: String) {
        rejectCounts[reason, default: 0] += 1
        guard rejects.count < RecordRejects.maximum else { return }
        rejects.append(
            RecordRejects.Reject(
                receivedAt: receivedAt, topic: String(message.topic.prefix(200)), reason: reason.rawValue,
                detail: detail, payload: message.payload))
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
