import MQTT
import Store

/// What a device learns of a message after the commit. After any of them it can forget the reading.
enum ReceiptStatus: Hashable, Sendable {
    case stored
    /// It was stored before.
    case repeated
    /// It will never be stored.
    case rejected(RejectReason)

    /// `{"status":"stored"}`, `{"status":"repeated"}` or `{"status":"rejected","reason":"malformed"}`
    var json: String {
        switch self {
        case .stored: #"{"status":"stored"}"#
        case .repeated: #"{"status":"repeated"}"#
        case .rejected(let reason): #"{"status":"rejected","reason":"\#(reason.rawValue)"}"#
        }
    }
}

/// The answer, after the commit, to a device that asked for a receipt: the JSON of a `ReceiptStatus`.
///
/// Sent with QoS 0: a device that hears nothing sends its reading again. What is shed in a flood is not answered for that reason.
struct PendingReceipt: Sendable {
    enum Outcome: Sendable {
        /// Stored, if this key was new and the database took it.
        case sample(Sample.Key)
        case repeated
        case rejected(RejectReason)

        func status(after commit: BatchTransaction.Outcome) -> ReceiptStatus {
            switch self {
            case .sample(let key) where commit.refused.contains(key): .rejected(.refused)
            case .sample(let key) where commit.isNew(key): .stored
            case .sample, .repeated: .repeated
            case .rejected(let reason): .rejected(reason)
            }
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
