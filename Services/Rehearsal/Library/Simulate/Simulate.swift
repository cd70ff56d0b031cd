import ArgumentParser
import Operator
import ServiceKit
import WaterQuality

/// `aqua-rehearsal simulate`
struct Simulate: OperatorCommand {
    static let configuration = CommandConfiguration(
        abstract: "Publishes what many ESP32 devices would.",
        discussion: """
            Each device has its own connection, with its id as the user and its device key as the password, and publishes its
            nine parameters at the interval: QoS 1, the time in the payload, a retained status, "offline" as the will. Values
            drift slowly within the default ranges, with the noise of the probes; --seed makes a run repeatable.

            The devices must exist. Without --device they are sim-0001 and so on: aqua device add sim-0001

            --breach 10 lets 10 % of the devices, chosen by the seed, leave the default range with one parameter each;
            --breach temperature lets that parameter of every device leave it. They are out within a minute, stay out for ten,
            come back, and go again every twenty minutes (simulated time).

            --speed 10 publishes ten times as often and lets the water change ten times as fast; the time in the payload
            stays the clock's.

            Example:  aqua-rehearsal simulate --devices 3 --interval 2s --breach temperature
            """)

    @Option(help: "How many devices (default: as many as --device names, or 1).")
    var devices: Int?

    @Option(name: .customLong("device"), parsing: .singleValue, help: "The id of an existing device; repeatable.")
    var ids: [DeviceArgument] = []

    @Option(help: "Simulated time between two messages of a device.")
    var interval = DurationArgument(.seconds(30))

    @Option(help: "How much faster than real time.")
    var speed = SpeedArgument(1)

    @Option(help: ArgumentHelp("Leave the default ranges: a percentage of devices, or a parameter.", valueName: "P"))
    var breach: Breach?

    @Option(help: "Where the random numbers begin.")
    var seed: UInt64 = 1

    @Option(help: "Stop by itself after so long (real time).")
    var duration: DurationArgument?

    @OptionGroup var output: OutputOptions

    /// Firmware never publishes at shorter intervals; they would only load one connection.
    private static let shortest = Duration.milliseconds(10)
    private static let summaryInterval = Duration.seconds(10)

    func run(in context: OperatorContext) async throws {
        try await run(in: context, until: await stopSignal(after: duration?.duration))
    }

    /// - Parameters:
    ///   - access: nil to derive the devices' passwords from the master key.
    ///   - past: The devices' last measurements, and their age.
    func run(
        in context: OperatorContext, access: DeviceAccess? = nil,
        after past: (values: [Parameter: Steps], age: Duration)? = nil, until stop: @escaping Stop
    ) async throws {
        let access = if let access { access } else { try await DeviceAccess.of(hardwareIDs, in: context) }
        let tally = SimulationTally()
        let simulation = Simulation(
            devices: hardwareIDs, plan: plan, seed: seed, breach: breach, past: past, access: access, tally: tally,
            clock: context.clock)
        context.console.complain("\(hardwareIDs.count) devices publish every \(plan.interval); Ctrl-C stops them.")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await summarize(tally, in: context) }
            group.addTask { try await simulation.run(until: stop) }
            defer { group.cancelAll() }
            try await group.next()
        }
        try context.console.showLine(tally.counts, output)
    }

    private func summarize(_ tally: SimulationTally, in context: OperatorContext) async throws {
        while true {
            try await Task.sleep(for: Self.summaryInterval)
            try context.console.showLine(tally.counts, output)
        }
    }

    private var plan: SimulatedDevice.Plan {
        SimulatedDevice.Plan(interval: interval.duration / speed.factor, step: interval.duration)
    }

    /// The devices' ids, which `validate` has checked.
    private var hardwareIDs: [Device.HardwareID] {
        ids.isEmpty ? Self.standardIDs(devices ?? 1) : ids.map(\.id)
    }

    static func standardIDs(_ count: Int) -> [Device.HardwareID] {
        (0..<count).compactMap { index in
            let number = String(index + 1)
            return Device.HardwareID("sim-" + String(repeating: "0", count: max(0, 4 - number.count)) + number)
        }
    }

    func validate() throws {
        if let devices, devices < 1 { throw ValidationError("--devices is at least 1.") }
        if let devices, !ids.isEmpty, devices != ids.count {
            throw ValidationError(
                "--devices \(devices) and \(ids.count) times --device contradict each other; leave --devices out.")
        }
        if Set(ids).count != ids.count { throw ValidationError("A device is named twice; each has one connection.") }
        if plan.interval < Self.shortest {
            throw ValidationError(
                "That is one message every \(plan.interval) per device; at most one in \(Self.shortest) works.")
        }
    }
}
