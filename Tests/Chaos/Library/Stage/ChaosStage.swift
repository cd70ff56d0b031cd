import Backoff
import Foundation
import Glibc
import MQTTFleet
import TestSupport

/// The environment of a round: servers, services behind proxies, devices, receivers, people's screens.
struct ChaosStage: Sendable {
    static let email = Person.kim.email
    /// A short throttle, so that a minute has many alerts; except for silence everything else is as in production.
    static let throttle = Duration.seconds(2)
    static let recoveryDelay = Duration.seconds(1)
    private static let probes = 30

    let system: TestSystem
    let links: Links
    let services: Supervisor
    let fleet: MQTTFleet
    let probes: [Probe]
    /// The tanks that people work on, one of each.
    let tanks: [WorkedTank]
    /// The marker device, which asks for receipts: once its reading is stored, so are all readings handed over before.
    let marker: Probe
    let sinks: [RoundRecord.Endpoint: WebhookSink]
    let secrets: EndpointSecrets
    /// The owner of each probe.
    let owners: [String: Person]
    let disk: SmallDisk?
    /// The machines, where PostgreSQL runs on some.
    let patroni: PatroniCluster?
    let screen: Screen

    static func with<Result: Sendable>(
        _ ground: Fault.Ground, _ body: @Sendable @escaping (ChaosStage) async throws -> Result
    ) async throws -> Result {
        try await Links.with { links in
            let allowed = RoundRecord.Endpoint.allCases.map { "\(links[$0].host)/32:\(links[$0].port)" }
            let push = ["AQUA_PUSH_ALLOW": allowed.joined(separator: ",")]
            let rules = [
                "AQUA_THROTTLE": "\(throttle.microseconds / 1000)ms",
                "AQUA_RECOVERY_DELAY": "\(recoveryDelay.microseconds / 1000)ms",
                // The shortest setting, so that a fault may last longer.
                "AQUA_SILENCE_AFTER": "1m",
            ]
            // A fixed address, which stays the same when the Gateway restarts.
            let address = "127.0.0.1:\(Ports.free())"
            let gateway = ["AQUA_PEOPLE_LISTEN": address, "AQUA_PUBLIC_URL": "http://\(address)"]
            let settings = ["aqua": push, "aqua-notifier": push, "aqua-rules": rules, "aqua-gateway": gateway]
            @Sendable func play(_ system: TestSystem, _ patroni: PatroniCluster?) async throws -> Result {
                try await WebhookSink.with { second in
                    try await WebhookSink.with { other in
                        let disk = patroni == nil ? try await SmallDisk.holding(system.cluster) : nil
                        let sinks: [RoundRecord.Endpoint: WebhookSink] = [
                            .first: system.sink, .second: second, .other: other,
                        ]
                        let screens = Person.allCases.map { Screen(origin: "http://\(address)", email: $0.email) }
                        return try await with(system, patroni, links, sinks, disk, screens, body)
                    }
                }
            }
            switch ground {
            case .oneServer:
                return try await TestSystem.with(durability: .full, settings: settings) { try await play($0, nil) }
            case .machines:
                return try await withHeavyTurn {
                    try await PatroniCluster.with { cluster, patroni in
                        try await TestSystem.with(on: cluster, settings: settings) { try await play($0, patroni) }
                    }
                }
            }
        }
    }

    private static func with<Result: Sendable>(
        _ system: TestSystem, _ patroni: PatroniCluster?, _ links: Links,
        _ sinks: [RoundRecord.Endpoint: WebhookSink], _ disk: SmallDisk?, _ screens: [Screen],
        _ body: @Sendable @escaping (ChaosStage) async throws -> Result
    ) async throws -> Result {
        let cluster = system.cluster
        if patroni == nil {
            for link in [Fault.Link.ingestorDatabase, .rulesDatabase, .notifierDatabase, .gatewayDatabase] {
                try links[link].lead(to: cluster.database.port)
            }
        }
        try links[.ingestorBroker].lead(to: cluster.broker.servicesPort)
        for (endpoint, sink) in sinks { try links[endpoint].lead(to: sink.port) }
        let secrets = EndpointSecrets()
        let passwords = try await provision(system, links, secrets)
        let environments = { @Sendable (program: Fault.Program) in
            try environment(of: program, system, patroni, links)
        }
        return try await Supervisor.with(environment: environments) { services in
            try await MQTTFleet.with(backoff: Backoff(base: .milliseconds(100), cap: .seconds(1), jitter: .half)) {
                fleet in
                var connected: [Probe] = []
                for (number, (device, password)) in passwords.enumerated() {
                    connected.append(
                        try await Probe.connect(
                            device, password: password, asksForReceipts: number.isMultiple(of: 2) || number > probes,
                            parts: number.isMultiple(of: 3) ? 2 : 1,
                            to: cluster.broker, fleet))
                }
                let stage = ChaosStage(
                    system: system, links: links, services: services, fleet: fleet,
                    probes: Array(connected[1...probes]),
                    tanks: zip(connected[(probes + 1)...], screens).map { WorkedTank($0, $1) },
                    marker: connected[0], sinks: sinks, secrets: secrets,
                    owners: Dictionary(uniqueKeysWithValues: numbers.map { ("probe-\($0)", owner(of: $0)) }),
                    disk: disk, patroni: patroni, screen: screens[0])
                do { return try await stage.running { try await body(stage) } } catch {
                    say(services.tails)
                    throw error
                }
            }
        }
    }

    /// Adds the people with their endpoints and devices.
    /// - Returns: The devices with their passwords; the first is the marker, which belongs to nobody.
    private static func provision(
        _ system: TestSystem, _ links: Links, _ secrets: EndpointSecrets
    ) async throws -> [(String, String)] {
        for person in Person.allCases {
            try await system.tool(
                ["account", "add", person.email, "--locale", person.locale], input: Screen.password)
        }
        for endpoint in RoundRecord.Endpoint.allCases { try await add(endpoint, system, links, secrets) }
        let marker = ("marker", try await system.addUnownedDevice("marker"))
        return try await withThrowingTaskGroup(of: (Int, (String, String)).self) { group in
            func add(_ number: Int) {
                let (device, person) = ("probe-\(number)", owner(of: number))
                group.addTask {
                    let password = try await system.addDevice(
                        device, of: person.email, name: displayName(of: device))
                    if person == .lee {
                        // The same limits, in this person's unit.
                        try await system.tool(
                            ["range", "set", person.email, device, "temperature", "--min", "53.6", "--max", "75.2"]
                                + ["--unit", "F"])
                    }
                    if number > probes {
                        try await system.tool(
                            ["range", "set", person.email, device, "salinity", "--critical-max", "8"])
                    }
                    return (number, (device, password))
                }
            }
            // Adds a few at a time, because each device costs two starts of the operator's tool.
            for number in 1...4 { add(number) }
            var devices: [Int: (String, String)] = [:]
            while let (number, device) = try await group.next() {
                devices[number] = device
                if devices.count + 3 < numbers.upperBound { add(devices.count + 4) }
            }
            try await letPeopleWork(system)
            return [marker] + devices.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// Lets people enter work as if they had had their tanks for long, and as often as there are rounds.
    private static func letPeopleWork(_ system: TestSystem) async throws {
        try await system.database.sql(
            """
            UPDATE ownership SET linked_at = linked_at - interval '8 days';
            UPDATE growth_bound SET a_day = 1000000, in_all = 1000000 WHERE held = 'water_work';
            """)
    }

    /// The devices: probes, and behind them a tank that each person works on.
    private static let numbers = 1...probes + Person.allCases.count

    /// The owner of a device; the last few probes belong to the other person.
    private static func owner(of number: Int) -> Person {
        number > probes ? Person.allCases[number - probes - 1] : number > probes - 6 ? .lee : .kim
    }

    /// The name that people give a device.
    static func displayName(of device: String) -> String { "Tank \(device.split(separator: "-").last ?? "")" }

    private static func add(
        _ endpoint: RoundRecord.Endpoint, _ system: TestSystem, _ links: Links, _ secrets: EndpointSecrets
    ) async throws {
        let added = try await system.tool(
            ["endpoint", "add", endpoint.person.email, "--webhook", target(links[endpoint]), "--json"])
        secrets.add(try system.field("secret", of: added), of: endpoint)
    }

    /// Registers a retired endpoint again.
    func addAgain(_ endpoint: RoundRecord.Endpoint) async throws {
        try await Self.add(endpoint, system, links, secrets)
    }

    static func target(_ link: FaultyLink) -> String { "http://\(link.host):\(link.port)/hook" }

    private static func environment(
        of program: Fault.Program, _ system: TestSystem, _ patroni: PatroniCluster?, _ links: Links
    ) throws -> [String: String] {
        var environment = try system.environment(of: program.executable)
        let (link, role): (Fault.Link, TestDatabase.Role) =
            switch program {
            case .ingestor: (.ingestorDatabase, .ingestor)
            case .rules: (.rulesDatabase, .rules)
            case .notifier: (.notifierDatabase, .notifier)
            case .gateway: (.gatewayDatabase, .gateway)
            }
        if let patroni {
            environment["AQUA_DATABASE_URL"] = system.database.url(role, at: patroni.addresses)
            // The directory in which a service remembers the server it worked on last.
            let memory = system.path("\(program.executable)-state")
            try FileManager.default.createDirectory(atPath: memory, withIntermediateDirectories: true)
            environment["AQUA_STATE_DIRECTORY"] = memory
        } else {
            environment["AQUA_DATABASE_URL"] =
                "postgresql://\(role.rawValue)@127.0.0.1:\(links[link].port)/\(system.database.name)"
        }
        if program == .ingestor { environment["AQUA_MQTT_URL"] = "mqtts://127.0.0.1:\(links[.ingestorBroker].port)" }
        return environment
    }

    /// Runs `body` with the services, while devices collect receipts.
    private func running<Result: Sendable>(_ body: @Sendable @escaping () async throws -> Result) async throws -> Result
    {
        for program in Fault.Program.allCases { try services.add(program) }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            for probe in probes + tanks.map(\.probe) + [marker] {
                group.addTask {
                    await probe.listen()
                    return nil
                }
            }
            group.addTask {
                try await withDeadline(.seconds(180), "the first stored reading") { try await marker.report() }
                // Makes the broker save, as if it had run for a while, so that it knows the Ingestor's session after a
                // crash.
                try system.cluster.saveBroker()
                for tank in tanks { try await tank.signIn() }
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
