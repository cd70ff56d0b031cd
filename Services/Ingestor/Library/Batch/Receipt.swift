import MQTT
import Store

/// What a device that asked for a commit receipt is told after the commit.
///
/// The payload is JSON: `{"status":"stored"}`, `{"status":"repeated"}` for what was stored before, or
/// `{"status":"rejected","reason":"malformed"}` for what will never be stored. After any of them the device can forget
/// the reading. Sent with QoS 0: a device that hears nothing sends its reading again.
struct PendingReceipt: Sendable {
    enum Outcome: Sendable {
        /// Stored, if this key was new.
        case sample(Sample.Key)
        case repeated
        case rejected(RejectReason)
    }

    var topic: String
    var correlationData: [UInt8]?
    var outcome: Outcome

    /// - Parameter isNew: Whether the commit stored this key, and not one before.
    func message(isNew: (Sample.Key) -> Bool) -> MQTTMessage {
        let payload =
            switch outcome {
            case .sample(let key): isNew(key) ? #"{"status":"stored"}"# : #"{"status":"repeated"}"#
            case .repeated: #"{"status":"repeated"}"#
            case .rejected(let reason): #"{"status":"rejected","reason":"\#(reason.rawValue)"}"#
            }
        return MQTTMessage(
            topic: topic, payload: Array(payload.utf8), qos: .atMostOnce, correlationData: correlationData)
    }
}
