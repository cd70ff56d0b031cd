import AsyncHTTPClient
import Foundation
import Ingestor
import Instants
import NIOCore
import Postgres
import Store
import TestSupport
import WaterQuality

/// Measures the map of change, OGC API Features and SensorThings: eight days of ten thousand devices that each of twenty people sees, with roll-ups as an
/// Ingestor makes them.
struct MapMeasurement: Sendable {
    /// The number of stored readings.
    let readings: Int
    let seed: UInt64

    /// As many places as the map of change has at most.
    private static let devices = 10_000
    /// Windows of a day, a week apart.
    private static let days = 8
    /// How many series are asked for by turns.
    private static let series = 200
    /// Requests a second.
    private static let rates = [1, 2, 5, 10, 20]
    private static let seconds = 10
    /// No higher rate is tried once so many milliseconds are waited for.
    static let patience = 1_000.0

    func run() async throws -> MapFigures {
        step("Starting servers that wait for the disk")
        return try await TestSystem.with(durability: .full, settings: ["aqua-gateway": GatewayMeasurement.settings]) {
            system in
            try await requireDurability(system.database)
            return try await measure(system)
        }
    }

    private func measure(_ system: TestSystem) async throws -> MapFigures {
        let database = system.database
        let rounds = max(1, readings / Self.devices / Parameter.ofManual.count)
        let fleet = ReportingFleet(
            devices: Self.devices, interval: .seconds(Self.days * 86_400) / rounds, rounds: rounds)
        step("Adding \(Self.devices) devices that all people see")
        let tokens = try await MapPeople.provision(fleet, database, seed: seed)
        let stored = rounds * Self.devices * Parameter.ofManual.count
        step("Storing \(stored) readings")
        let store = StoreFleet(fleet: fleet, database: database, seed: seed)
        try await store.generate(rounds: 0..<rounds)
        try await store.settle()
        step("Rolling them up")
        try await rollUp(since: fleet.start, database)

        try system.start("aqua-gateway")
        let gateway = try system.process("aqua-gateway")
        let origin = try await gateway.servesPeople()
        guard let postgres = ProcessUsage.find("postgres", in: system.cluster.directory) else {
            throw TestSupportError("The process of postgres is not to be found")
        }
        let memory = MemoryPeak(gateway: gateway.pid, postgres: postgres)
        let people = AskingPeople(base: origin, tokens: tokens)
        let asked = try await memory.watch { try await ask(people, since: fleet.end - .seconds(86_400)) }
        return MapFigures(
            storedReadings: stored, devices: Self.devices, asked: asked, gatewayMib: memory.gatewayMiB,
            backendMib: memory.backendMiB)
    }

    /// All hours that have ended, slot by slot.
    private func rollUp(since start: Timestamp, _ database: TestDatabase) async throws {
        try await PastHours.rollUpAgain(since: start.roundedDown(to: .seconds(3_600)).iso8601, in: database)
        let connection = try await database.connect(.ingestor)
        while try await connection.transaction(RollUpStep.transaction, { try RollUpStep(.ended).perform($0) }) {}
        await connection.close()
        try await database.sql("VACUUM (ANALYZE) sample_hour, sample_day, quality_due")
        try await database.sql("CHECKPOINT")
    }

    private func ask(_ people: AskingPeople, since: Timestamp) async throws -> [MapFigures.Asked] {
        let series = try await series(people)
        var asked: [MapFigures.Asked] = []
        for question in MapQuestion.allCases {
            for rate in Self.rates {
                step("Asking \(rate) times a second: \(question.title)")
                let requests = GatewayRequests(people: people, rate: rate, kinds: [question]) {
                    $0.path($2, series: series, since: since)
                }
                do {
                    _ = try await requests.run(seconds: 2, seed: seed &+ 1)
                    let took = try await requests.run(seconds: Self.seconds, seed: seed)[question] ?? .empty
                    asked.append(.init(question: question, requestsPerSecond: rate, ms: took))
                    if took.percentile(99) > Self.patience { break }
                } catch let error as HTTPClientError where error == .deadlineExceeded {
                    step("That rate cannot be held")
                    break
                }
            }
        }
        return asked
    }

    /// Where the Observations of some Datastreams are, spread over all devices, as a client finds them.
    private func series(_ people: AskingPeople) async throws -> [String] {
        var series: [String] = []
        for number in 0..<Self.series {
            let place = number * Self.devices / Self.series
            let answer = try await people.ask(
                "/sta/v1.1/Things?$top=1&$skip=\(place)&$expand=Datastreams", as: number % people.tokens.count,
                isCompressed: false)
            let page = try JSONDecoder().decode(Things.self, from: Data(answer.readableBytesView))
            let links = page.value.flatMap(\.datastreams)
            guard !links.isEmpty, let path = links[number % links.count].path else {
                throw TestSupportError("A device has no Datastreams: \(String(buffer: answer).prefix(300))")
            }
            series.append(path)
        }
        return series
    }

    private struct Things: Decodable {
        let value: [Thing]

        struct Thing: Decodable {
            let datastreams: [Datastream]

            private enum CodingKeys: String, CodingKey { case datastreams = "Datastreams" }
        }

        struct Datastream: Decodable {
            let observations: String

            /// Without the service's public address.
            var path: String? { observations.firstRange(of: "/sta/").map { String(observations[$0.lowerBound...]) } }

            private enum CodingKeys: String, CodingKey { case observations = "Observations@iot.navigationLink" }
        }
    }
}
