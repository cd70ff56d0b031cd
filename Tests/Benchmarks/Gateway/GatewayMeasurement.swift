import AsyncHTTPClient
import Foundation
import Instants
import MQTTFleet
import Secrets
import ServiceKit
import TestSupport
import WaterQuality

/// Measures the Gateway with ten million stored readings: requests, event streams, and the time until a reading is on a
/// screen.
struct GatewayMeasurement: Sendable {
    let listeners: Int
    /// nil: a person for each device.
    let projects: Projects?
    let seed: UInt64

    /// Enough rounds for more than ten million readings of nine parameters.
    private static let rounds = 1_441
    /// Requests a second: whoever has 200 devices asks for the last values of all of them.
    private var rates: [Int] { projects == nil ? [100, 200, 300, 400, 500] : [5, 10, 20, 50, 100] }
    private static let seconds = 20
    private static let events = 200

    func run() async throws -> GatewayFigures {
        step("Starting servers that wait for the disk")
        return try await TestSystem.with(durability: .full, settings: ["aqua-gateway": Self.settings]) { system in
            try await requireDurability(system.database)
            return try await measure(system)
        }
    }

    /// The measurement acts as the proxy, which states every person's address.
    static let settings = [
        "AQUA_TRUSTED_PROXIES": "127.0.0.1/32", "AQUA_PEOPLE_LISTEN": "127.0.0.1:0",
        "AQUA_PUBLIC_URL": "http://localhost",
    ]

    private func measure(_ system: TestSystem) async throws -> GatewayFigures {
        let fleet = ReportingFleet(devices: max(ReportingFleet.devices, projects?.devices ?? 0))
        if let projects {
            step("Adding \(projects.members) people in \(projects.count) projects")
        } else {
            step("Adding \(fleet.keys.count) people with a device each")
        }
        let people = try await GatewayPeople.provision(fleet, projects, system.database)
        let readings = Self.rounds * fleet.keys.count * Parameter.ofManual.count
        step("Storing \(readings) readings")
        let store = StoreFleet(fleet: fleet, database: system.database, seed: seed)
        try await store.generate(rounds: ReportingFleet.rounds - Self.rounds..<ReportingFleet.rounds)
        try await store.settle()
        let password = try await system.addUnownedDevice("bench-live")
        try await addLive(system.database)

        try system.startServices()
        try system.start("aqua-gateway")
        for program in TestSystem.services { try await system.process(program).untilReady() }
        let gateway = try system.process("aqua-gateway")
        let origin = try await gateway.servesPeople()
        guard let port = URL(string: origin)?.port else { throw TestSupportError("\(origin) has no port") }

        step("Waiting for the roll-ups")
        try await awaitFact("the roll-ups", within: .seconds(600)) {
            try await system.database.sql(
                "SELECT min(hours_until) > now() - interval '2 hours' FROM rollup_progress") == "t" ? true : nil
        }
        var asked: [GatewayFigures.Asked] = []
        for rate in rates {
            step("Asking \(rate) times a second")
            do {
                asked.append(try await ask(rate, at: origin, people, system, gateway))
            } catch let error as HTTPClientError where error == .deadlineExceeded {
                step("That rate cannot be held")
                break
            }
        }
        step("Signing in for \(Self.seconds) s")
        let signIns = try await signIns(system, at: origin).run(seconds: Self.seconds)
        step("Reading with row-level security and without")
        var generator = SeededGenerator(seed: seed &+ 2)
        let security = try await RowSecurityCost(database: system.database, people: people).measure(&generator)

        let listeners = projects.map { min(self.listeners, $0.members * Projects.streamsEach) } ?? self.listeners
        step("Opening \(listeners) event streams")
        let before = ProcessUsage.ofTree(gateway.pid).memoryMiB
        let streams = EventListeners()
        try await streams.open(listeners, at: port, people)
        let after = ProcessUsage.ofTree(gateway.pid).memoryMiB
        step("Publishing \(Self.events) readings")
        let events = try await measureEvents(system, password, streams)
        try await streams.close()
        return GatewayFigures(
            storedReadings: readings, members: projects?.members ?? 0, asked: asked,
            signInsPerSecond: (signIns * 10).rounded() / 10,
            securedMs: security.secured, unsecuredMs: security.open, listeners: listeners,
            memoryPerListenerKib: ((after - before) * 1_024 / Double(listeners) * 10).rounded() / 10,
            memoryMib: after.rounded(), eventMs: events)
    }

    /// Links the device whose events are measured: to the first person, or to the first project, whose members all listen.
    private func addLive(_ database: TestDatabase) async throws {
        let holder = projects == nil ? "1" : "(SELECT project FROM bench_project WHERE number = 1)"
        try await database.sql(
            """
            INSERT INTO ownership (slot, device_id, account_id, name, project_id)
            SELECT slot, device_id, \(holder), 'Live', \(projects == nil ? "NULL" : holder)
            FROM device WHERE hardware_id = 'bench-live'
            """)
    }

    /// - Throws: `HTTPClientError.deadlineExceeded` at a rate that cannot be held.
    private func ask(
        _ rate: Int, at origin: String, _ people: GatewayPeople, _ system: TestSystem, _ gateway: ProcessUnderTest
    ) async throws -> GatewayFigures.Asked {
        let kinds: [PeopleRequest] = [.latest, .series] + (projects == nil ? [] : [.overview])
        let requests = people.requests(kinds, at: origin, rate: rate)
        _ = try await requests.run(seconds: 2, seed: seed &+ 1)
        guard let postgres = ProcessUsage.find("postgres", in: system.cluster.directory) else {
            throw TestSupportError("The process of postgres is not to be found")
        }
        func cpu() -> [Double] { [gateway.pid, postgres].map { ProcessUsage.ofTree($0).cpuSeconds } }
        let before = cpu()
        let took = try await requests.run(seconds: Self.seconds, seed: seed)
        let used = zip(cpu(), before).map { ($0 - $1) * 1_000 / Double(rate * Self.seconds) }
        return GatewayFigures.Asked(
            requestsPerSecond: rate, latestMs: took[.latest] ?? .empty, seriesMs: took[.series] ?? .empty,
            overviewMs: took[.overview], gatewayCpuMs: used[0],
            postgresCpuMs: used[1])
    }

    /// People who share one password, because hashing one for each would take minutes.
    private func signIns(_ system: TestSystem, at origin: String) async throws -> SignInRequests {
        let password = "correct horse battery"
        try await system.tool(["account", "add", "first@example.org"], input: password)
        try await system.database.sql(
            """
            INSERT INTO account (email, password_hash)
            SELECT 'signs-in-' || number || '@example.org', password_hash
            FROM account, generate_series(0, 999) AS number WHERE email = 'first@example.org'
            """)
        return SignInRequests(
            base: origin, emails: (0..<1_000).map { "signs-in-\($0)@example.org" }, password: password)
    }

    private func measureEvents(
        _ system: TestSystem, _ password: String, _ streams: EventListeners
    ) async throws -> Distribution {
        try await MQTTFleet.with { fleet in
            let probe = try await Probe.connect("bench-live", password: password, to: system.cluster.broker, fleet)
            var generator = SeededGenerator(seed: seed)
            var took: [Duration] = []
            for _ in 0..<Self.events {
                try await Task.sleep(for: .milliseconds(Int.random(in: 150...350, using: &generator)))
                streams.forget("bench-live")
                let message = probe.reading(.inRange, at: WallClock.system.now())
                let start = ContinuousClock.now
                try await probe.publish(message)
                took.append(try await streams.arrival(of: "bench-live") - start)
            }
            return Distribution(took)
        }
    }
}
