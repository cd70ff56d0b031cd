import Foundation
import Instants
import Operator
import ServiceKit
import Synchronization
import TestSupport

/// An instance for one test: a migrated database, the shared broker, its own keys, and `aqua` to run on it.
struct Instance: Sendable {
    let database: TestDatabase
    let broker: TestBroker
    let directory: URL
    /// A unique id: devices of other tests are on the same broker.
    let device = "tank-\(UUID().uuidString.prefix(8))"

    static let password = "four random words here"
    static let person = "ada@example.org"

    static func with<Result: Sendable>(
        _ cluster: TestCluster? = nil, _ body: @Sendable (Instance) async throws -> Result
    ) async throws -> Result {
        let cluster = if let cluster { cluster } else { try await TestCluster.shared }
        return try await Paths.withTemporaryDirectory { directory in
            for name in ["device-key", "secret-key"] {
                try write(randomKey(), to: directory.appending(path: name))
            }
            return try await cluster.database.withDatabase(template: "operator") { template in
                try await migrate(Instance(database: template, broker: cluster.broker, directory: directory))
            } _: { database in
                // The template may have been made yesterday.
                try await database.sql(
                    "SELECT make_sample_partitions((now() AT TIME ZONE 'UTC')::date - 8, (now() AT TIME ZONE 'UTC')::date + 3)"
                )
                return try await body(Instance(database: database, broker: cluster.broker, directory: directory))
            }
        }
    }

    private static func migrate(_ instance: Instance) async throws {
        let run = await instance.aqua("migrate")
        guard run.code == 0 else { throw TestSupportError(run.errors) }
    }

    static func randomKey() -> String {
        (0..<32).map { _ in String(format: "%02x", UInt8.random(in: 0 ... .max)) }.joined()
    }

    static func write(_ text: String, to file: URL, mode: Int = 0o600) throws {
        try Data((text + "\n").utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    func file(_ name: String) -> String { directory.appending(path: name).path }

    var environment: [String: String] {
        [
            "AQUA_DATABASE_URL": database.url(.owner), "AQUA_DATABASE_PASSWORD_FILE": database.passwordFile(.owner),
            "AQUA_MQTT_URL": broker.url, "AQUA_MQTT_USER": TestBroker.admin,
            "AQUA_MQTT_PASSWORD_FILE": broker.passwordFile(TestBroker.admin),
            "AQUA_DEVICE_KEY_FILE": file("device-key"), "AQUA_SECRET_KEY_FILE": file("secret-key"),
        ]
    }
}

/// The result of one run of the tool.
struct Run: Sendable {
    var code: Int32
    var output: String
    var errors: String

    /// A field of the printed JSON object.
    func field(_ name: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        guard let value = object?[name] else { throw TestSupportError("no \(name) in \(output)\(errors)") }
        return "\(value)"
    }
}

/// Runs the tool with an environment.
/// - Parameters:
///   - input: The lines of standard input.
///   - clock: The offset to add to the machine's clock.
///   - losesOutput: Whether nobody reads standard output.
func runAqua(
    _ arguments: [String], environment: [String: String] = [:], input: String = Instance.password,
    clock: Duration = .zero,
    patience: Duration = .seconds(600), losesOutput: Bool = false
) async -> Run {
    let written = Mutex((output: "", errors: ""))
    let lines = Mutex(input.split(separator: "\n").map(String.init))
    let console = Console(
        output: { text in
            if losesOutput { throw OperatorError(.outputLost, "Nobody reads.") }
            written.withLock { $0.output += text }
        },
        complaints: { text in written.withLock { $0.errors += text } },
        passwords: { _ in lines.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
    let context = OperatorContext(
        environment: environment, console: console, clock: WallClock { WallClock.system.now() + clock },
        patience: patience)
    let code = await Aqua.run(arguments, in: context)
    return written.withLock { Run(code: code, output: $0.output, errors: $0.errors) }
}

extension Instance {
    /// - Parameter changes: Changes to the environment; nil removes a variable.
    func aqua(
        _ arguments: String..., input: String = password, changes: [String: String?] = [:], clock: Duration = .zero,
        patience: Duration = .seconds(600), losesOutput: Bool = false
    ) async -> Run {
        var environment = environment
        for (name, value) in changes { environment[name] = value }
        return await runAqua(
            arguments, environment: environment, input: input, clock: clock, patience: patience,
            losesOutput: losesOutput)
    }

    /// Adds people, without the time for hashing a password.
    func addPeople(_ emails: String...) async throws {
        for email in emails {
            try await database.sql("INSERT INTO account (email, password_hash) VALUES ('\(email)', 'scrypt$')")
        }
    }

    /// Adds a person with a device.
    /// - Returns: The device's claim code.
    @discardableResult
    func populate() async throws -> String {
        try await addPeople(Self.person)
        let code = try await succeed(aqua("device", "add", device, "--json")).field("claimCode")
        try await succeed(aqua("device", "link", Self.person, code, "--name", "Garden pond"))
        return code
    }

    @discardableResult
    func succeed(_ run: Run) throws -> Run {
        guard run.code == 0 else { throw TestSupportError("exit code \(run.code): \(run.errors)") }
        return run
    }
}
