import Backoff
import Instants
import MQTT
import MQTTFleet
import ServiceKit
import WaterQuality

/// One device of a simulation: connects, says that it is online, and publishes at its interval until it is cancelled.
///
/// A tick that a broken connection delayed is made up for, with the time at which it was due: the firmware keeps what it could
/// not send.
struct SimulatedDevice: Sendable {
    let id: Device.HardwareID
    let water: SimulatedWater
    /// From the start of the simulation to the first connection, so that devices do not speak in chorus.
    let delay: Duration
    let plan: Plan
    let fleet: MQTTFleet
    let access: DeviceAccess
    let tally: SimulationTally
    let clock: WallClock

    struct Plan: Hashable, Sendable {
        /// Real time between two messages.
        var interval: Duration
        /// Simulated time that goes by meanwhile.
        var step: Duration
    }

    /// - Parameter isFirst: Then a broker that does not answer is an error; later ones wait until it does.
    func run(isFirst: Bool) async throws {
        try await Task.sleep(for: delay)
        let client = try await connect(isFirst: isFirst)
        tally.count { $0.devices += 1 }
        try await say(SimulatedMessage.status(isOnline: true, device: id), client)
        try await live(client)
        try await say(SimulatedMessage.status(isOnline: false, device: id), client)
    }

    /// Until it is cancelled.
    private func live(_ client: MQTTFleet.Client) async throws {
        // Ended before the device says that it is offline, which nobody may contradict then. A failure of this one is
        // one of the connection, which publishing meets as well.
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try? await contradictWill(client) }
            do { try await publishReadings(client) } catch is CancellationError {}
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func connect(isFirst: Bool) async throws -> MQTTFleet.Client {
        let configuration = access.configuration(
            of: id, will: SimulatedMessage.status(isOnline: false, device: id))
        var backoff = Backoff.toBroker
        while true {
            do { return try await fleet.add(configuration, window: 10, buffer: 10) } catch let error as MQTTError {
                guard error.isRetriable, !isFirst else { throw access.explained(error, device: id) }
            }
            try await Task.sleep(for: backoff.next())
        }
    }

    /// The will speaks when a connection breaks; back again, the device contradicts it.
    private func contradictWill(_ client: MQTTFleet.Client) async throws {
        for await _ in client.reconnections {
            tally.count { $0.reconnects += 1 }
            try await say(SimulatedMessage.status(isOnline: true, device: id), client)
        }
    }

    private func publishReadings(_ client: MQTTFleet.Client) async throws {
        var water = water
        var due = ContinuousClock.now
        while true {
            let late = ContinuousClock.now - due
            let time = clock.now() - (late > plan.interval ? late : .zero)
            tally.count { $0.messages += 1 }
            try await say(SimulatedMessage.readings(water.measure(), at: time, device: id), client)
            tally.count { $0.acknowledged += 1 }
            water.advance(by: plan.step)
            due += plan.interval
            try await Task.sleep(until: due, tolerance: .zero)
        }
    }

    /// Publishes and waits for the acknowledgement, also while the simulation stops.
    private func say(_ message: MQTTMessage, _ client: MQTTFleet.Client) async throws {
        // Unstructured: a stop must not give up what is under way. The fleet's end frees it at the latest.
        let publishing = Task { try await fleet.publish(message, as: client) }
        do { try await publishing.value } catch { throw access.explained(error, device: id) }
    }
}

/// What a simulated device says, byte for byte like the firmware.
enum SimulatedMessage {
    static func readings(
        _ values: [(parameter: Parameter, value: Steps)], at time: Timestamp, device: Device.HardwareID
    ) -> MQTTMessage {
        let readings = values.map { #""\#($0.parameter.name)":\#(decimal($0.value, $0.parameter.decimals))"# }
        let payload = #"{"time":"\#(time.iso8601)","readings":{\#(readings.joined(separator: ","))}}"#
        return MQTTMessage(topic: "aqua/v1/\(device)/readings", payload: Array(payload.utf8))
    }

    /// Retained: whoever subscribes later knows it too.
    static func status(isOnline: Bool, device: Device.HardwareID) -> MQTTMessage {
        MQTTMessage(
            topic: statusTopic(device), payload: Array((isOnline ? "online" : "offline").utf8), retain: true)
    }

    static func statusTopic(_ device: Device.HardwareID) -> String { "aqua/v1/\(device)/status" }

    /// Steps of ten to the minus `decimals`: 235 is 23.5.
    private static func decimal(_ steps: Steps, _ decimals: Int) -> String {
        let digits = String(steps.count.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        let sign = steps.count < 0 ? "-" : ""
        return decimals == 0 ? sign + padded : "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}
