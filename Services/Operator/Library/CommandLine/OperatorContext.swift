import FoundationEssentials
package import Instants
import MQTT
package import Postgres
import Secrets
package import ServiceKit
import Store

/// The surroundings of a verb: its environment variables, its console and its clock.
package struct OperatorContext: Sendable {
    package let environment: OperatorEnvironment
    package let console: Console
    package let clock: WallClock
    /// How long a verb waits for another service to act.
    package let patience: Duration

    package init(
        environment: [String: String], console: Console, clock: WallClock = .system, patience: Duration = .seconds(30)
    ) {
        self.environment = OperatorEnvironment(environment)
        self.console = console
        self.clock = clock
        self.patience = patience
    }

    /// The surroundings of this process.
    package static let process = OperatorContext(
        environment: ProcessInfo.processInfo.environment, console: .standard)
}

extension PostgresConfiguration {
    init(_ settings: DatabaseSettings) throws(PostgresError) {
        try self.init(url: settings.url, readPassword: settings.readPassword, applicationName: "aqua")
    }
}

extension MQTTConfiguration {
    /// One configuration for each broker, in the order in which they are tried. The client id is unique to this
    /// process, so that two runs of the tool do not take over each other's session. Device ids contain no colon, so no
    /// device has such an id.
    static func all(_ settings: BrokerSettings, timeout: Duration = .seconds(10)) -> [MQTTConfiguration] {
        settings.addresses.map { address in
            MQTTConfiguration(
                endpoint: MQTTEndpoint(address),
                clientID: "aqua:tool:\(String(UInt64.random(in: 0 ... .max), radix: 16))",
                credentials: MQTTCredentials(user: settings.user, password: settings.password.renewed().revealed),
                certificateAuthorityFile: address.usesTLS ? settings.authorityFile : nil, timeout: timeout)
        }
    }
}

extension MQTTEndpoint {
    init(_ address: BrokerSettings.Address) {
        self.init(host: address.host, port: UInt16(clamping: address.port), isSecure: address.usesTLS)
    }
}

extension OperatorContext {
    /// Lends a connection to the database, after a check that its schema is the one of this program.
    package func withDatabase<Result: Sendable>(
        _ settings: DatabaseSettings? = nil, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let settings = if let settings { settings } else { try environment.read { $0.database() } }
        let connection = try await PostgresConnection.connect(PostgresConfiguration(settings))
        let result: Swift.Result<Result, any Error>
        do {
            try await Schema.require(on: connection)
            try await connection.perform(NameOperator(environment))
            result = .success(try await body(connection))
        } catch {
            result = .failure(error)
        }
        await connection.close()
        return try result.get()
    }
}

/// The environment variables, read when a verb needs them: `aqua migrate` works without a broker.
///
/// Every fault names its variable and what to set it to (`ConfigurationFaults`).
package struct OperatorEnvironment: Sendable {
    package let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// Reads everything that a verb needs in one pass, so that all faults are reported at once.
    package func read<Value>(_ body: (ConfigurationReader) -> Value) throws(ConfigurationFaults) -> Value {
        try Configuration.read(from: variables, body)
    }

    /// Like `read`, for a value that exists only if there was no fault.
    func require<Value>(_ body: (ConfigurationReader) -> Value?) throws(ConfigurationFaults) -> Value {
        guard let value = try read(body) else {
            preconditionFailure("a reader that could not give a value records a fault")
        }
        return value
    }
}

extension ConfigurationReader {
    /// The master keys of the devices' passwords; nil after a fault.
    func deviceKeys() -> DeviceKeys? { keys(.deviceKeyFile, DeviceKeys.init) }

    /// The keys that protect stored secrets; nil after a fault.
    func secretKeys() -> SecretKeys? { keys(.secretKeyFile, SecretKeys.init) }

    /// The keys that sign people's access tokens, each of 256 bits; nil where none are configured, and after a fault.
    func tokenKeys() -> [String]? {
        optional(.tokenKeyFile) { $0 } == nil ? nil : keys(.tokenKeyFile) { $0.isEmpty ? nil : $0 }
    }

    private func keys<Keys: Sendable>(_ variable: Variable, _ make: @escaping @Sendable ([String]) -> Keys?) -> Keys? {
        renewableSecrets(
            variable, minimumLength: 32,
            remedy: "write 64 hexadecimal digits into it, such as from: openssl rand -hex 32", parse: make)?.current
    }
}

extension OperatorEnvironment {
    /// The settings of verbs that make or look up claim codes.
    func databaseAndSecretKeys() throws(ConfigurationFaults) -> (database: DatabaseSettings, keys: SecretKeys) {
        try require { reader in
            let database = reader.database()
            return reader.secretKeys().map { (database, $0) }
        }
    }
}
