import Foundation
import Synchronization
import TestSupport

/// The whole system with a fleet in its database, and a load generator in the fleet's place.
struct LoadedSystem: Sendable {
    let system: TestSystem
    let generator: LoadGenerator
    let arrivals: ArrivalBook
    let counters: ServiceCounters
    private let directory: String

    private static let user = "bench_load"

    /// Starts servers that wait for the disk, provisions `devices`, starts the services and has every device report
    /// once, as they all have in operation.
    static func with<Result: Sendable>(
        devices: Int, breachShare: Double, seed: UInt64,
        _ body: @Sendable @escaping (LoadedSystem) async throws -> Result
    ) async throws -> Result {
        let arrivals = ArrivalBook(devices: devices)
        return try await PushSink.with {
            arrivals.arrived($0)
        } body: { sink in
            step("Starting servers that wait for the disk")
            return try await TestSystem.with(durability: .full, settings: ["aqua-notifier": sink.settings]) { system in
                try await requireDurability(system.database)
                step("Adding \(devices) devices, each with an owner, nine limits and an endpoint")
                let fleet = Fleet(devices: devices)
                try await fleet.provision(system, sink: sink)
                let password = UUID().uuidString
                try await system.cluster.broker.addPublisher(user, password: password)
                try system.startServices()
                let counters = try await ServiceCounters(system)
                return try await LoadGenerator.with(
                    system.cluster.broker, user: user, password: password, fleet: fleet, breachShare: breachShare,
                    seed: seed,
                    breaches: arrivals
                ) { generator in
                    let loaded = LoadedSystem(
                        system: system, generator: generator, arrivals: arrivals, counters: counters,
                        directory: system.cluster.directory)
                    return try await body(loaded)
                }
            }
        }
    }

    // MARK: Watching

    /// Messages that were published and are not decided yet, wherever they wait.
    func backlog() async throws -> Int {
        let decided = try await counters.decided()
        return generator.published.load(ordering: .acquiring) - decided
    }

    /// Has each device report once, so that every service knows it.
    func warmUp(_ devices: Int) async throws {
        step("Having each device report once")
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

    /// - Throws: `TestSupportError` unless everything that was published is stored once and every breach was told once.
    func requireNothingLost() async throws {
        let published = generator.published.load(ordering: .acquiring)
        let stored = try await system.database.sql("SELECT count(*) FROM sample")
        let rejected = try await system.database.sql("SELECT count(*) FROM reject")
        guard stored == "\(published)", rejected == "0" else {
            throw TestSupportError("Of \(published) messages \(stored) are stored and \(rejected) were rejected")
        }
        try arrivals.requireAllArrived()
    }

    // MARK: What it costs

    /// By process; the names are those of the report.
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

/// - Throws: `TestSupportError` when a commit does not wait for the disk.
func requireDurability(_ database: TestDatabase) async throws {
    for setting in ["fsync", "synchronous_commit", "full_page_writes"] {
        guard try await database.sql("SHOW \(setting)") == "on" else {
            throw TestSupportError("PostgreSQL's \(setting) is off: its figures would mean nothing")
        }
    }
}
