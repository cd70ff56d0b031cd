import CMosquitto
import Glibc

/// The two MQTT 5 properties of a received PUBLISH that this system uses.
enum MQTTProperties {
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
