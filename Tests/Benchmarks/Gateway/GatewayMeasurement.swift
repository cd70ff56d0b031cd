import Foundation
import Instants
import MQTTFleet
import Secrets
import ServiceKit
import TestSupport
import WaterQuality

/// Measures the Gateway with ten million readings stored: requests, event streams, and how soon a reading is on a screen.
struct GatewayMeasurement: Sendable {
    let listeners: Int
    let seed: UInt64

    /// More than ten million readings of nine parameters.
    private static let rounds = 1_441
    private static let requestsPerSecond = 500
    private static let seconds = 30
    private static let events = 200

    func run() async throws -> GatewayFigures {
        step("Starting servers that wait for the disk")
        return try await TestSystem.with(durability: .full, settings: ["aqua-gateway": Self.settings]) { system in
            try await requireDurability(system.database)
            return try await measure(system)
        }
    }

    /// Every person's address is told by the proxy that the measurement is.
    private static let settings = [
        "AQUA_TRUSTED_PROXIES": "127.0.0.1/32", "AQUA_PEOPLE_LISTEN": "127.0.0.1:0",
        "AQUA_PUBLIC_URL": "http://localhost",
    ]

    private func measure(_ system: TestSystem) async throws -> GatewayFigures {
        let fleet = ReportingFleet()
        step("Adding \(ReportingFleet.devices) people with a device each")
        let people = try await GatewayPeople.provision(fleet, system.database)
        let readings = Self.rounds * ReportingFleet.devices * Parameter.allCases.count
        step("Storing \(readings) readings")
        let store = StoreFleet(fleet: fleet, database: system.database, seed: seed)
        try await store.generate(rounds: ReportingFleet.rounds - Self.rounds..<ReportingFleet.rounds)
        try await store.settle()
        let password = try await system.addUnownedDevice("bench-live")
        try await system.database.sql(
            """
            INSERT INTO ownership (slot, device_id, account_id, name)
            SELECT slot, device_id, 1, 'Live' FROM device WHERE hardware_id = 'bench-live'
            """)

        try system.startServices()
        try system.start("aqua-gateway")
        for program in TestSystem.services { try await system.process(program).untilReady() }
        let gateway = try system.process("aqua-gateway")
        try await gateway.untilReady()
        let port = try await Self.port(of: gateway)

        let requests = GatewayRequests(
            base: "http://127.0.0.1:\(port)", people: people, rate: Self.requestsPerSecond)
        step("Asking \(Self.requestsPerSecond) times a second")
        _ = try await requests.run(seconds: 5, seed: seed &+ 1)
        let asked = try await requests.run(seconds: Self.seconds, seed: seed)

        step("Opening \(listeners) event streams")
        let before = ProcessUsage.ofTree(gateway.pid).memoryMiB
        let streams = EventListeners()
        try await streams.open(listeners, at: port, people)
        let after = ProcessUsage.ofTree(gateway.pid).memoryMiB
        step("Publishing \(Self.events) readings")
        let events = try await measureEvents(system, password, streams)
        try await streams.close()
        return GatewayFigures(
            storedReadings: readings, requestsPerSecond: Self.requestsPerSecond, latestMs: asked.latest,
            seriesMs: asked.series, listeners: listeners,
            memoryPerListenerKib: ((after - before) * 1_024 / Double(listeners) * 10).rounded() / 10,
            memoryMib: after.rounded(), eventMs: events)
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

    /// The port that serves people, from the log.
    private static func port(of gateway: ProcessUnderTest) async throws -> Int {
        guard let line = await gateway.output.stream().first(where: { $0.contains("Serving people") }) else {
            throw TestSupportError("The Gateway ended before it served people")
        }
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        guard let address = object?["http.address"] as? String, let port = address.split(separator: ":").last,
            let number = Int(port)
        else { throw TestSupportError("The Gateway does not say where it serves people: \(line)") }
        return number
    }
}
