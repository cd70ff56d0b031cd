import MQTT

extension MQTTMessage {
    /// Whether the message waited somewhere, for an unknown time.
    var isOld: Bool { isRedelivery || wasKept || retain }

    /// The payload as it may stand beside a reject: nothing of a message that tells where it was sent, because positions
    /// are kept only of devices whose owners want that.
    var payloadBesideReject: [UInt8] {
        payload.contains("position".utf8) || payload.contains("latitude".utf8) ? [] : payload
    }
}
