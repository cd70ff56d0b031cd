import Instants
import MQTT
import Store
import WaterQuality

/// Rejects of a batch's messages: one entry for each device, reason and subject, with a count of
/// messages, so that no device's rejects displace another's.
struct RejectLog: Sendable {
    /// Most subjects of one device; further ones count for their reason as a whole.
    static let mostSubjects = 16
    /// Most rows of a batch. Only hundreds of devices that each make up names can reach it; further rejects are only counted.
    static let most = 8_192

    private struct Key: Hashable {
        var device: DeviceKey
        var reason: RejectReason
        var subject: String
    }

    private(set) var rejects: [RecordRejects.Reject] = []
    /// Every reject, including those without a row.
    private(set) var counts: [RejectReason: Int] = [:]
    /// The device that sent the current message; nil where it is unknown.
    var sender: DeviceKey?

    /// Position of each key in `rejects`, and the last message counted there.
    private var places: [Key: (position: Int, message: Int)] = [:]
    private var subjects: [DeviceKey: Int] = [:]
    private var messages = 0
    /// Rows of unknown devices.
    private var strangers = 0

    /// Begins the next message.
    mutating func begin() {
        messages += 1
        sender = nil
    }

    /// - Parameter isOld: Whether the message's age is unknown. It may be a former owner's, so its payload is not kept.
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
            payload: isOld ? [] : message.payloadBesideReject)
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
                detail: fault.detail, payload: message.payloadBesideReject))
    }
}
