import MQTT
import MQTTFleet
import Operator
import WaterQuality

/// Publishes a recording as its device, as fast as the broker acknowledges.
struct ReplayPublisher: Sendable {
    let recording: Recording
    let device: Device.HardwareID
    let timeline: Timeline
    let access: DeviceAccess

    struct Tally: Hashable, Sendable {
        var published = 0
        var acknowledged = 0
        var wasStopped = false
    }

    /// The bound of unacknowledged messages. Each full window is acknowledged before the next begins, so that order and count
    /// are certain even across a broker's restart.
    private static let window = 500
    /// How long a stopped replay waits for acknowledgements of what it has sent.
    private static let patience = Duration.seconds(3)

    /// - Throws: `OperatorError` if the broker refuses the device. A broker that goes away is waited for.
    func run(until stop: @escaping Stop) async throws -> Tally {
        do {
            return try await MQTTFleet.with { fleet in
                let client = try await fleet.add(access.configuration(of: device), window: Self.window)
                var tally = try await cancelling(when: stop) { try await publishAll(fleet, client) }
                let isDrained = try await settle(fleet, client, isHurried: tally.wasStopped)
                if isDrained { tally.acknowledged = tally.published }
                return tally
            }
        } catch {
            throw access.explained(error, device: device)
        }
    }

    private func publishAll(_ fleet: MQTTFleet, _ client: MQTTFleet.Client) async throws -> Tally {
        var tally = Tally()
        var rows = try recording.rows()
        do {
            while let row = try rows.next() {
                guard case .success(let row) = row, !row.values.isEmpty else { continue }
                try Task.checkCancellation()
                try await fleet.enqueue(message(row), as: client)
                tally.published += 1
                guard tally.published % Self.window == 0 else { continue }
                try await fleet.drain(client)
                tally.acknowledged = tally.published
            }
        } catch is CancellationError {
            tally.wasStopped = true
        }
        return tally
    }

    private func settle(_ fleet: MQTTFleet, _ client: MQTTFleet.Client, isHurried: Bool) async throws -> Bool {
        guard isHurried else {
            try await fleet.drain(client)
            return true
        }
        return try await within(Self.patience) { try await fleet.drain(client) } != nil
    }

    private func message(_ row: RecordedRow) -> MQTTMessage {
        MQTTMessage(topic: "aqua/v1/\(device)/readings", payload: row.payload(at: timeline.replayed(row.time)))
    }
}
