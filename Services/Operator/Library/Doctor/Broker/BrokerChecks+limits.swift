import MQTT
import WaterQuality

extension BrokerChecks {
    /// Mosquitto's own default for messages that wait unacknowledged.
    private static let defaultReceiveMaximum: UInt16 = 20

    /// A broker tells nobody how long its queues are, but it announces two limits that stand beside them in our
    /// mosquitto.conf. Where these are the defaults, so are those: and 1,000 waiting messages are seconds of a small fleet.
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

    /// What the broker counts of itself, retained on its `$SYS` topics.
    func losses() async -> [Finding] {
        let topic = "$SYS/broker/publish/messages/dropped"
        do {
            let configuration = configuration
            let text = try await MQTTFleet.with { fleet in
                let client = try await fleet.add(configuration)
                try await fleet.subscribe([MQTTSubscription(topic)], as: client)
                return try await firstMessage(of: client)
            }
            guard let text, let dropped = Int(text) else {
                return [.skipped(Self.topic, "it does not say how many messages it has dropped")]
            }
            guard dropped > 0 else { return [.ok(Self.topic, "it has dropped no message since its start")] }
            return [
                .wrong(
                    Self.topic, "it has dropped \(dropped) messages since its start: its queue was full",
                    mend:
                        "Look since when the ingestor was behind or away; then raise max_queued_messages in mosquitto.conf "
                        + "(deploy/broker/init --queued-messages).")
            ]
        } catch {
            return [.skipped(Self.topic, "what it has dropped could not be read: \(error)")]
        }
    }

    /// - Returns: nil when none comes: the topic is retained, so it would come at once.
    private func firstMessage(of client: MQTTFleet.Client) async throws -> String? {
        try await withThrowingTaskGroup(of: String?.self) { group in
            group.addTask {
                for await message in client.messages { return String(decoding: message.payload, as: UTF8.self) }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: .seconds(5))
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// Tries as a device what a device may and what it must not. What it may has to be said to somebody, so it is what holds
    /// anyway: that this device is offline.
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
                return (
                    try await may("aqua/v1/\(device.id)/status", "offline"),
                    try await may("aqua/v1/\(device.id)/doctor"),
                    // No device can be called so.
                    try await may("aqua/v1/no.device/readings")
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
