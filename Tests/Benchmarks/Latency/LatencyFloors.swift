import Postgres
import TestSupport

/// The steps that no alert can do without, each alone and in the same minute.
struct LatencyFloors: Sendable {
    private let connection: PostgresConnection
    private let poster: Poster
    private let receiver: String

    struct Sample: Sendable {
        let publish: Duration
        let commit: Duration
        let post: Duration
    }

    static func with<Result: Sendable>(
        _ system: TestSystem, _ body: (LatencyFloors) async throws -> Result
    ) async throws -> Result {
        guard let authorityFile = system.sink.authorityFile else { throw TestSupportError("The receiver has no TLS") }
        return try await Poster.with(authorityFile: authorityFile) { poster in
            let database = system.database
            let connection = try await PostgresConnection.connect(
                PostgresConfiguration(
                    url: database.url(.owner), password: database.password(.owner), applicationName: "bench"))
            let receiver = system.sink.url(path: "/floor")
            let floors = LatencyFloors(connection: connection, poster: poster, receiver: receiver)
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

    func measure(with probe: Probe) async throws -> Sample {
        let clock = ContinuousClock()
        let message = probe.unheardMessage()
        return Sample(
            publish: try await clock.measure { try await probe.publish(message) },
            commit: try await clock.measure { try await connection.perform(TouchRow()) },
            post: try await clock.measure { try await poster.post(to: receiver) })
    }
}

/// The smallest change that has to reach the disk.
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
