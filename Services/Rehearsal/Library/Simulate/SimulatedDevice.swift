import Backoff
import Instants
import MQTT
import MQTTFleet
import Operator
import ServiceKit
import WaterQuality

/// One device of a simulation: connects, says that it is online, and publishes at its interval until it is cancelled.
///
/// Readings that a broken connection delayed are sent later with the times at which they were due, as the firmware does.
struct SimulatedDevice: Sendable {
    let id: Device.HardwareID
    let water: SimulatedWater
    /// From the start of the simulation to the first connection, so that devices do not publish all at once.
    let delay: Duration
    let plan: Plan
    let fleet: MQTTFleet
    let access: DeviceAccess
    let tally: SimulationTally
    let clock: WallClock

    struct Plan: Hashable, Sendable {
        /// Real time between two messages.
        var interval: Duration
        /// Simulated time between two messages.
        var step: Duration
    }

    /// - Parameter isFirst: Whether a broker that does not answer is an error. Devices after the first wait until it answers.
    func run(isFirst: Bool) async throws {
        try await Task.sleep(for: delay)
        let client = try await connect(isFirst: isFirst)
        tally.count { $0.devices += 1 }
        try await say(SimulatedMessage.status(isOnline: true, device: id), client)
        try await live(client)
        try await say(SimulatedMessage.status(isOnline: false, device: id), client)
    }

    /// Publishes readings, and the status after each reconnection, until it is cancelled.
    private func live(_ client: MQTTFleet.Client) async throws {
        // The first task has to end before the device says that it is offline, which that task would contradict. Its
        // errors are those of the connection, which publishing meets as well.
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

    /// Publishes "online" after each reconnection, because the broker has published the will when the connection broke.
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

    /// Publishes and waits for the acknowledgement, even while the simulation stops.
    private func say(_ message: MQTTMessage, _ client: MQTTFleet.Client) async throws {
        // Unstructured: a stop must not cancel a message in flight. The end of the fleet ends the task at the latest.
        let publishing = Task { try await fleet.publish(message, as: client) }
        do { try await publishing.value } catch { throw access.explained(error, device: id) }
    }
}

/// The messages of a simulated device, byte for byte like the firmware's.
enum SimulatedMessage {
    static func readings(
        _ values: [(parameter: Parameter, value: Steps)], at time: Timestamp, device: Device.HardwareID
    ) -> MQTTMessage {
        let readings = values.map { #""\#($0.parameter.name)":\#(decimal($0.value, $0.parameter.decimals))"# }
        let payload = #"{"time":"\#(time.iso8601)","readings":{\#(readings.joined(separator: ","))}}"#
        return MQTTMessage(topic: "aqua/v1/\(device)/readings", payload: Array(payload.utf8))
    }

    /// Retained, so that later subscribers receive it too.
    static func status(isOnline: Bool, device: Device.HardwareID) -> MQTTMessage {
        MQTTMessage(
            topic: statusTopic(device), payload: Array((isOnline ? "online" : "offline").utf8), retain: true)
    }

    static func statusTopic(_ device: Device.HardwareID) -> String { "aqua/v1/\(device)/status" }

    /// Writes a number of sensor steps as a decimal: 235 steps of a tenth are 23.5.
    private static func decimal(_ steps: Steps, _ decimals: Int) -> String {
        let digits = String(steps.count.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        let sign = steps.count < 0 ? "-" : ""
        return decimals == 0 ? sign + padded : "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}
