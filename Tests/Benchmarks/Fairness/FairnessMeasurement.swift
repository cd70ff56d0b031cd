import TestSupport
import WaterQuality

/// Measures how long an alert takes from its decision to its arrival: alone, and while another person has 10,000 due at the same
/// service. Only a Notifier works; alerts are stored as an engine stores them.
///
/// Each measured alert is of a person of its own, who has nothing else due: by its endpoint it is known when it arrives, whatever its
/// message tells.
struct FairnessMeasurement: Sendable {
    let push: PushKind

    /// How many alerts of the first person are due, all the time.
    static let due = 10_000
    private static let pause = Duration.milliseconds(250)
    /// Each for half a minute.
    private static let measured = 120
    /// Before the first measured one: the host has to be known, and connections open.
    private static let warmUp = 20
    /// The time after which an alert counts as lost.
    private static let patience = Duration.seconds(300)

    func run() async throws -> FairnessFigures {
        let people = 1 + Self.warmUp + 2 * Self.measured
        let arrivals = ArrivalBook(devices: people)
        let crowd = Crowd()
        return try await PushSink.with(push) { arrival in
            if arrival.breach.device == Crowd.device { crowd.noteArrival() } else { arrivals.arrived(arrival) }
        } body: { sink in
            step("Starting servers that wait for the disk")
            return try await TestSystem.with(durability: .full, settings: ["aqua-notifier": sink.settings]) { system in
                try await requireDurability(system.database)
                step("Adding \(people) people, each with a device and an endpoint")
                try await Fleet(devices: people).provision(system, sink: sink)
                try system.start("aqua-notifier", by: sink.notifier)
                try await system.process("aqua-notifier").untilReady()
                return try await measure(arrivals, crowd, system.database)
            }
        }
    }

    private func measure(
        _ arrivals: ArrivalBook, _ crowd: Crowd, _ database: TestDatabase
    ) async throws -> FairnessFigures {
        try await DueAlerts.with(database) { alerts in
            var next = Crowd.device + 1
            func devices(_ count: Int) -> Range<Int> {
                defer { next += count }
                return next..<next + count
            }
            _ = try await follow(devices(Self.warmUp), alerts, arrivals)
            step("Measuring \(Self.measured) alerts alone")
            let alone = try await follow(devices(Self.measured), alerts, arrivals)
            step("Measuring \(Self.measured) alerts beside \(Self.due) of another person")
            let measured = devices(Self.measured)
            let (beside, perSecond) = try await crowd.with(Self.due, in: database) {
                try await follow(measured, alerts, arrivals)
            }
            try arrivals.requireAllArrived()
            return FairnessFigures(
                push: push, due: Self.due, alone: alone, beside: beside, duePerSecond: perSecond)
        }
    }

    /// Decides an alert of each device, one after the other at a steady pace, and waits for all of them.
    private func follow(
        _ devices: Range<Int>, _ alerts: DueAlerts, _ arrivals: ArrivalBook
    ) async throws -> [Duration] {
        let before = arrivals.latencies.count
        var next = ContinuousClock.now
        for device in devices {
            arrivals.published(Breach(device: device, parameter: DueAlerts.parameter))
            try await alerts.decide(1, of: device)
            next += Self.pause
            try await Task.sleep(until: next)
        }
        try await awaitFact("the alerts of \(devices.count) people", within: Self.patience) {
            let counts = arrivals.counts
            return counts.arrived == counts.announced ? true : nil
        }
        return Array(arrivals.latencies.dropFirst(before))
    }
}
