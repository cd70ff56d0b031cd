import Foundation
import Postgres
import Store
import Synchronization
import TestSupport
import Testing

/// The whole pipeline as it is operated: real binaries, a real database and a real broker of its own, and a real
/// receiver of webhooks. Provisioned with the operator's tool.
final class Pipeline: Sendable {
    static let email = "kim@example.org"
    static let device = "tank-1"
    /// 15 minutes become 50 ms, and 30 minutes of throttle 100 ms: the series spans 5 minutes.
    static let speed = 18_000

    let cluster: TestCluster
    let database: TestDatabase
    let sink: WebhookSink
    let directory: URL
    private let processes = Mutex<[String: ProcessUnderTest]>([:])
    /// What `aqua endpoint add` gave out.
    private let issuedSecret = Mutex("")

    var webhookSecret: String { issuedSecret.withLock { $0 } }

    private init(_ cluster: TestCluster, _ database: TestDatabase, _ sink: WebhookSink) throws {
        self.cluster = cluster
        self.database = database
        self.sink = sink
        directory = FileManager.default.temporaryDirectory.appending(path: "aqua-acceptance-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for name in ["device-key", "secret-key"] {
            let key = Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
            _ = FileManager.default.createFile(
                atPath: path(name), contents: Data(key.utf8), attributes: [.posixPermissions: 0o600])
        }
    }

    func path(_ name: String) -> String { directory.appending(path: name).path(percentEncoded: false) }

    /// Runs `body` with a provisioned system in which nothing but the servers runs yet.
    static func with(_ body: @Sendable @escaping (Pipeline) async throws -> Void) async throws {
        try await TestCluster.with { cluster in
            try await cluster.database.withDatabase { database in
                try await WebhookSink.with { sink in
                    let pipeline = try Pipeline(cluster, database, sink)
                    do {
                        try await pipeline.provision()
                        try await body(pipeline)
                    } catch {
                        await pipeline.stop(isFailure: true)
                        throw error
                    }
                    await pipeline.stop(isFailure: false)
                }
            }
        }
    }

    private func provision() async throws {
        try await tool(["migrate"])
        try await tool(["account", "add", Self.email], input: "correct horse battery")
        let added = try await tool(["device", "add", Self.device, "--json"])
        try await tool(["device", "link", Self.email, try field("claimCode", of: added), "--name", "Big tank"])
        let endpoint = try await tool(["endpoint", "add", Self.email, "--webhook", sink.url(), "--json"])
        let secret = try field("secret", of: endpoint)
        issuedSecret.withLock { $0 = secret }
    }

    /// Runs the operator's tool to its end.
    @discardableResult
    func tool(_ arguments: [String], input: String = "") async throws -> String {
        try await ProcessUnderTest.run("aqua", arguments, environment: environment(of: "aqua"), input: input)
    }

    func field(_ name: String, of json: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return try #require(object?[name] as? String, "\(name) in \(json)")
    }

    func environment(of program: String) throws -> [String: String] {
        let role: TestDatabase.Role =
            switch program {
            case "aqua-ingestor": .ingestor
            case "aqua-rules": .rules
            case "aqua-notifier": .notifier
            default: .owner
            }
        var environment = [
            "AQUA_DATABASE_URL": database.url(role),
            "AQUA_DATABASE_PASSWORD_FILE": database.passwordFile(role),
            "AQUA_LISTEN": "127.0.0.1:0",
            "AQUA_LOG_LEVEL": "info",
        ]
        if program == "aqua" || program == "aqua-ingestor" {
            let user = program == "aqua" ? TestBroker.admin : TestBroker.ingestor
            environment["AQUA_MQTT_URL"] = cluster.broker.url
            environment["AQUA_MQTT_USER"] = user
            environment["AQUA_MQTT_PASSWORD_FILE"] = cluster.broker.passwordFile(user)
        }
        if program == "aqua" || program == "aqua-notifier" {
            environment["AQUA_SECRET_KEY_FILE"] = path("secret-key")
            environment["AQUA_PUSH_ALLOW"] = "127.0.0.1/32:\(sink.port)"
        }
        if program == "aqua" { environment["AQUA_DEVICE_KEY_FILE"] = path("device-key") }
        if program == "aqua-rules" {
            environment["AQUA_THROTTLE"] = "100ms"
            environment["AQUA_RECOVERY_DELAY"] = "1h"
        }
        return environment
    }

    static let services = ["aqua-ingestor", "aqua-rules", "aqua-notifier"]

    /// - Parameter name: Of the process, when there is more than one of a program.
    func start(_ program: String, as name: String? = nil) throws {
        let process = try ProcessUnderTest.start(program, environment: environment(of: program))
        processes.withLock { $0[name ?? program] = process }
    }

    func startServices() throws {
        for program in Self.services { try start(program) }
    }

    func process(_ name: String) throws -> ProcessUnderTest {
        try #require(processes.withLock { $0[name] }, "\(name) was not started")
    }

    /// Ends a program as a power cut would.
    func kill(_ name: String) async throws {
        let process = try process(name)
        process.signal(SIGKILL)
        #expect(await process.end == .signal(SIGKILL))
    }

    /// Starts sending the recorded series; it is on its way when this returns.
    func startReplay() throws -> ProcessUnderTest {
        let maps = Recorded.columns.flatMap { ["--map", "\($0.name)=\($0.parameter)"] }
        return try ProcessUnderTest.start(
            "aqua",
            [
                "replay", Recorded.file, "--device", Self.device, "--time", "DateTimeStamp", "--speed",
                "\(Self.speed)",
            ] + maps, environment: environment(of: "aqua"))
    }

    func replay() async throws {
        let process = try startReplay()
        #expect(await process.end == .exit(0), "\(process.tail)")
    }

    /// Waits until a query answers true.
    func fact(_ query: String, within limit: Duration = .seconds(90)) async throws {
        _ = try await awaitFact(query, within: limit) { [database] in
            // While the database is stopped nobody answers.
            (try? await database.sql(query)) == "t" ? true : nil
        }
    }

    /// Waits until everything that was published is stored, decided and delivered.
    func settle(messages: Int) async throws {
        try await fact("SELECT count(*) >= \(messages) FROM sample")
        try await fact("SELECT NOT EXISTS (SELECT FROM evaluation_batch)")
        try await fact("SELECT NOT EXISTS (SELECT FROM alert WHERE state IN ('decided', 'sending'))")
    }

    private func stop(isFailure: Bool) async {
        for (name, process) in processes.withLock({ $0 }) {
            await process.stop()
            if isFailure { print("--- \(name)\n\(process.tail)") }
        }
        try? FileManager.default.removeItem(at: directory)
    }
}
