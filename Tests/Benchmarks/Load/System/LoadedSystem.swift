import Foundation
import Synchronization
import TestSupport

/// The devices that load the system, and their connections.
struct FleetLoad: Sendable {
    var shape: FleetShape
    /// The devices in the database; in the plain shape all of them report.
    var devices: Int
    /// The number of people who watch each device besides its owner.
    var watchers = 0
    /// The number of reporting devices, if each has a connection of its own.
    var connections: Int
    var plan: BreachPlan
    var seed: UInt64
    var push = PushKind.webhook
}

/// The whole system with a fleet in its database, and a load generator that publishes for the fleet.
struct LoadedSystem: Sendable {
    let system: TestSystem
    let fleet: ConnectedFleet
    let generator: LoadGenerator
    let arrivals: ArrivalBook
    let counters: ServiceCounters
    private let directory: String

    /// Starts servers that wait for the disk, provisions the fleet, starts the services, and has every connected device
    /// report once, as in production.
    /// - Parameters:
    ///   - receivers: The number of the endpoints' hosts.
    ///   - settings: The services' variables, in addition to the addresses and credentials.
    static func with<Result: Sendable>(
        _ load: FleetLoad, receivers: Int = 1, settings: [String: [String: String]] = [:],
        _ body: @Sendable @escaping (LoadedSystem) async throws -> Result
    ) async throws -> Result {
        let arrivals = ArrivalBook(devices: load.devices)
        return try await PushSink.with(load.push, hosts: receivers) {
            arrivals.arrived($0)
        } body: { sink in
            step("Starting servers that wait for the disk")
            let settings = settings.merging(["aqua-notifier": sink.settings]) { $0.merging($1) { $1 } }
            return try await TestSystem.with(durability: .full, settings: settings) { system in
                try await requireDurability(system.database)
                step(
                    "Adding \(load.devices) devices, each with an owner, \(load.watchers) watchers, nine limits a person and an endpoint"
                )
                try await Fleet(devices: load.devices, watchers: load.watchers).provision(system, sink: sink)
                let fleet = try await ConnectedFleet.prepare(
                    load.shape, devices: load.devices, connections: load.connections, name: "bench_load",
                    system.cluster.broker)
                step("Connecting \(fleet.members.count) clients (fleet: \(load.shape.rawValue))")
                try system.startServices(notifier: sink.notifier)
                let counters = try await ServiceCounters(system)
                return try await LoadGenerator.with(fleet, plan: load.plan, seed: load.seed, breaches: arrivals) {
                    try await body(
                        LoadedSystem(
                            system: system, fleet: fleet, generator: $0, arrivals: arrivals, counters: counters,
                            directory: system.cluster.directory))
                }
            }
        }
    }

    // MARK: Watching

    /// The number of published messages that are not decided yet, wherever they wait.
    func backlog() async throws -> Int {
        let decided = try await counters.decided()
        return generator.published.load(ordering: .acquiring) - decided
    }

    /// Has each connected device report once, so that every service knows it.
    func warmUp() async throws {
        step("Having each device report once")
        let devices = fleet.members.reduce(0) { $0 + $1.devices.count }
        generator.publish(.init(rate: 10_000, rounds: 1))
        try await awaitFact("the first reports", within: .seconds(600)) {
            generator.published.load(ordering: .acquiring) == devices ? true : nil
        }
        try await drain()
    }

    /// Waits until every message is decided and every alert has arrived.
    func drain(within limit: Duration = .seconds(300)) async throws {
        generator.pause()
        do {
            try await awaitFact("the end of the backlog", within: limit) {
                let counts = arrivals.counts
                return try await backlog() == 0 && counts.announced == counts.arrived ? true : nil
            }
        } catch let error as TestSupportError {
            let counts = arrivals.counts
            throw TestSupportError(
                "\(error): \(try await backlog()) messages wait, \(counts.arrived) of \(counts.announced) alerts came")
        }
    }

    /// - Throws: `TestSupportError` unless every published message is stored once and every breach has led to one
    ///   alert.
    /// - Parameter history: The number of samples stored before the load.
    func requireNothingLost(beside history: Int = 0) async throws {
        let published = generator.published.load(ordering: .acquiring)
        let stored = try await system.database.sql("SELECT count(*) - \(history) FROM sample")
        let rejected = try await system.database.sql(
            "SELECT (SELECT count(*) FROM reject) + count(*) FROM device_reject")
        guard stored == "\(published)", rejected == "0" else {
            throw TestSupportError("Of \(published) messages \(stored) are stored and \(rejected) were rejected")
        }
        try arrivals.requireAllArrived()
    }

    // MARK: Cost

    /// The resource usage of each process, under its name in the report.
    func usage() throws -> [String: ProcessUsage] {
        var usage: [String: ProcessUsage] = [:]
        for program in TestSystem.services {
            let name = program.dropFirst("aqua-".count)
            usage[String(name)] = ProcessUsage.ofTree(try system.process(program).pid)
        }
        for (name, program) in [("postgres", "postgres"), ("broker", "mosquitto")] {
            guard let process = ProcessUsage.find(program, in: directory) else {
                throw TestSupportError("The process of \(program) is not to be found")
            }
            usage[name] = ProcessUsage.ofTree(process)
        }
        usage["load_generator"] = ProcessUsage(
            cpuSeconds: Double(generator.cpuNanoseconds.load(ordering: .relaxed)) / 1e9, memoryMiB: 0)
        return usage
    }
}

/// - Throws: `TestSupportError` if commits do not wait for the disk.
func requireDurability(_ database: TestDatabase) async throws {
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        guard try await database.sql("SHOW \(setting)") == "on" else {
            throw TestSupportError("PostgreSQL's \(setting) is off: its figures would mean nothing")
        }
    }
}
