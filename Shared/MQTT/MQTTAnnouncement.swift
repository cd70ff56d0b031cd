/// The limits that a broker announces when a client connects.
package struct MQTTAnnouncement: Hashable, Sendable {
    /// The most messages of a client that may be unacknowledged; nil: 65,535.
    package var receiveMaximum: UInt16?
    /// The largest packet in bytes; nil: MQTT's own maximum.
    package var maximumPacketSize: UInt32?
}
