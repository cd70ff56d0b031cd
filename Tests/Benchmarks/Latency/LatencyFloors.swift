import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Postgres
import TestSupport

/// The steps that no alert can do without, each alone and in the same minute.
struct LatencyFloors: Sendable {
    private let connection: PostgresConnection
    private let sink: WebhookSink

    /// About as large as an alert.
    private static let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: 700)

    struct Sample: Sendable {
        let publish: Duration
        let commit: Duration
        let post: Duration
    }

    static func with<Result: Sendable>(
        _ system: TestSystem, _ body: (LatencyFloors) async throws -> Result
    ) async throws -> Result {
        let database = system.database
        let connection = try await PostgresConnection.connect(
            PostgresConfiguration(
                url: database.url(.owner), password: database.password(.owner), applicationName: "bench"))
        let floors = LatencyFloors(connection, system.sink)
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

    private init(_ connection: PostgresConnection, _ sink: WebhookSink) {
        self.connection = connection
        self.sink = sink
    }

    func measure(with probe: Probe) async throws -> Sample {
        let clock = ContinuousClock()
        let message = probe.unheardMessage()
        return Sample(
            publish: try await clock.measure { try await probe.publish(message) },
            commit: try await clock.measure { try await connection.perform(TouchRow()) },
            post: try await clock.measure { try await post() })
    }

    private func post() async throws {
        var request = HTTPClientRequest(url: sink.url(path: "/floor"))
        request.method = .POST
        request.body = .bytes(Self.body)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        guard response.status == .ok else { throw TestSupportError("The receiver answers \(response.status)") }
        _ = try await response.body.collect(upTo: 1 << 16)
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
