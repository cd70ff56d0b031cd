/// One PUBLISH, received or to be sent.
package struct MQTTMessage: Hashable, Sendable {
    /// The quality of service; this system does not use QoS 2.
    package enum QoS: Int32, Hashable, Sendable {
        case atMostOnce = 0
        case atLeastOnce = 1
    }

    package var topic: String
    package var payload: [UInt8]
    package var qos: QoS
    /// When sent: the broker keeps the message for later subscribers. When received: the broker had kept it, so it is
    /// not fresh.
    package var retain: Bool
    /// Received with the DUP flag: the broker has sent it before, on a connection that ended without our PUBACK.
    package var isRedelivery: Bool
    /// When received: the broker had stored the message, for an unknown time, while nobody read the session.
    package var wasKept: Bool
    /// The topic for an answer (MQTT 5 Response Topic).
    package var responseTopic: String?
    /// The data that the answer repeats (MQTT 5 Correlation Data).
    package var correlationData: [UInt8]?

    package init(
        topic: String, payload: [UInt8], qos: QoS = .atLeastOnce, retain: Bool = false, isRedelivery: Bool = false,
        wasKept: Bool = false, responseTopic: String? = nil, correlationData: [UInt8]? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retain = retain
        self.isRedelivery = isRedelivery
        self.wasKept = wasKept
        self.responseTopic = responseTopic
        self.correlationData = correlationData
    }
}

/// A topic filter with the options of MQTT 5.
package struct MQTTSubscription: Hashable, Sendable {
    /// The broker's treatment of retained messages at a subscription.
    package enum RetainHandling: Int32, Hashable, Sendable {
        case sendAtSubscribe = 0x00
        case never = 0x20
    }

    /// For example `aqua/v1/+/readings`, or `$share/group/filter` to share the messages with other members.
    package var filter: String
    package var qos: MQTTMessage.QoS
    package var retainHandling: RetainHandling
    /// Whether the broker sends the subscriber what it publishes itself.
    package var hearsItself: Bool
    /// Whether a refusal ends the connection. Otherwise it is listed in `MQTTConsumer.refusedFilters`.
    package var isRequired: Bool

    package init(
        _ filter: String, qos: MQTTMessage.QoS = .atLeastOnce, retainHandling: RetainHandling = .never,
        hearsItself: Bool = true, isRequired: Bool = true
    ) {
        self.filter = filter
        self.qos = qos
        self.retainHandling = retainHandling
        self.hearsItself = hearsItself
        self.isRequired = isRequired
    }

    /// The options as a SUBSCRIBE packet has them.
    var options: Int32 { retainHandling.rawValue | (hearsItself ? 0 : 0x04) }
}
