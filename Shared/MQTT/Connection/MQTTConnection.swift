import CMosquitto
import Glibc

/// One client of libmosquitto in its external-loop mode: outgoing packets are queued, and only `write` sends them.
///
/// Not Sendable: the connection belongs to the thread of the actor that made it, and callbacks run inside its own
/// calls. They fill `inbox`, which the owner empties after each call.
package final class MQTTConnection {
    /// Packets that arrived since the owner last took them.
    package struct Inbox {
        package internal(set) var connected: Connected?
        var disconnection: MQTTError?
        var messages: [MQTTMessage] = []
        var messageBytes = 0
        /// Packets confirmed by a PUBACK, and QoS 0 packets that were sent.
        var published: [(packet: Int32, error: MQTTError?)] = []
        /// Packets answered by a SUBACK or UNSUBACK.
        var answered: [(packet: Int32, error: MQTTError?)] = []
        /// The number of packets that called back, messages included.
        var packets = 0
    }

    package struct Connected {
        let error: MQTTError?
        package let sessionPresent: Bool
        let announced: MQTTAnnouncement
    }

    package let configuration: MQTTConfiguration
    package internal(set) var inbox = Inbox()
    private let handle: OpaquePointer
    private(set) var kept: KeptMessages
    private var redelivery: RedeliveryFlag

    package init(_ configuration: MQTTConfiguration) throws(MQTTError) {
        _ = MQTTLibrary.start
        try configuration.validate()
        guard let handle = mosquitto_new(configuration.clientID, configuration.cleanStart, nil) else {
            throw MQTTError(.invalidConfiguration, "the MQTT client id is not valid", detail: "errno \(errno)")
        }
        self.configuration = configuration
        self.handle = handle
        kept = KeptMessages(window: Int(configuration.receiveMaximum))
        redelivery = RedeliveryFlag(clientID: configuration.clientID)
        // Every stored property is set, so deinit frees the handle if one of these calls throws.
        // Unretained: the handle, and every callback with it, ends in deinit.
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
        try Self.check(mosquitto_threaded_set(handle, true))
        try set(MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
        try set(MOSQ_OPT_TCP_NODELAY, 1)
        try set(MOSQ_OPT_RECEIVE_MAXIMUM, Int32(configuration.receiveMaximum))
        try identify()
        installCallbacks()
    }

    deinit {
        // Tells the broker at once, even if a child process has inherited the socket.
        if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
        mosquitto_destroy(handle)
    }

    /// The socket's descriptor; -1 without a connection.
    package var socket: Int32 { mosquitto_socket(handle) }
    package var wantsToWrite: Bool { mosquitto_want_write(handle) }

    // MARK: Connecting

    /// Starts to connect and queues CONNECT; the answer appears as `inbox.connected`. Blocks for name resolution only.
    package func startConnecting() throws(MQTTError) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if configuration.sessionExpiry > 0 {
            try Self.check(
                mosquitto_property_add_int32(
                    &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), configuration.sessionExpiry))
            // Only the blocking connect takes properties. Called without a host it stores them and refuses the rest;
            // the asynchronous connect below then sends them.
            _ = mosquitto_connect_bind_v5(handle, nil, 0, 0, nil, properties)
        }
        let endpoint = configuration.endpoint
        try started(
            mosquitto_connect_bind_async(
                handle, endpoint.host, Int32(endpoint.port), Int32(configuration.keepAlive), nil))
    }

    /// Connects again; the library then resends unacknowledged messages with the DUP flag.
    package func startReconnecting() throws(MQTTError) {
        inbox.connected = nil
        inbox.disconnection = nil
        try started(mosquitto_reconnect_async(handle))
    }

    private func started(_ code: Int32) throws(MQTTError) {
        let system = errno
        if code == MOSQ_ERR_ERRNO.rawValue {
            throw MQTTError(.unreachable, detail: String(cString: strerror(system)))
        }
        try Self.check(code)
        // The library opens its sockets without close-on-exec.
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        _ = aqua_tcp_watch_peer(socket, 15, 5, 3, 30_000)
    }

    // MARK: The loop's three steps

    /// Reads at most one packet that calls back.
    /// - Returns: false if the socket held no whole packet (a part that was read is kept).
    package func read() throws(MQTTError) -> Bool {
        let before = inbox.packets
        let code = mosquitto_loop_read(handle, 1)
        try notLost(code)
        return inbox.packets != before
    }

    /// Writes the queued packets until the queue is empty or the socket is full.
    package func write() throws(MQTTError) {
        try notLost(mosquitto_loop_write(handle, 1))
    }

    /// Queues a PINGREQ if the keep-alive asks for one.
    package func keepAlive() throws(MQTTError) {
        try notLost(mosquitto_loop_misc(handle))
    }

    private func notLost(_ code: Int32) throws(MQTTError) {
        if let refused = inbox.connected?.error { throw refused }
        if let disconnection = inbox.disconnection { throw disconnection }
        if let error = MQTTError.library(code) { throw error }
        if socket < 0 { throw MQTTError(.connectionLost) }
    }

    /// Stops writing while the broker has left more than this unread.
    /// - Parameter bytes: The size of the kernel's send buffer.
    func boundUnread(_ bytes: Int) {
        if socket >= 0 { aqua_tcp_bound_unread(socket, Int32(bytes)) }
    }

    package func cork(_ corked: Bool) {
        if socket >= 0 { aqua_tcp_cork(socket, corked) }
    }

    // MARK: Queueing packets

    /// - Returns: The packet's number, for `inbox.published`.
    package func queue(_ message: MQTTMessage) throws(MQTTError) -> Int32 {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if let topic = message.responseTopic {
            try Self.check(
                mosquitto_property_add_string(&properties, Int32(MQTT_PROP_RESPONSE_TOPIC.rawValue), topic))
        }
        if let data = message.correlationData {
            guard let length = UInt16(exactly: data.count) else { throw MQTTError(.messageTooLarge) }
            try Self.check(
                mosquitto_property_add_binary(
                    &properties, Int32(MQTT_PROP_CORRELATION_DATA.rawValue), data, length))
        }
        guard let length = Int32(exactly: message.payload.count) else { throw MQTTError(.messageTooLarge) }
        var packet: Int32 = 0
        let code = mosquitto_publish_v5(
            handle, &packet, message.topic, length, message.payload, message.qos.rawValue, message.retain, properties)
        // Without a connection the library keeps a QoS 1 message all the same and sends it after the next CONNACK.
        if code == MOSQ_ERR_NO_CONN.rawValue, message.qos == .atLeastOnce { return packet }
        try Self.check(code)
        return packet
    }

    package func queue(_ subscription: MQTTSubscription) throws(MQTTError) -> Int32 {
        var packet: Int32 = 0
        try Self.check(
            mosquitto_subscribe_v5(
                handle, &packet, subscription.filter, subscription.qos.rawValue,
                subscription.options, nil))
        return packet
    }

    func queue(unsubscribe filter: String) throws(MQTTError) -> Int32 {
        var packet: Int32 = 0
        try Self.check(mosquitto_unsubscribe(handle, &packet, filter))
        return packet
    }

    /// Queues a packet whose answer marks the end of a resumed session's stored messages. Call it while everything read
    /// is acknowledged.
    /// - Parameter packet: A queued packet to use for this; without one, an unsubscription from a filter that nobody
    ///   has.
    func queueQuestion(_ packet: Int32? = nil) throws(MQTTError) {
        let question = if let packet { packet } else { try queue(unsubscribe: "-") }
        kept.asked(question)
    }

    package func queueDisconnect(endSession: Bool) throws(MQTTError) {
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if endSession, configuration.sessionExpiry > 0 {
            try Self.check(
                mosquitto_property_add_int32(
                    &properties, Int32(MQTT_PROP_SESSION_EXPIRY_INTERVAL.rawValue), 0))
        }
        try Self.check(mosquitto_disconnect_v5(handle, 0, properties))
    }

    // MARK: Setting up

    private func identify() throws(MQTTError) {
        if let credentials = configuration.credentials {
            try Self.check(mosquitto_username_pw_set(handle, credentials.user, credentials.password))
        }
        if let will = configuration.will {
            try Self.check(
                mosquitto_will_set_v5(
                    handle, will.topic, Int32(will.payload.count), will.payload, will.qos.rawValue, will.retain, nil))
        }
        guard configuration.endpoint.isSecure else { return }
        if let file = configuration.certificateAuthorityFile {
            guard mosquitto_tls_set(handle, file, nil, nil, nil, nil) == MOSQ_ERR_SUCCESS.rawValue else {
                throw MQTTError(.invalidConfiguration, "the CA file for MQTT cannot be read")
            }
        } else {
            try set(MOSQ_OPT_TLS_USE_OS_CERTS, 1)
        }
    }

    private func set(_ option: mosq_opt_t, _ value: Int32) throws(MQTTError) {
        try Self.check(mosquitto_int_option(handle, option, value))
    }

    private static func check(_ code: Int32, file: String = #fileID, line: Int = #line) throws(MQTTError) {
        if let error = MQTTError.library(code, file: file, line: line) { throw error }
    }

    private func installCallbacks() {
        mosquitto_connect_v5_callback_set(handle, connected)
        mosquitto_disconnect_v5_callback_set(handle, disconnected)
        mosquitto_message_v5_callback_set(handle, received)
        mosquitto_publish_v5_callback_set(handle, published)
        mosquitto_subscribe_v5_callback_set(handle, subscribed)
        mosquitto_unsubscribe_v5_callback_set(handle, unsubscribed)
    }
}

// MARK: Callback handlers

extension MQTTConnection {
    fileprivate func didConnect(reason: Int32, flags: Int32, _ properties: OpaquePointer?) {
        let sessionPresent = flags & 1 == 1
        inbox.connected = Connected(
            error: .connack(reason), sessionPresent: sessionPresent, announced: MQTTProperties.announcement(properties))
        if sessionPresent {
            watchForRedeliveries(true)
            kept.sessionIsResumed()
        }
        called()
    }

    fileprivate func didDisconnect(_ code: Int32) {
        inbox.disconnection = .disconnection(code)
    }

    fileprivate func didReceive(_ message: borrowing mosquitto_message, _ properties: OpaquePointer?) {
        let isRedelivery = redelivery.take()
        // The broker sends redeliveries first, so the first fresh message ends the watch, and the cost of its log
        // lines.
        if redelivery.isWatching, !isRedelivery, message.qos > 0 { watchForRedeliveries(false) }
        let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
        let message = MQTTMessage(
            topic: String(cString: message.topic), payload: [UInt8](payload),
            qos: MQTTMessage.QoS(rawValue: message.qos) ?? .atLeastOnce, retain: message.retain,
            isRedelivery: isRedelivery, wasKept: kept.received(message.qos),
            responseTopic: properties.flatMap(MQTTProperties.responseTopic),
            correlationData: properties.flatMap(MQTTProperties.correlationData))
        inbox.messages.append(message)
        inbox.messageBytes +=
            message.payload.count + message.topic.utf8.count + (message.responseTopic?.utf8.count ?? 0)
            + (message.correlationData?.count ?? 0)
        called()
    }

    fileprivate func didPublish(_ packet: Int32, reason: Int32) {
        inbox.published.append((packet, .acknowledgement(reason)))
        called()
    }

    fileprivate func didAnswer(_ packet: Int32, _ error: MQTTError?) {
        kept.answered(packet)
        inbox.answered.append((packet, error))
        called()
    }

    fileprivate func didLog(_ line: UnsafePointer<CChar>) {
        redelivery.read(line)
    }

    private func watchForRedeliveries(_ watch: Bool) {
        redelivery.isWatching = watch
        mosquitto_log_callback_set(handle, watch ? logged : nil)
    }

    private func called() {
        inbox.packets += 1
        aqua_mosquitto_stop_reading()
    }
}

// Callbacks run on the thread that is inside a call of the connection, so the connection is alive.
private func connection(_ context: UnsafeMutableRawPointer?) -> MQTTConnection? {
    context.map { Unmanaged<MQTTConnection>.fromOpaque($0).takeUnretainedValue() }
}

private func connected(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, reason: Int32, flags: Int32,
    properties: OpaquePointer?
) {
    connection(context)?.didConnect(reason: reason, flags: flags, properties)
}

private func disconnected(_: OpaquePointer?, context: UnsafeMutableRawPointer?, code: Int32, _: OpaquePointer?) {
    connection(context)?.didDisconnect(code)
}

private func received(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, message: UnsafePointer<mosquitto_message>?,
    properties: OpaquePointer?
) {
    guard let message else { return }
    connection(context)?.didReceive(message.pointee, properties)
}

private func published(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, packet: Int32, reason: Int32, _: OpaquePointer?
) {
    connection(context)?.didPublish(packet, reason: reason)
}

private func subscribed(
    _: OpaquePointer?, context: UnsafeMutableRawPointer?, packet: Int32, count: Int32,
    granted: UnsafePointer<Int32>?, _: OpaquePointer?
) {
    let codes = UnsafeBufferPointer(start: granted, count: Int(count))
    connection(context)?.didAnswer(packet, codes.lazy.compactMap { MQTTError.acknowledgement($0) }.first)
}

private func unsubscribed(_: OpaquePointer?, context: UnsafeMutableRawPointer?, packet: Int32, _: OpaquePointer?) {
    connection(context)?.didAnswer(packet, nil)
}

private func logged(_: OpaquePointer?, context: UnsafeMutableRawPointer?, _: Int32, line: UnsafePointer<CChar>?) {
    guard let line else { return }
    connection(context)?.didLog(line)
}
