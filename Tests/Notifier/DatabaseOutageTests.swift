import Instants
import Logging
import Secrets
import ServiceKit
import Testing

@testable import Notifier

@Suite struct DatabaseOutageTests {
    private struct Lines: LogOutput {
        let sink: AsyncStream<String>.Continuation

        func write(_ line: [UInt8]) { sink.yield(String(decoding: line, as: UTF8.self)) }
    }

    @Test(.timeLimit(.minutes(5))) func `the pool, the listener and the lease keeper log that there is no database`()
        async throws
    {
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        let logger = Logger(label: "test") {
            JSONLogHandler(label: $0, level: .info, output: Lines(sink: sink), clock: .system)
        }
        let configuration = NotifierConfiguration(
            database: DatabaseSettings(url: "postgresql://nobody@/none?host=/nowhere", password: Secret("secret")),
            secretKeys: Renewable(SecretKeys(try Scene.key)))
        let notifier = try Notifier(configuration, Facilities(logger: logger))
        let task = Task { try await notifier.run() }
        var missing = ["database connections", "listening for alerts", "holding leases"]
        for await line in lines {
            missing.removeAll { line.contains("tried again") && line.contains($0) }
            if missing.isEmpty { break }
        }
        task.cancel()
        _ = await task.result
        #expect(missing.isEmpty)
    }
}
