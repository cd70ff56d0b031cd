import ArgumentParser
import Foundation

/// Measures the real binaries and servers with their default durability, and beside each figure the floors of the same
/// machine in the same minute. `deploy/bench` builds and starts it.
@main
struct Benchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy/bench", abstract: "Measures the whole system on private servers that wait for the disk.",
        subcommands: [BenchNotifier.self])

    @Option(help: "Measure this part alone.")
    var only: Part?
    @Option(help: "How many single breaches to measure.")
    var count = 100
    @Option(help: "How many devices the fleet of the loaded system has.")
    var devices = 100_000
    @Option(help: "How many people watch each device beside its owner, in sustained.")
    var watchers = 0
    @Option(help: "How the fleet speaks: tls (a connection and a user for each device that reports) or plain.")
    var fleet = FleetShape.tls
    @Option(help: "How many devices report over TLS.")
    var connections = 2_000
    @Option(help: "How many seconds the sustained rate is held.")
    var seconds = 600
    @Option(help: "How many hosts the receivers of a storm are behind; mail and apps have one.")
    var receivers = 200
    @Option(help: "The kind of endpoints in storm and fairness: \(PushKind.list).")
    var push = PushKind.webhook
    @Option(help: "How many messages wait for the engine in backlog.")
    var messages = 10_000_000
    @Option(help: "How many requests of people a second there are beside, in sustained.")
    var requests = 0
    @Option(help: "How many event streams are open in gateway.")
    var listeners = 10_000
    @Option(
        help:
            "How many people share the devices in gateway, as members of projects of 200 devices; 0: each has one of their own."
    )
    var members = 0
    @Option(help: "How many readings are stored in map.")
    var readings = 20_000_000
    @Option(help: "Hold this many messages a second instead of looking for the highest rate.")
    var rate: Double?
    @Option(help: "Chooses the random pauses and values.")
    var seed: UInt64 = 1
    @Flag(help: "Print one JSON object instead of tables.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(count) else { throw ValidationError("--count is a number from 1 to 10000.") }
        guard (100...1_000_000).contains(devices) else {
            throw ValidationError("--devices is a number from 100 to 1000000.")
        }
        guard (0...20).contains(watchers) else { throw ValidationError("--watchers is a number from 0 to 20.") }
        guard (1...20_000).contains(connections) else {
            throw ValidationError("--connections is a number from 1 to 20000.")
        }
        guard (60...86_400).contains(seconds) else {
            throw ValidationError("--seconds is a number from 60 to 86400.")
        }
        guard (1_000...100_000_000).contains(messages) else {
            throw ValidationError("--messages is a number from 1000 to 100000000.")
        }
        guard (1...50_000).contains(listeners) else {
            throw ValidationError("--listeners is a number from 1 to 50000.")
        }
        guard members == 0 || (Projects.fewest...1_000).contains(members) else {
            throw ValidationError("--members is 0, or a number from \(Projects.fewest) to 1000.")
        }
        guard (1_000_000...1_000_000_000).contains(readings) else {
            throw ValidationError("--readings is a number from 1000000 to 1000000000.")
        }
        guard (0...2_000).contains(requests) else {
            throw ValidationError("--requests is a number from 0 to 2000.")
        }
        guard (1...1_000).contains(receivers) else {
            throw ValidationError("--receivers is a number from 1 to 1000.")
        }
    }

    func run() async throws {
        var report = BenchmarkReport(machine: .current())
        for part in only.map({ [$0] }) ?? Part.allCases {
            switch part {
            case .sustained:
                report.sustained = try await SustainedMeasurement(
                    shape: fleet, devices: devices, watchers: watchers, connections: connections, seed: seed,
                    rate: rate, seconds: seconds, requests: requests
                ).run()
            case .storm:
                report.storm = try await StormMeasurement(
                    devices: devices, receivers: receivers, push: push, seed: seed
                ).run()
            case .fairness: report.fairness = try await FairnessMeasurement(push: push).run()
            case .latency:
                report.latency = try await LatencyMeasurement(count: count, seed: seed).run()
            case .pure:
                report.pure = try PureMeasurement(seed: seed).run()
            case .storage:
                report.storage = try await StorageMeasurement(seed: seed).run()
            case .backlog: report.backlog = try await BacklogMeasurement(messages: messages, seed: seed).run()
            case .gateway:
                report.gateway = try await GatewayMeasurement(
                    listeners: listeners, projects: members == 0 ? nil : Projects(members: members), seed: seed
                ).run()
            case .map: report.map = try await MapMeasurement(readings: readings, seed: seed).run()
            case .upkeep:
                report.upkeep = try await UpkeepMeasurement(devices: devices, seed: seed).run()
            }
        }
        report.machine.loadAtEnd = Machine.load()
        print(json ? try report.json() : report.text)
    }
}

/// The parts that can be measured alone.
enum Part: String, CaseIterable, ExpressibleByArgument {
    /// From a device's publish to the arrival of the alert.
    case latency
    /// The highest rate at which queues stay level, its cost, and the latency at half of it.
    case sustained
    /// Every device out of range at once.
    case storm
    /// What one person's alert waits for while another person has many due at the same service.
    case fairness
    /// Decisions, decoded payloads and signatures of one core.
    case pure
    /// The disk space of readings, and the time to query them.
    case storage
    /// An engine that starts after a day without one.
    case backlog
    /// The requests that people wait for: last values, series, events.
    case gateway
    /// The cost of rolling up an hour of the fleet.
    case upkeep
    /// The map of change, OGC API Features and SensorThings.
    case map
}

/// Reports progress on the standard error: the standard output holds only the result.
func step(_ text: String) {
    FileHandle.standardError.write(Data("==> \(text)\n".utf8))
}
