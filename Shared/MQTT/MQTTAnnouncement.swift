/// The limits that a broker announces when a client connects.
package struct MQTTAnnouncement: Hashable, Sendable {
    /// How many messages of a client may be unacknowledged; nil: 65,535.
    package var receiveMaximum: UInt16?
    /// In bytes; nil: any that MQTT can have.
    package var maximumPacketSize: UInt32?
}
