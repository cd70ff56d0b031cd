import Instants
import MQTT
import Store
import WaterQuality

/// What could not be read of the messages of a batch: each reason and subject of a device once, with the messages counted, so that
/// nothing that a device sends takes the place of another one's.
struct RejectLog: Sendable {
    /// Subjects of one device; what is beyond counts for its reason as a whole.
    static let mostSubjects = 16
    /// Rows of a batch. Only hundreds of devices that each make up names can fill it; then their rejects are only counted.
    static let most = 8_192

    private struct Key: Hashable {
        var device: DeviceKey
        var reason: RejectReason
        var subject: String
    }

    private(set) var rejects: [RecordRejects.Reject] = []
    /// Every reject, also those that have no row.
    private(set) var counts: [RejectReason: Int] = [:]
    /// The device of the message; nil where there is no such device.
    var sender: DeviceKey?

    /// Where each key stands in `rejects`, and the last message that was counted there.
    private var places: [Key: (position: Int, message: Int)] = [:]
    private var subjects: [DeviceKey: Int] = [:]
    private var messages = 0
    /// Rows of no device.
    private var strangers = 0

    /// Begins the next message.
    mutating func begin() {
        messages += 1
        sender = nil
    }

    /// - Parameter isOld: Whether nobody knows when the message was sent. It may be of an owner before, so nothing of it is kept.
    mutating func add(_ message: MQTTMessage, _ fault: ReadingsPayload.Fault, at time: Timestamp, isOld: Bool) {
        counts[fault.reason, default: 0] += 1
        guard let sender else { return addStranger(message, fault, at: time) }
        var key = Key(device: sender, reason: fault.reason, subject: fault.subject)
        if places[key] == nil, !key.subject.isEmpty {
            if subjects[sender, default: 0] < Self.mostSubjects {
                subjects[sender, default: 0] += 1
            } else {
                key.subject = ""
            }
        }
        var reject = RecordRejects.Reject(
            receivedAt: time, device: sender, topic: ForeignText.shown(message.topic, longest: 200),
            reason: fault.reason.rawValue, subject: key.subject, detail: fault.detail,
            payload: isOld ? [] : message.payload)
        if let place = places[key] {
            let counted = rejects[place.position].messages
            reject.messages = place.message == messages ? counted : counted + 1
            rejects[place.position] = reject
            places[key] = (place.position, messages)
        } else if rejects.count < Self.most {
            places[key] = (rejects.count, messages)
            rejects.append(reject)
        }
    }

    private mutating func addStranger(_ message: MQTTMessage, _ fault: ReadingsPayload.Fault, at time: Timestamp) {
        guard strangers < RecordRejects.maximum else { return }
        strangers += 1
        rejects.append(
            RecordRejects.Reject(
                receivedAt: time, topic: String(message.topic.prefix(200)), reason: fault.reason.rawValue,
                detail: fault.detail, payload: message.payload))
    }
}
