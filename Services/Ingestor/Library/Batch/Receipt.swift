import MQTT
import Store

/// The answer, after the commit, to a device that asked for a receipt.
///
/// The payload is JSON: `{"status":"stored"}`, `{"status":"repeated"}` for what was stored before, or
/// `{"status":"rejected","reason":"malformed"}` for what will never be stored. After any of them the device can forget
/// the reading. Sent with QoS 0: a device that hears nothing sends its reading again. What is shed in a flood is not answered
/// for that reason.
struct PendingReceipt: Sendable {
    enum Outcome: Sendable {
        /// Stored, if this key was new and the database took it.
        case sample(Sample.Key)
        case repeated
        case rejected(RejectReason)
    }

    var topic: String
    var correlationData: [UInt8]?
    var outcome: Outcome

    func message(after commit: BatchTransaction.Outcome) -> MQTTMessage {
        let payload =
            switch outcome {
            case .sample(let key) where commit.refused.contains(key): Self.rejected(.refused)
            case .sample(let key) where commit.isNew(key): #"{"status":"stored"}"#
            case .sample, .repeated: #"{"status":"repeated"}"#
            case .rejected(let reason): Self.rejected(reason)
            }
        return MQTTMessage(
            topic: topic, payload: Array(payload.utf8), qos: .atMostOnce, correlationData: correlationData)
    }

    private static func rejected(_ reason: RejectReason) -> String {
        #"{"status":"rejected","reason":"\#(reason.rawValue)"}"#
    }
}
