import Foundation
import Synchronization

/// The whole system as in production: the real binaries from the running tests' directory, a private database and
/// broker, and a real receiver of webhooks. The operator's tool provisions it.
package final class TestSystem: Sendable {
    package let cluster: TestCluster
    package let database: TestDatabase
    package let sink: WebhookSink
    private let directory: URL
    private let settings: [String: [String: String]]
    private let processes = Mutex<[String: ProcessUnderTest]>([:])

    package static let services = ["aqua-ingestor", "aqua-rules", "aqua-notifier"]
    /// The name of the operator's tool while it makes the devices that people ask for, with rights of its own.
    private static let enroller = "aqua-enroller"

    private init(
        _ cluster: TestCluster, _ database: TestDatabase, _ sink: WebhookSink, _ directory: URL,
        _ settings: [String: [String: String]]
    ) throws {
        self.cluster = cluster
        self.database = database
        self.sink = sink
        self.directory = directory
        self.settings = settings
        for name in ["device-key", "secret-key", "token-key", "vapid-key"] {
            let key = Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
            _ = FileManager.default.createFile(
                atPath: path(name), contents: Data(key.utf8), attributes: [.posixPermissions: 0o600])
        }
    }

    /// Runs `body` with a system whose database is migrated and empty. Only the servers run so far.
    /// - Parameters:
    ///   - receiver: The protocol of the receiver of webhooks.
    ///   - settings: Variables for each program, in addition to the addresses and credentials.
    package static func with<Result: Sendable>(
        durability: TestCluster.Durability = .none, receiver: WebhookSink.Transport = .http1,
        settings: [String: [String: String]] = [:],
        _ body: @Sendable @escaping (TestSystem) async throws -> Result
    ) async throws -> Result {
        try await withHeavyTurn {
            try await TestCluster.with(durability) { cluster in
                try await with(on: cluster, receiver: receiver, settings: settings, body)
            }
        }
    }

    /// Like `with(durability:)`, on servers that already run.
    package static func with<Result: Sendable>(
        on cluster: TestCluster, receiver: WebhookSink.Transport = .http1, settings: [String: [String: String]] = [:],
        _ body: @Sendable @escaping (TestSystem) async throws -> Result
    ) async throws -> Result {
        try await cluster.database.withDatabase { database in
            try await WebhookSink.with(receiver) { sink in
                try await Paths.withTemporaryDirectory { directory in
                    let system = try TestSystem(cluster, database, sink, directory, settings)
                    try await system.tool(["migrate"])
                    return try await system.stopping { try await body(system) }
                }
            }
        }
    }

    /// Stops the processes that `body` has started, and shows the tails of their output when `body` fails.
    private func stopping<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            let result = try await body()
            await stop(isFailure: false)
            return result
        } catch {
            await stop(isFailure: true)
            throw error
        }
    }

    private func stop(isFailure: Bool) async {
        let started = processes.withLock { $0 }
        await withTaskGroup(of: Void.self) { group in
            for process in started.values { group.addTask { _ = await process.stop() } }
        }
        guard isFailure else { return }
        for (name, process) in started {
            let words = "--- \(name)\n\(process.output.tail())\n\(process.errors.tail())\n"
            FileHandle.standardError.write(Data(words.utf8))
        }
    }

    /// The path of a file that is removed with the system.
    package func path(_ name: String) -> String { directory.appending(path: name).path(percentEncoded: false) }

    // MARK: Provisioning

    /// Runs the operator's tool to its end.
    /// - Returns: The standard output.
    @discardableResult
    package func tool(_ arguments: [String], input: String = "") async throws -> String {
        try await ProcessUnderTest.run("aqua", arguments, environment: environment(of: "aqua"), input: input)
    }

    /// Adds a person with an endpoint at `sink`.
    /// - Returns: The secret for the webhook's signatures.
    package func addPerson(_ email: String) async throws -> String {
        try await tool(["account", "add", email], input: "correct horse battery")
        return try field(
            "secret", of: await tool(["endpoint", "add", email, "--webhook", sink.url(), "--json"]))
    }

    /// Adds a device with the limits of the manual and links it to a person.
    /// - Returns: The device's MQTT password.
    @discardableResult
    package func addDevice(_ device: String, of email: String, name: String) async throws -> String {
        let added = try await tool(["device", "add", device, "--json"])
        try await tool(["device", "link", email, field("claimCode", of: added), "--name", name])
        return try field("mqttPassword", of: added)
    }

    /// Adds a device without an owner.
    /// - Returns: The device's MQTT password.
    package func addUnownedDevice(_ device: String) async throws -> String {
        try field("mqttPassword", of: await tool(["device", "add", device, "--json"]))
    }

    /// A field of the tool's JSON output.
    package func field(_ name: String, of json: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        guard let text = object?[name] as? String else { throw TestSupportError("There is no \(name) in \(json)") }
        return text
    }

    package func environment(of program: String) throws -> [String: String] {
        let role: TestDatabase.Role =
            switch program {
            case "aqua-ingestor": .ingestor
            case "aqua-rules": .rules
            case "aqua-notifier": .notifier
            case "aqua-gateway": .gateway
            case Self.enroller: .enroller
            default: .owner
            }
        var environment = [
            "AQUA_DATABASE_URL": database.url(role),
            "AQUA_DATABASE_PASSWORD_FILE": database.passwordFile(role),
            "AQUA_LISTEN": "127.0.0.1:0",
            "AQUA_LOG_LEVEL": "info",
            // Test water leaves its range from one reading to the next, which would be a suspected spike.
            "AQUA_HOLD": "0s",
            // People of tests are told more within an hour than one can read.
            "AQUA_ALERTS_AN_HOUR": "0",
        ]
        if program == "aqua" || program == "aqua-ingestor" || program == Self.enroller {
            let user = program == "aqua-ingestor" ? TestBroker.ingestor : TestBroker.admin
            environment["AQUA_MQTT_URL"] = cluster.broker.url
            if program != "aqua" {
                let isIngestor = program == "aqua-ingestor"
                environment["AQUA_MQTT_URL"] = isIngestor ? cluster.broker.servicesURL : cluster.broker.tlsURL
                environment["AQUA_MQTT_CA_FILE"] = cluster.broker.authorityFile
            }
            environment["AQUA_MQTT_USER"] = user
            environment["AQUA_MQTT_PASSWORD_FILE"] = cluster.broker.passwordFile(user)
        }
        if program == Self.enroller {
            environment["AQUA_SECRET_KEY_FILE"] = path("secret-key")
            environment["AQUA_DEVICE_MQTT_URL"] = cluster.broker.tlsURL
        }
        if program == "aqua" || program == "aqua-notifier" {
            environment["AQUA_SECRET_KEY_FILE"] = path("secret-key")
            environment["AQUA_PUSH_ALLOW"] = "127.0.0.1/32:\(sink.port)"
            environment["AQUA_PUSH_CA_FILE"] = program == "aqua-notifier" ? sink.authorityFile : nil
        }
        if program == "aqua-notifier" || program == "aqua-gateway" {
            environment["AQUA_WEB_PUSH_HOSTS"] = "127.0.0.1:\(sink.port)"
            environment["AQUA_PUBLIC_URL"] = "http://localhost"
        }
        if program == "aqua-notifier" { environment["AQUA_VAPID_KEY_FILE"] = path("vapid-key") }
        if program == "aqua-gateway" {
            environment["AQUA_SECRET_KEY_FILE"] = path("secret-key")
            environment["AQUA_TOKEN_KEY_FILE"] = path("token-key")
            environment["AQUA_PUSH_ALLOW"] = "127.0.0.1/32:\(sink.port)"
            environment["AQUA_PUSH_CA_FILE"] = sink.authorityFile
            environment["AQUA_PEOPLE_LISTEN"] = "127.0.0.1:0"
        }
        if program == "aqua" || program == Self.enroller { environment["AQUA_DEVICE_KEY_FILE"] = path("device-key") }
        return environment.merging(settings[program] ?? [:]) { $1 }
    }

    // MARK: Running

    /// - Parameters:
    ///   - name: The name of the process, if several run the same program.
    ///   - command: Another program with its arguments, which runs in its place, in its environment.
    ///   - changes: Changes of its environment.
    package func start(
        _ program: String, as name: String? = nil, by command: [String]? = nil, changes: [String: String] = [:]
    ) throws {
        let command = command ?? [program]
        let process = try ProcessUnderTest.start(
            command[0], Array(command.dropFirst()), environment: environment(of: program).merging(changes) { $1 })
        processes.withLock { $0[name ?? program] = process }
    }

    /// - Parameter notifier: Another program with its arguments, which runs in the Notifier's place.
    package func startServices(notifier: [String]? = nil) throws {
        for program in Self.services { try start(program, by: program == "aqua-notifier" ? notifier : nil) }
    }

    /// Starts the enroller, and returns once it has been heard, so that the app makes devices.
    package func startEnroller() async throws {
        try start(Self.enroller, by: ["aqua", "enroller", "run"])
        try await fact("SELECT count(*) = 1 FROM enroller_state")
    }

    /// Stops a process with SIGTERM.
    package func stop(_ name: String) async {
        await processes.withLock { $0.removeValue(forKey: name) }?.stop()
    }

    package func process(_ name: String) throws -> ProcessUnderTest {
        guard let process = processes.withLock({ $0[name] }) else { throw TestSupportError("\(name) was not started") }
        return process
    }

    /// Waits until a query answers true.
    package func fact(_ query: String) async throws {
        try await awaitFact(query) { [database] in
            // While the database is stopped, the query fails.
            (try? await database.sql(query)) == "t" ? true : nil
        }
    }

    /// Waits until a query returns such a count; each change of the count restarts the limit.
    private func count(_ query: String, where isAwaited: @Sendable @escaping (Int) -> Bool) async throws {
        try await awaitAnswer(query) { [database] in
            (try? await database.sql(query)).flatMap(Int.init)
        } where: {
            $0.map(isAwaited) ?? false
        }
    }

    /// Waits until all published messages are stored, decided and delivered.
    /// - Parameter messages: The minimum number of stored messages.
    package func settle(messages: Int) async throws {
        try await count("SELECT count(*) FROM sample") { $0 >= messages }
        try await count("SELECT count(*) FROM evaluation_batch") { $0 == 0 }
        try await count("SELECT count(*) FROM alert WHERE state IN ('decided', 'sending')") { $0 == 0 }
    }
}
