import Instants
import MQTT
import MQTTFleet
import Operator
import ServiceKit
import Synchronization
import WaterQuality

/// Many simulated devices, each with a connection of its own, all on one thread.
struct Simulation: Sendable {
    let devices: [Device.HardwareID]
    let plan: SimulatedDevice.Plan
    let seed: UInt64
    let breach: Breach?
    /// The devices' last measurements, and their age.
    var past: (values: [Parameter: Steps], age: Duration)?
    let access: DeviceAccess
    let tally: SimulationTally
    let clock: WallClock

    /// How long a stop waits for outstanding acknowledgements.
    private static let patience = Duration.seconds(3)

    /// Runs until `stop` returns; every device then finishes its current message and says that it is offline.
    /// - Throws: The error of the first device that could not go on, explained.
    func run(until stop: @escaping Stop) async throws {
        try await MQTTFleet.with { fleet in
            try await cancelling(when: stop) {
                try await withTaskCancellationHandler {
                    try await runDevices(fleet)
                } onCancel: {
                    // Unstructured: the task has to outlive the cancelled ones, which wait for a broker that may be away.
                    Task {
                        try await Task.sleep(for: Self.patience)
                        fleet.stop()
                    }
                }
            }
        }
    }

    private func runDevices(_ fleet: MQTTFleet) async throws {
        do {
            try await withThrowingDiscardingTaskGroup { group in
                for (index, id) in devices.enumerated() {
                    var water = SimulatedWater(seed: seed, index: index, breach: breach)
                    if let past { water.follow(past.values, after: past.age) }
                    let device = SimulatedDevice(
                        id: id, water: water,
                        delay: plan.interval * index / devices.count, plan: plan, fleet: fleet, access: access,
                        tally: tally, clock: clock)
                    group.addTask { try await device.run(isFirst: index == 0) }
                }
            }
        } catch is CancellationError {
            // The stop came while a device waited for its first connection.
        } catch let error as MQTTError where error.code == .closed && Task.isCancelled {
            // The broker did not acknowledge everything in time.
        }
    }
}

/// The counters of a simulation, over all devices.
final class SimulationTally: Sendable {
    struct Counts: Report, Hashable {
        var devices = 0
        var messages = 0
        var acknowledged = 0
        var reconnects = 0

        var text: String {
            "\(devices) devices: \(messages) messages, \(acknowledged) acknowledged, \(reconnects) reconnects"
        }
    }

    private let state = Mutex(Counts())

    var counts: Counts { state.withLock { $0 } }

    func count(_ change: (inout Counts) -> Void) { state.withLock { change(&$0) } }
}
