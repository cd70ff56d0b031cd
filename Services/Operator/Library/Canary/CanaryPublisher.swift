import Backoff
import Instants
import Logging
import MQTT
import MQTTFleet
import ServiceKit
import WaterQuality

/// Publishes the canary's water as any device does: from outside, at the broker's listener for devices, with a key of its own.
///
/// It connects anew for each message, so that each shows that a device gets in: certificate, key and rights.
struct CanaryPublisher: Sendable {
    let directory: String
    let context: OperatorContext
    let logger: Logger
    /// How long a connection and the acknowledgement may take.
    var patience: Duration = .seconds(30)
    /// A broker that refuses a key says so in its log each time.
    var backoff = Backoff(base: .seconds(1), cap: .seconds(60), jitter: .half)

    /// Publishes until it is cancelled.
    func run() async throws {
        let start = context.clock.now()
        while true {
            // What is late is not made up for: what counts is the water of the moment.
            let schedule = try await keepTrying("publishing the canary's reading", backoff: backoff, logger: logger) {
                _ in try await publish(since: start)
            }
            try await Task.sleep(for: schedule.wait(after: context.clock.now()), tolerance: .zero)
        }
    }

    /// Publishes the water of now, and waits until the broker has it.
    /// - Returns: The schedule, which may have been prepared anew.
    func publish(since start: Timestamp) async throws -> CanarySchedule {
        let (credentials, device) = try CanaryCredentials.read(from: directory)
        let configuration = try access(to: (credentials, device)).configuration(of: device)
        let schedule = credentials.schedule(from: start)
        let water = schedule.water(at: context.clock.now())
        let message = Self.message(water, of: device)
        do {
            try await withTimeout(patience) {
                try await MQTTFleet.with { fleet in
                    try await fleet.publish(message, as: fleet.add(configuration))
                }
            }
        } catch let error as MQTTError {
            throw explained(error, device)
        }
        if let out = water.out, !water.isConfirmed {
            logger.info("The canary's water is out of range", [.parameter: "\(out.parameter)", .kind: "\(out.side)"])
        }
        return schedule
    }

    func access(to canary: (credentials: CanaryCredentials, device: Device.HardwareID)) throws -> DeviceAccess {
        try context.environment.read {
            DeviceAccess(reader: $0, device: canary.device, password: canary.credentials.password)
        }
    }

    /// Without a time: readings count from their receipt, whatever the clock of this machine is.
    static func message(_ water: CanarySchedule.Water, of device: Device.HardwareID) -> MQTTMessage {
        let readings = water.values.map { #""\#($0.parameter.name)":\#($0.parameter.value(of: $0.value))"# }
        return MQTTMessage(
            topic: "aqua/v1/\(device)/readings", payload: Array("{\(readings.joined(separator: ","))}".utf8))
    }

    private func explained(_ error: MQTTError, _ device: Device.HardwareID) -> any Error {
        switch error.code {
        case .connectionRefused(.badCredentials), .connectionRefused(.notAuthorized), .notAuthorized:
            OperatorError(
                .conflict,
                "The broker refuses \(device). Run aqua canary create again, and then: aqua canary prepare \(directory)",
                underlying: error)
        default: error
        }
    }
}
