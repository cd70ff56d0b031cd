import Foundation
import TestSupport
import Testing

/// The whole pipeline with a person and a device, and the actions of these tests on it.
final class Pipeline: Sendable {
    static let email = "kim@example.org"
    static let device = "tank-1"
    /// 15 minutes become 50 ms, and 30 minutes of throttle 100 ms: a month takes 2.5 minutes.
    static let speed = 18_000
    static let services = TestSystem.services

    private let system: TestSystem
    /// The secret that `aqua endpoint add` printed.
    let webhookSecret: String

    var cluster: TestCluster { system.cluster }
    var database: TestDatabase { system.database }
    var sink: WebhookSink { system.sink }

    private init(_ system: TestSystem, webhookSecret: String) {
        self.system = system
        self.webhookSecret = webhookSecret
    }

    /// Runs `body` with a provisioned system in which only the servers run.
    static func with(_ body: @Sendable @escaping (Pipeline) async throws -> Void) async throws {
        let settings = ["aqua-rules": ["AQUA_THROTTLE": "100ms", "AQUA_RECOVERY_DELAY": "1h"]]
        try await TestSystem.with(settings: settings) { system in
            let secret = try await system.addPerson(email)
            try await system.addDevice(device, of: email, name: "Big tank")
            try await body(Pipeline(system, webhookSecret: secret))
        }
    }

    func path(_ name: String) -> String { system.path(name) }

    /// Runs the operator's tool to its end.
    @discardableResult
    func tool(_ arguments: [String], input: String = "") async throws -> String {
        try await system.tool(arguments, input: input)
    }

    func environment(of program: String) throws -> [String: String] { try system.environment(of: program) }

    /// - Parameter name: The process's name, if the program runs more than once.
    func start(_ program: String, as name: String? = nil) throws { try system.start(program, as: name) }

    func startServices() throws { try system.startServices() }

    func process(_ name: String) throws -> ProcessUnderTest { try system.process(name) }

    /// Kills a program, as a power cut would.
    func kill(_ name: String) async throws {
        let process = try process(name)
        process.signal(SIGKILL)
        #expect(await process.end == .signal(SIGKILL))
    }

    /// Starts to send the recorded series, and returns once messages are under way. First waits for a subscribed
    /// Ingestor: before the first one the broker keeps nothing.
    func startReplay(_ series: Recorded) async throws -> ProcessUnderTest {
        _ = try await awaitFact("an Ingestor that listens") { [self] in
            let ingestors = ["aqua-ingestor", "aqua-ingestor-2"].compactMap { try? process($0) }
            return ingestors.contains { $0.output.all.contains { $0.contains(#""Listening""#) } } ? true : nil
        }
        let file = path("recording.csv")
        try series.lines().joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
        let maps = Recorded.columns.flatMap { ["--map", "\($0.name)=\($0.parameter)"] }
        return try ProcessUnderTest.start(
            "aqua-rehearsal",
            [
                "replay", file, "--device", Self.device, "--time", "DateTimeStamp", "--speed",
                "\(Self.speed)",
            ] + maps, environment: system.environment(of: "aqua"))
    }

    func replay(_ series: Recorded) async throws {
        let process = try await startReplay(series)
        #expect(await process.end == .exit(0), "\(process.tail)")
    }

    /// Waits until a query answers true.
    func fact(_ query: String) async throws { try await system.fact(query) }

    /// Waits until everything that was published is stored, decided and delivered.
    func settle(messages: Int) async throws { try await system.settle(messages: messages) }
}
