import Foundation
import TestSupport

/// Takes every device out of range at once; each has a person and an endpoint of its own.
struct StormMeasurement: Sendable {
    let devices: Int
    /// The number of the endpoints' hosts, where a kind may have several.
    let receivers: Int
    let push: PushKind
    let seed: UInt64

    func run() async throws -> StormFigures {
        let hosts = push.standIn.isOneHost ? 1 : receivers
        // One machine has no room for the system and a connection for each device.
        let load = FleetLoad(
            shape: .plain, devices: devices, connections: FleetShape.plainConnections, plan: .once(share: 0),
            seed: seed,
            push: push)
        return try await LoadedSystem.with(load, receivers: hosts) { loaded in
            try await loaded.warmUp()
            let idle = try loaded.usage()
            step("\(devices) breaches at once")
            let started = ContinuousClock.now
            loaded.generator.publish(.init(rounds: 1, isStorm: true))
            var peak = idle
            try await awaitStorm(loaded, &peak)
            guard let span = loaded.arrivals.span else { throw TestSupportError("Nothing arrived") }
            let usage = try loaded.usage()
            try await loaded.requireNothingLost()
            let floor = try await SinkFloor(kind: push, hosts: hosts).rate()
            return StormFigures(
                breaches: devices, receivers: hosts, push: push, seconds: (span.last - started) / .seconds(1),
                deliverySpan: (span.last - span.first) / .seconds(1), idle: idle, after: usage, peak: peak,
                floor: floor)
        }
    }

    /// Waits for the last delivery, and records each process's peak memory.
    private func awaitStorm(_ loaded: LoadedSystem, _ peak: inout [String: ProcessUsage]) async throws {
        let deadline = ContinuousClock.now + .seconds(900)
        while loaded.arrivals.counts.arrived < devices {
            guard ContinuousClock.now < deadline else {
                throw TestSupportError("\(loaded.arrivals.counts.arrived) of \(devices) alerts came in 15 minutes")
            }
            for (name, usage) in try loaded.usage() {
                if usage.memoryMiB > peak[name]?.memoryMiB ?? 0 { peak[name] = usage }
            }
            try await Task.sleep(for: .milliseconds(500))
        }
    }
}
