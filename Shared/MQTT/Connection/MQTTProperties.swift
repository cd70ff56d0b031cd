import CMosquitto
import Glibc

/// The MQTT 5 properties that this system reads: two of a received PUBLISH, two of a CONNACK.
enum MQTTProperties {
    static func announcement(_ properties: OpaquePointer?) -> MQTTAnnouncement {
        guard let properties else { return MQTTAnnouncement() }
        var announcement = MQTTAnnouncement()
        var (inflight, size) = (UInt16(0), UInt32(0))
        if mosquitto_property_read_int16(properties, Int32(MQTT_PROP_RECEIVE_MAXIMUM.rawValue), &inflight, false) != nil
        {
            announcement.receiveMaximum = inflight
        }
        if mosquitto_property_read_int32(properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), &size, false) != nil
        {
            announcement.maximumPacketSize = size
        }
        return announcement
    }

    static func responseTopic(_ properties: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard
            mosquitto_property_read_string(properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), &text, false) != nil,
            let text
        else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    static func correlationData(_ properties: OpaquePointer) -> [UInt8]? {
        var bytes: UnsafeMutableRawPointer?
        var count: UInt16 = 0
        guard
            mosquitto_property_read_binary(
                properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), &bytes, &count, false) != nil
        else { return nil }
        defer { free(bytes) }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
    }
}
