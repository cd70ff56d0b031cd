import Instants
import MQTTFleet
import ServiceKit
import TestSupport
import WaterQuality

/// Measures single breaches, one after the other, on an otherwise idle system.
struct LatencyMeasurement: Sendable {
    /// The number of measured breaches.
    let count: Int
    /// The seed of the pauses.
    let seed: UInt64

    /// The number of breaches before the first measured one.
    private static let warmUp = 10
    private static let email = "bench@example.org"
    /// The time after which an alert counts as lost.
    private static let patience = Duration.seconds(30)

    func run() async throws -> LatencyFigures {
        step("Starting servers that wait for the disk")
        return try await TestSystem.with(durability: .full, receiver: .http2) { system in
            try await requireDurability(system.database)
            let passwords = try await provision(system)
            try system.startServices()
            for program in TestSystem.services { try await system.process(program).untilReady() }
            return try await MQTTFleet.with { fleet in
                let probes = try await connect(passwords, system, fleet)
                return try await measure(system, probes, fleet)
            }
        }
    }

    /// - Returns: The device and its MQTT password.
    private func provision(_ system: TestSystem) async throws -> [(device: String, password: String)] {
        let total = Self.warmUp + count
        step("Adding a person with \(total) devices")
        _ = try await system.addPerson(Self.email)
        var added: [(device: String, password: String)] = []
        for number in 1...total {
            let device = "bench-\(number)"
            added.append((device, try await system.addDevice(device, of: Self.email, name: "Tank \(number)")))
        }
        return added
    }

    /// Connects the devices and publishes one reading in range for each, as every device does before its first breach.
    private func connect(
        _ passwords: [(device: String, password: String)], _ system: TestSystem, _ fleet: MQTTFleet
    ) async throws -> [Probe] {
        step("Connecting them")
        var probes: [Probe] = []
        for (device, password) in passwords {
            let probe = try await Probe.connect(device, password: password, to: system.cluster.broker, fleet)
            try await probe.publish(probe.reading(.inRange, at: now))
            probes.append(probe)
        }
        try await system.settle(messages: probes.count)
        // Writes the preparations' data to disk before the measurement.
        try await system.database.sql("CHECKPOINT")
        return probes
    }

    private func measure(
        _ system: TestSystem, _ probes: [Probe], _ fleet: MQTTFleet
    ) async throws -> LatencyFigures {
        step("Measuring \(count) single breaches after a warm-up of \(Self.warmUp)")
        var pauses = SeededGenerator(seed: seed)
        let (observed, floors) = try await LatencyFloors.with(system, fleet) { floors in
            var observed: [ObservedBreach] = []
            var samples: [LatencyFloors.Sample] = []
            for probe in probes {
                try await pause(&pauses)
                samples.append(try await floors.measure())
                try await pause(&pauses)
                observed.append(try await breach(probe, system.sink))
            }
            return (observed, samples)
        }
        try await system.settle(messages: probes.count * 2)
        let noted = try await NotedTimes.read(system.database)
        let breaches = try observed.map { breach in
            guard let noted = noted[breach.device] else {
                throw TestSupportError("No delivery of the alert of \(breach.device) is recorded")
            }
            return MeasuredBreach(breach, noted)
        }
        guard try await system.database.sql("SELECT (SELECT count(*) FROM reject) + count(*) FROM device_reject") == "0"
        else {
            throw TestSupportError("Some of the messages were rejected")
        }
        return LatencyFigures(
            Array(breaches.dropFirst(Self.warmUp)), LatencyFigures.Floors(Array(floors.dropFirst(Self.warmUp))))
    }

    private func breach(_ probe: Probe, _ sink: WebhookSink) async throws -> ObservedBreach {
        let requestsBefore = sink.received.count
        let time = now
        let message = probe.reading(.tooWarm, at: time)
        let publishedAt = now.microseconds
        let started = ContinuousClock.now
        try await probe.publish(message)
        let requests: [WebhookSink.Request]
        do {
            requests = try await sink.requests(requestsBefore + 1, within: Self.patience)
        } catch let error as TestSupportError {
            throw TestSupportError("The alert of \(probe.device) did not arrive: \(error)")
        }
        let request = requests[requestsBefore]
        guard requests.count == requestsBefore + 1,
            String(decoding: request.body, as: UTF8.self).contains(#""id":"\#(probe.device)""#)
        else { throw TestSupportError("Something else than the alert of \(probe.device) arrived at the receiver") }
        return ObservedBreach(
            device: probe.device, publishedAt: publishedAt, latency: request.received - started)
    }

    private func pause(_ generator: inout SeededGenerator) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 100...300, using: &generator)))
    }

    private var now: Timestamp { WallClock.system.now() }
}
