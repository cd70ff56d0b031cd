import Foundation
import MQTTFleet
import Postgres
import TestSupport

/// The steps that every alert needs, each measured alone in the same minute.
struct LatencyFloors: Sendable {
    private let connection: PostgresConnection
    private let poster: Poster
    private let receiver: String
    /// Publishes to a topic without readers, which a device may not do.
    private let probe: Probe

    struct Sample: Sendable {
        let publish: Duration
        let commit: Duration
        let post: Duration
    }

    static func with<Result: Sendable>(
        _ system: TestSystem, _ fleet: MQTTFleet, _ body: (LatencyFloors) async throws -> Result
    ) async throws -> Result {
        guard let authorityFile = system.sink.authorityFile else { throw TestSupportError("The receiver has no TLS") }
        return try await Poster.with(authorityFile: authorityFile) { poster in
            let database = system.database
            let connection = try await PostgresConnection.connect(
                PostgresConfiguration(
                    url: database.url(.owner), password: database.password(.owner), applicationName: "bench"))
            let floors = LatencyFloors(
                connection: connection, poster: poster, receiver: system.sink.url(path: "/floor"),
                probe: try await publisher(system.cluster.broker, fleet))
            do {
                try await connection.executeScript(
                    "CREATE TABLE floor (touched bigint NOT NULL); INSERT INTO floor VALUES (0)")
                let result = try await body(floors)
                await connection.close()
                return result
            } catch {
                await connection.close()
                throw error
            }
        }
    }

    private static func publisher(_ broker: TestBroker, _ fleet: MQTTFleet) async throws -> Probe {
        let (user, password) = ("bench_floor", UUID().uuidString)
        try await broker.addPublisher(user, password: password)
        return try await Probe.connect(user, password: password, to: broker, fleet)
    }

    func measure() async throws -> Sample {
        let clock = ContinuousClock()
        let message = probe.unheardMessage()
        return Sample(
            publish: try await clock.measure { try await probe.publish(message) },
            commit: try await clock.measure { try await connection.perform(TouchRow()) },
            post: try await clock.measure { try await poster.post(to: receiver) })
    }
}

/// The smallest commit that waits for the disk.
private struct TouchRow: Statement {
    static let sql = "UPDATE floor SET touched = touched + 1"
}

extension LatencyFigures.Floors {
    init(_ samples: [LatencyFloors.Sample]) {
        self.init(
            publish: Distribution(samples.map(\.publish)), commit: Distribution(samples.map(\.commit)),
            post: Distribution(samples.map(\.post)))
    }
}
