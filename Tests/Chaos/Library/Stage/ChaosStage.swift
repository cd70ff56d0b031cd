import Backoff
import Foundation
import Glibc
import MQTT
import TestSupport

/// Everything that a round needs: servers, services behind proxies, devices, receivers.
struct ChaosStage: Sendable {
    static let email = "kim@example.org"
    /// Short, so that many alerts come in a minute; all else is as in operation.
    static let throttle = Duration.seconds(2)
    static let recoveryDelay = Duration.seconds(1)
    private static let probes = 30

    let system: TestSystem
    let links: Links
    let services: Supervisor
    let fleet: MQTTFleet
    let probes: [Probe]
    /// Asks for receipts; when its reading is stored, so is all that was handed over before.
    let marker: Probe
    let second: WebhookSink
    let disk: SmallDisk?

    static func with<Result: Sendable>(
        _ body: @Sendable @escaping (ChaosStage) async throws -> Result
    ) async throws -> Result {
        try await Links.with { links in
            let allowed = [links[.notifierEndpoint], links.secondEndpoint].map { "\($0.host)/32:\($0.port)" }
            let push = ["AQUA_PUSH_ALLOW": allowed.joined(separator: ",")]
            let rules = [
                "AQUA_THROTTLE": "\(throttle.microseconds / 1000)ms",
                "AQUA_RECOVERY_DELAY": "\(recoveryDelay.microseconds / 1000)ms",
            ]
            let settings = ["aqua": push, "aqua-notifier": push, "aqua-rules": rules]
            return try await TestSystem.with(durability: .full, settings: settings) { system in
                try await WebhookSink.with { second in
                    let disk = try await SmallDisk.holding(system.cluster)
                    return try await with(system, links, second, disk, body)
                }
            }
        }
    }

    private static func with<Result: Sendable>(
        _ system: TestSystem, _ links: Links, _ second: WebhookSink, _ disk: SmallDisk?,
        _ body: @Sendable @escaping (ChaosStage) async throws -> Result
    ) async throws -> Result {
        let cluster = system.cluster
        for link in [Fault.Link.ingestorDatabase, .rulesDatabase, .notifierDatabase] {
            try links[link].lead(to: cluster.database.port)
        }
        try links[.ingestorBroker].lead(to: cluster.broker.servicesPort)
        try links[.notifierEndpoint].lead(to: system.sink.port)
        try links.secondEndpoint.lead(to: second.port)
        let passwords = try await provision(system, links)
        let environments = { @Sendable (program: Fault.Program) in try environment(of: program, system, links) }
        return try await Supervisor.with(environment: environments) { services in
            try await MQTTFleet.with(backoff: Backoff(base: .milliseconds(100), cap: .seconds(1), jitter: .half)) {
                fleet in
                var connected: [Probe] = []
                for (number, (device, password)) in passwords.enumerated() {
                    connected.append(
                        try await Probe.connect(
                            device, password: password, asksForReceipts: number.isMultiple(of: 2),
                            parts: number.isMultiple(of: 3) ? 2 : 1,
                            to: cluster.broker, fleet))
                }
                let stage = ChaosStage(
                    system: system, links: links, services: services, fleet: fleet,
                    probes: Array(connected.dropFirst()), marker: connected[0], second: second, disk: disk)
                do { return try await stage.running { try await body(stage) } } catch {
                    say(services.tails)
                    throw error
                }
            }
        }
    }

    /// Adds the person with two endpoints and the devices.
    /// - Returns: The devices with their passwords; the first is the marker, which belongs to nobody.
    private static func provision(_ system: TestSystem, _ links: Links) async throws -> [(String, String)] {
        try await system.tool(["account", "add", email], input: "correct horse battery")
        for link in [links[.notifierEndpoint], links.secondEndpoint] {
            try await system.tool(["endpoint", "add", email, "--webhook", target(link), "--json"])
        }
        let marker = ("marker", try await system.addUnownedDevice("marker"))
        return try await withThrowingTaskGroup(of: (Int, (String, String)).self) { group in
            func add(_ number: Int) {
                let device = "probe-\(number)"
                group.addTask {
                    (number, (device, try await system.addDevice(device, of: email, name: "Tank \(number)")))
                }
            }
            // A few at a time: each costs two starts of the operator's tool.
            for number in 1...4 { add(number) }
            var devices: [Int: (String, String)] = [:]
            while let (number, device) = try await group.next() {
                devices[number] = device
                if devices.count + 3 < probes { add(devices.count + 4) }
            }
            return [marker] + devices.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    static func target(_ link: FaultyLink) -> String { "http://\(link.host):\(link.port)/hook" }

    private static func environment(
        of program: Fault.Program, _ system: TestSystem, _ links: Links
    ) throws -> [String: String] {
        var environment = try system.environment(of: program.executable)
        let (link, role): (Fault.Link, TestDatabase.Role) =
            switch program {
            case .ingestor: (.ingestorDatabase, .ingestor)
            case .rules: (.rulesDatabase, .rules)
            case .notifier: (.notifierDatabase, .notifier)
            }
        environment["AQUA_DATABASE_URL"] =
            "postgresql://\(role.rawValue)@127.0.0.1:\(links[link].port)/\(system.database.name)"
        if program == .ingestor { environment["AQUA_MQTT_URL"] = "mqtts://127.0.0.1:\(links[.ingestorBroker].port)" }
        return environment
    }

    /// Runs `body` with the services, while devices listen for receipts.
    private func running<Result: Sendable>(_ body: @Sendable @escaping () async throws -> Result) async throws -> Result
    {
        for program in Fault.Program.allCases { try services.add(program) }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            for probe in probes + [marker] {
                group.addTask {
                    await probe.listen()
                    return nil
                }
            }
            group.addTask {
                try await withDeadline(.seconds(60), "the first stored reading") { try await marker.report() }
                // As if the broker had run for a while: it knows the Ingestor's session after a crash.
                try system.cluster.saveBroker()
                return try await body()
            }
            defer { group.cancelAll() }
            while let next = try await group.next() {
                if let result = next { return result }
            }
            throw CancellationError()
        }
    }
}
