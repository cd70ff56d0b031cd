import MQTT
import Store

/// Tells a device what became of a message after the commit. After any of these the device can forget the reading.
enum ReceiptStatus: Hashable, Sendable {
    case stored
    /// Stored with the time of receipt, because the stated time is implausible or unreadable.
    case storedAtReceipt
    /// Already stored before.
    case repeated
    /// Rejected for good: it will never be stored.
    case rejected(RejectReason)

    /// `{"status":"stored"}`, `{"status":"stored","time":"implausible"}`, `{"status":"repeated"}` or
    /// `{"status":"rejected","reason":"malformed"}`
    var json: String {
        switch self {
        case .stored: #"{"status":"stored"}"#
        case .storedAtReceipt: #"{"status":"stored","time":"implausible"}"#
        case .repeated: #"{"status":"repeated"}"#
        case .rejected(let reason): #"{"status":"rejected","reason":"\#(reason.rawValue)"}"#
        }
    }
}

/// The answer, after the commit, to a device that asked for a receipt: the JSON of a `ReceiptStatus`.
///
/// Sent with QoS 0: a device that hears nothing sends its reading again. For that reason messages shed in a flood get
/// no answer.
struct PendingReceipt: Sendable {
    enum Outcome: Sendable {
        /// Stored, if this key was new and the database took it.
        case sample(Sample.Key, isTimeDoubted: Bool = false)
        case repeated
        case rejected(RejectReason)
        /// Outcomes of a message with several moments, answered as one.
        case several([Outcome])

        func status(after commit: BatchTransaction.Outcome) -> ReceiptStatus {
            switch self {
            case .sample(let key, _) where commit.refused.contains(key): .rejected(.refused)
            case .sample(let key, let isTimeDoubted) where commit.isNew(key): isTimeDoubted ? .storedAtReceipt : .stored
            case .sample, .repeated: .repeated
            case .rejected(let reason): .rejected(reason)
            case .several(let outcomes): Self.joined(outcomes.map { $0.status(after: commit) })
            }
        }

        /// A refusal by the database comes first, because a person has to look at it; then whatever the message added
        /// to what the device sent before.
        private static func joined(_ statuses: [ReceiptStatus]) -> ReceiptStatus {
            for status in [ReceiptStatus.rejected(.refused), .storedAtReceipt, .stored, .repeated]
            where statuses.contains(status) { return status }
            return statuses.first ?? .rejected(.malformed)
        }
    }

    var topic: String
    var correlationData: [UInt8]?
    var outcome: Outcome

    func message(after commit: BatchTransaction.Outcome) -> MQTTMessage {
        MQTTMessage(
            topic: topic, payload: Array(outcome.status(after: commit).json.utf8), qos: .atMostOnce,
            correlationData: correlationData)
    }
}
