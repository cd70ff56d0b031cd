import Instants
import Logging
import ServiceKit
import Testing

@testable import RulesEngine

@Suite struct DatabaseOutageTests {
    private struct Lines: LogOutput {
        let sink: AsyncStream<String>.Continuation

        func write(_ line: [UInt8]) { sink.yield(String(decoding: line, as: UTF8.self)) }
    }

    @Test(.timeLimit(.minutes(5))) func theListenerAndTheEngineLogThatThereIsNoDatabase() async throws {
        let (lines, sink) = AsyncStream.makeStream(of: String.self)
        let logger = Logger(label: "test") {
            JSONLogHandler(label: $0, level: .info, output: Lines(sink: sink), clock: .system)
        }
        let configuration = RulesConfiguration(
            database: DatabaseSettings(url: "postgresql://nobody@/none?host=/nowhere", password: Secret("secret")))
        let engine = try RulesEngine(configuration, Facilities(logger: logger))
        let task = Task { try await engine.run() }
        var missing = ["listening for batches", "deciding"]
        for await line in lines {
            missing.removeAll { line.contains("tried again") && line.contains($0) }
            if missing.isEmpty { break }
        }
        task.cancel()
        _ = await task.result
        #expect(missing.isEmpty)
    }
}
