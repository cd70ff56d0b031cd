import Foundation
import Synchronization
import TestSupport

/// Measures the highest rate at which queues stay level, its cost, and the latency of alerts at half of it.
struct SustainedMeasurement: Sendable {
    let shape: FleetShape
    let devices: Int
    let watchers: Int
    let connections: Int
    let seed: UInt64
    /// The rate to hold instead of searching for the highest.
    let rate: Double?
    /// The seconds for which the final rate is held.
    let seconds: Int
    /// People's requests a second while the final rate is held.
    let requests: Int

    /// The share of messages with a parameter beyond its limits.
    static let breachShare = 0.01
    /// The seconds for which a rate is held during the search, and half the highest rate afterwards.
    private static let trial = 60
    /// The number of messages that may wait during the search for the capacity: enough to keep all services busy.
    private static let window = 20_000
    private static let searching = 20
    private static let mostAttempts = 8
    /// In production some values recover while others leave their range. Here a throttle of a minute replaces the half
    /// hour, so that alarms and all-clears occur throughout the measurement.
    private static let settings = ["aqua-rules": ["AQUA_THROTTLE": "1m", "AQUA_RECOVERY_DELAY": "20s"]]
    private static let rest = Duration.seconds(75)

    func run() async throws -> SustainedFigures {
        let load = FleetLoad(
            shape: shape, devices: devices, watchers: watchers, connections: connections,
            plan: shape == .plain
                ? .once(share: Self.breachShare) : .recurring(share: Self.breachShare, rest: Self.rest), seed: seed)
        var settings = shape == .plain ? [:] : Self.settings
        settings["aqua-gateway"] = PeopleBeside.settings
        return try await LoadedSystem.with(load, settings: settings) { loaded in
            let people = try await PeopleBeside.start(requests, devices: devices, loaded.system)
            let past = shape == .plain ? nil : PastHours(devices: min(devices, 20_000), hours: 4, seed: seed)
            if let past { step("Storing \(past.hours) hours of \(past.devices) devices, to be rolled up") }
            let since = try await past?.store(in: loaded.system.database)
            try await loaded.warmUp()
            let capacity: Double
            if let rate { capacity = rate } else { capacity = try await findCapacity(loaded) }
            let level = try await findLevelRate(loaded, below: capacity, beside: people) {
                if let since { try await PastHours.rollUpAgain(since: since, in: loaded.system.database) }
            }
            let half = try await measureHalfLoad(loaded, rate: level.samples.rate / 2)
            try await loaded.requireNothingLost(beside: past?.samples ?? 0)
            let floor = try await measureFloor(loaded)
            return SustainedFigures(
                load: load, members: loaded.fleet.members.count, held: level, halfLoad: half, floor: floor)
        }
    }

    /// The messages a second while there are always messages waiting.
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

    /// A rate that stayed level in a trial and then for the whole duration.
    private func findLevelRate(
        _ loaded: LoadedSystem, below capacity: Double, beside people: PeopleBeside?,
        beforeHolding: () async throws -> Void
    ) async throws -> HeldRate {
        var rate = (capacity * (rate == nil ? 0.96 : 1)).rounded(.down)
        for _ in 0..<Self.mostAttempts {
            var isPromising = seconds == Self.trial
            if !isPromising { isPromising = try await hold(loaded, rate: rate, seconds: Self.trial).samples.isLevel }
            if isPromising {
                try await beforeHolding()
                let held = try await hold(loaded, rate: rate, seconds: seconds, beside: people)
                if held.samples.isLevel { return held }
            }
            rate = (rate * 0.94).rounded(.down)
        }
        throw TestSupportError("Queues stayed level at no rate down to \(Int(rate)) messages/s")
    }

    private func hold(
        _ loaded: LoadedSystem, rate: Double, seconds: Int, beside people: PeopleBeside? = nil
    ) async throws -> HeldRate {
        step("Holding \(Int(rate)) messages/s for \(seconds) s")
        let before = loaded.generator.published.load(ordering: .acquiring)
        let (alarms, recoveries) = (loaded.arrivals.counts.arrived, loaded.arrivals.recoveries)
        let rolledUp = try await loaded.counters.rolledUp()
        let usage = try loaded.usage()
        var samples = BacklogSamples(rate: rate)
        loaded.generator.publish(.init(rate: rate))
        async let looked = people?.look(seconds: seconds, seed: seed)
        for _ in 0..<seconds {
            try await Task.sleep(for: .seconds(1))
            // Messages that the generator could not send count as waiting: a broker that cannot keep up accepts fewer.
            let late = loaded.generator.due - loaded.generator.published.load(ordering: .acquiring)
            samples.append(try await loaded.backlog() + max(0, late))
        }
        let messages = loaded.generator.published.load(ordering: .acquiring) - before
        let held = HeldRate(
            samples: samples, cost: ServiceCost(from: usage, to: try loaded.usage(), messages: messages),
            seconds: seconds, alarms: loaded.arrivals.counts.arrived - alarms,
            recoveries: loaded.arrivals.recoveries - recoveries,
            hoursRolledUp: try await loaded.counters.rolledUp() - rolledUp, people: try await looked)
        step("\(samples.isLevel ? "Level" : "Not level"): waiting each second \(samples.backlog)")
        try await loaded.drain()
        return held
    }

    private func measureHalfLoad(_ loaded: LoadedSystem, rate: Double) async throws -> SustainedFigures.HalfLoad {
        let before = loaded.arrivals.latencies.count
        _ = try await hold(loaded, rate: rate.rounded(.down), seconds: Self.trial)
        let latencies = loaded.arrivals.latencies.dropFirst(before)
        return SustainedFigures.HalfLoad(rate: rate, alerts: latencies.count, latency: Distribution(Array(latencies)))
    }

    /// The rate of the broker alone, from the same generator to a reader that discards the messages, with the services
    /// stopped.
    private func measureFloor(_ loaded: LoadedSystem) async throws -> Double {
        step("Measuring what the broker alone moves")
        for program in TestSystem.services { await loaded.system.stop(program) }
        let mover = BrokerFloor(broker: loaded.system.cluster.broker, generator: loaded.generator)
        return try await mover.messagesPerSecond()
    }
}

/// The observations while a rate was held.
struct HeldRate: Sendable {
    let samples: BacklogSamples
    let cost: ServiceCost
    let seconds: Int
    let alarms: Int
    let recoveries: Int
    /// The number of slots' hours rolled up.
    let hoursRolledUp: Int
    let people: SustainedFigures.People?
}
