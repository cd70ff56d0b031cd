import Foundation
import Synchronization
import TestSupport

/// The highest rate at which queues stay level, what it costs, and how long an alert takes at half of it.
struct SustainedMeasurement: Sendable {
    let devices: Int
    let seed: UInt64
    /// Skips the search: hold this rate.
    let rate: Double?
    /// Of the messages, with a temperature beyond the maximum.
    static let breachShare = 0.01
    static let hold = 60
    /// How many messages may wait while the capacity is looked for: enough to keep everybody busy.
    private static let window = 20_000
    private static let searching = 20
    private static let mostAttempts = 8

    func run() async throws -> SustainedFigures {
        try await LoadedSystem.with(devices: devices, breachShare: Self.breachShare, seed: seed) { loaded in
            try await loaded.warmUp(devices)
            let capacity: Double
            if let rate { capacity = rate } else { capacity = try await findCapacity(loaded) }
            let (level, cost) = try await findLevelRate(loaded, below: capacity)
            let half = try await measureHalfLoad(loaded, rate: level.rate / 2)
            let floor = try await measureFloor(loaded)
            try await loaded.requireNothingLost()
            return SustainedFigures(devices: devices, held: level, cost: cost, halfLoad: half, floor: floor)
        }
    }

    /// Messages a second when there are always enough of them.
    private func findCapacity(_ loaded: LoadedSystem) async throws -> Double {
        step("Looking for the capacity")
        loaded.generator.publish(.init(rate: nil))
        let start = try await loaded.counters.decided()
        let clock = ContinuousClock()
        let started = clock.now
        var decided = start
        while clock.now - started < .seconds(Self.searching) {
            decided = try await loaded.counters.decided()
            loaded.generator.ceiling.store(decided + Self.window, ordering: .releasing)
            try await Task.sleep(for: .milliseconds(50))
        }
        let capacity = Double(decided - start) / ((clock.now - started) / .seconds(1))
        try await loaded.drain()
        step("Capacity with \(Self.window) messages waiting: \(Int(capacity)) messages/s")
        return capacity
    }

    private func findLevelRate(
        _ loaded: LoadedSystem, below capacity: Double
    ) async throws -> (BacklogSamples, ServiceCost) {
        var rate = (capacity * (rate == nil ? 0.96 : 1)).rounded(.down)
        for _ in 0..<Self.mostAttempts {
            let (samples, cost) = try await hold(loaded, rate: rate)
            if samples.isLevel { return (samples, cost) }
            rate = (rate * 0.94).rounded(.down)
        }
        throw TestSupportError("Queues stayed level at no rate down to \(Int(rate)) messages/s")
    }

    private func hold(_ loaded: LoadedSystem, rate: Double) async throws -> (BacklogSamples, ServiceCost) {
        step("Holding \(Int(rate)) messages/s for \(Self.hold) s")
        let before = loaded.generator.published.load(ordering: .acquiring)
        let usage = try loaded.usage()
        var samples = BacklogSamples(rate: rate)
        loaded.generator.publish(.init(rate: rate))
        for _ in 0..<Self.hold {
            try await Task.sleep(for: .seconds(1))
            // What the generator owes counts as waiting: a broker that does not keep up takes less.
            let late = loaded.generator.due - loaded.generator.published.load(ordering: .acquiring)
            samples.append(try await loaded.backlog() + max(0, late))
        }
        let messages = loaded.generator.published.load(ordering: .acquiring) - before
        let cost = ServiceCost(from: usage, to: try loaded.usage(), messages: messages)
        step("\(samples.isLevel ? "Level" : "Not level"): waiting each second \(samples.backlog)")
        try await loaded.drain()
        return (samples, cost)
    }

    private func measureHalfLoad(_ loaded: LoadedSystem, rate: Double) async throws -> SustainedFigures.HalfLoad {
        let before = loaded.arrivals.latencies.count
        _ = try await hold(loaded, rate: rate.rounded(.down))
        let latencies = loaded.arrivals.latencies.dropFirst(before)
        return SustainedFigures.HalfLoad(rate: rate, alerts: latencies.count, latency: Distribution(Array(latencies)))
    }

    /// What the broker alone moves from the same generator to a reader that does nothing with it, with the services stopped.
    private func measureFloor(_ loaded: LoadedSystem) async throws -> Double {
        step("Measuring what the broker alone moves")
        for program in TestSystem.services { await loaded.system.stop(program) }
        let mover = BrokerFloor(broker: loaded.system.cluster.broker)
        return try await mover.messagesPerSecond()
    }
}
