import MQTT
import MQTTFleet
import WaterQuality

extension BrokerChecks {
    /// Mosquitto's default of `max_inflight_messages`.
    private static let defaultReceiveMaximum: UInt16 = 20

    /// Whether the broker runs with the limits of our mosquitto.conf.
    ///
    /// A broker does not announce the limits of its queues, but it announces two others that our mosquitto.conf sets beside
    /// them. If those have their defaults, the queues hold 1,000 messages, which is a few seconds of a small fleet.
    func limits() async -> [Finding] {
        do {
            let client = try await MQTTConsumer.connect(configuration)
            let announced = await client.announced
            try await client.disconnect()
            guard announced.receiveMaximum == Self.defaultReceiveMaximum || announced.maximumPacketSize == nil else {
                return [.ok(Self.topic, "it announces the limits of our configuration")]
            }
            return [
                .wrong(
                    Self.topic,
                    "its limits are Mosquitto's defaults: it drops readings when 1,000 wait for the ingestor",
                    mend:
                        "Set max_queued_messages, max_queued_bytes, max_inflight_messages, max_packet_size and persistence "
                        + "in mosquitto.conf as deploy/broker/mosquitto.conf does, and restart it.")
            ]
        } catch {
            return [.skipped(Self.topic, "its limits could not be read: \(error)")]
        }
    }

    /// Whether the broker has dropped messages lately.
    ///
    /// Mosquitto's counters are retained messages, but a counter that has not changed for a minute is no longer retained, the
    /// total of dropped messages among them. The average over 15 minutes decays slowly: one dropped message shows for half an
    /// hour, many for two hours.
    func losses() async -> [Finding] {
        do {
            let average = try await retained("$SYS/broker/load/publish/dropped/15min")
            guard let average, Double(average) ?? 0 > 0 else {
                return [.ok(Self.topic, "it has dropped no message lately")]
            }
            return [
                .wrong(
                    Self.topic,
                    "it dropped \(average) messages a minute, on average over the last 15 minutes: its queue was full",
                    mend:
                        "Look since when the ingestor was behind or away; then raise max_queued_messages in mosquitto.conf "
                        + "(deploy/broker/init --queued-messages).")
            ]
        } catch {
            return [.skipped(Self.topic, "what it has dropped could not be read: \(error)")]
        }
    }

    /// - Returns: The retained message of a topic; nil when there is none.
    private func retained(_ topic: String) async throws -> String? {
        let configuration = configuration
        // This topic is always retained, and its message comes after that of the first subscription.
        let last = "$SYS/broker/version"
        return try await MQTTFleet.with { fleet in
            let client = try await fleet.add(configuration)
            for filter in [topic, last] {
                try await fleet.subscribe([MQTTSubscription(filter, retainHandling: .sendAtSubscribe)], as: client)
            }
            let found: String?? = try await within(configuration.timeout) {
                var found: String?
                for await message in client.messages {
                    guard message.topic == topic else { return found }
                    found = String(decoding: message.payload, as: UTF8.self)
                }
                throw MQTTError(.closed)
            }
            guard let found else { throw MQTTError(.timeout) }
            return found
        }
    }

    /// Tries, logged in as a device, what a device may publish and what it must not. The permitted message has real
    /// subscribers, so it says what is true anyway: that the device is offline.
    func deviceRights(_ users: [String]) async -> [Finding] {
        guard let device, users.contains(device.id.text) else {
            return [
                .skipped(
                    Self.topic, "what devices may do there, for there is none to try it as that was not heard lately")
            ]
        }
        do {
            let configuration = device.access.configuration(of: device.id)
            let (own, more, foreign) = try await MQTTFleet.with { fleet in
                let client = try await fleet.add(configuration)
                func may(_ topic: String, _ payload: String = "") async throws -> Bool {
                    do {
                        try await fleet.publish(MQTTMessage(topic: topic, payload: Array(payload.utf8)), as: client)
                        return true
                    } catch let error as MQTTError where error.code == .notAuthorized {
                        return false
                    }
                }
                // No device id contains a dot.
                let foreign = [
                    try await may("aqua/v1/no.device/readings"),
                    try await may("v1.1/Datastreams('no.device:ph')/Observations"),
                ]
                return (
                    try await may("aqua/v1/\(device.id)/status", "offline"),
                    try await may("aqua/v1/\(device.id)/doctor"), foreign.contains(true)
                )
            }
            return story(own: own, more: more, foreign: foreign)
        } catch let error as MQTTError {
            guard case .connectionRefused = error.code else {
                return [.skipped(Self.topic, "what devices may do there could not be tried: \(error)")]
            }
            return [
                .wrong(
                    Self.topic, "device \(device.id) cannot log in: its account there has another password",
                    mend:
                        "Does AQUA_DEVICE_KEY_FILE hold the key that it was added with? If so, run: aqua device rotate-key \(device.id)"
                )
            ]
        } catch {
            return [.skipped(Self.topic, "what devices may do there could not be tried: \(error)")]
        }
    }

    private func story(own: Bool, more: Bool, foreign: Bool) -> [Finding] {
        let mend =
            "Name deploy/broker/acl as acl_file in mosquitto.conf, beside the dynamic-security plugin, and restart it."
        if foreign {
            return [.wrong(Self.topic, "a device may publish in another device's name", mend: mend)]
        }
        guard own else { return [.wrong(Self.topic, "a device may not publish its own readings", mend: mend)] }
        if more {
            return [
                .wrong(
                    Self.topic, "a device may publish more than its readings and status, without a bound", mend: mend)
            ]
        }
        return [.ok(Self.topic, "a device may publish in its own name and in no other")]
    }
}
