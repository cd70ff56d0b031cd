import MQTT
import Postgres
import ServiceKit
import Store

extension PostgresConfiguration {
    init(_ settings: DatabaseSettings) throws(PostgresError) {
        try self.init(url: settings.url, readPassword: settings.readPassword, applicationName: "aqua")
    }
}

extension MQTTConfiguration {
    /// A client of this process alone: no two runs of the tool throw each other out, and no device is called so, as no id of
    /// theirs has a colon.
    init(_ settings: BrokerSettings, timeout: Duration = .seconds(10)) {
        self.init(
            endpoint: MQTTEndpoint(
                host: settings.host, port: UInt16(clamping: settings.port), isSecure: settings.usesTLS),
            clientID: "aqua:tool:\(String(UInt64.random(in: 0 ... .max), radix: 16))",
            credentials: MQTTCredentials(user: settings.user, password: settings.password.renewed().revealed),
            certificateAuthorityFile: settings.authorityFile, timeout: timeout)
    }
}

extension OperatorContext {
    /// Lends a connection to a database whose schema is this program's.
    func withDatabase<Result: Sendable>(
        _ settings: DatabaseSettings? = nil, _ body: (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let settings = if let settings { settings } else { try environment.read { $0.database() } }
        let connection = try await PostgresConnection.connect(PostgresConfiguration(settings))
        let result: Swift.Result<Result, any Error>
        do {
            try await Schema.require(on: connection)
            result = .success(try await body(connection))
        } catch {
            result = .failure(error)
        }
        await connection.close()
        return try result.get()
    }
}
